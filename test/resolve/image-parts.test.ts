/** Images of SBOMs and arguments are judged like the same reference in a Dockerfile. */
import { expect, test } from "vitest";
import { evaluatePolicy } from "../../src/policy/evaluate.ts";
import { DEFAULT_POLICY } from "../../src/policy/policy.ts";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { readInventory, type InventoryKind, inventoryKindOf } from "../../src/files/read.ts";
import { assessComponent, createAssessContext, purlComponent } from "../../src/resolve/answer.ts";
import { asIsoDate, asPurl } from "../../src/text/ids.ts";
import type { AssessedComponent } from "../../src/model/index.ts";

const catalogue = loadCatalogue();
const asOf = asIsoDate("2026-11-24");
const context = createAssessContext(catalogue, { strict: false, asOf });

const kind: InventoryKind | undefined = inventoryKindOf("Dockerfile");
async function ofLine(reference: string): Promise<readonly AssessedComponent[]> {
  if (kind === undefined) throw new TypeError("a Dockerfile has readers");
  const { components } = await readInventory(kind, new TextEncoder().encode(`FROM ${reference}\n`), catalogue.facts);
  return Array.from(components, (component) => assessComponent(component, context));
}
const ofPurl = (purl: string): AssessedComponent => assessComponent(purlComponent(purl), context);
const severities = (candidates: readonly AssessedComponent[]): readonly string[] =>
  evaluatePolicy(candidates, DEFAULT_POLICY, asOf).findings.map(({ outcome }) => outcome.severity);

test.each([
  ["node:22-bullseye-slim", "pkg:docker/node@22-bullseye-slim"],
  ["node:22-bullseye-slim", "pkg:docker/library/node@22-bullseye-slim"],
  ["node:22-bullseye-slim", "pkg:oci/node@22-bullseye-slim"],
  [
    "node:22-bullseye-slim",
    "pkg:oci/node@sha256:0123?repository_url=index.docker.io/library/node&tag=22-bullseye-slim",
  ],
  ["python:3.12-buster", "pkg:docker/python@3.12-buster"],
  ["eclipse-temurin:17-jdk-centos7", "pkg:docker/eclipse-temurin@17-jdk-centos7"],
  [
    "hexpm/elixir:1.18.1-erlang-27.2-debian-bullseye-20241223",
    "pkg:docker/hexpm/elixir@1.18.1-erlang-27.2-debian-bullseye-20241223",
  ],
  ["example/app:1.0-bullseye", "pkg:docker/example/app@1.0-bullseye"],
  [
    "registry.example.com/team/app:1.0-alpine3.15",
    "pkg:oci/app@1.0-alpine3.15?repository_url=registry.example.com/team/app",
  ],
  ["public.ecr.aws/docker/library/node:16", "pkg:oci/node@16?repository_url=public.ecr.aws/docker/library/node"],
  ["public.ecr.aws/docker/library/node:16", "pkg:docker/docker/library/node@16?repository_url=public.ecr.aws"],
  ["public.ecr.aws/docker/library/node:16", "pkg:docker/public.ecr.aws/docker/library/node@16"],
  // A stream that its distribution stopped, and a retired image, which only warns, on a system that has ended.
  [
    "registry.access.redhat.com/ubi8/nodejs-16:1",
    "pkg:docker/ubi8/nodejs-16@1?repository_url=registry.access.redhat.com",
  ],
  [
    "registry.redhat.io/rhel8/mariadb-105:1",
    "pkg:oci/mariadb-105@1?repository_url=registry.redhat.io/rhel8/mariadb-105",
  ],
  ["adoptopenjdk:16.0.1_9-slim-buster", "pkg:docker/adoptopenjdk@16.0.1_9-slim-buster"],
])("fails %s also as %s", async (line, purl) => {
  expect(severities(await ofLine(line))).toContain("fail");
  expect(severities([ofPurl(purl)])).toEqual(["fail"]);
});

test.each([
  ["node:22-trixie", "pkg:docker/node@22-trixie"],
  ["node:22-bookworm", "pkg:docker/node@22-bookworm"],
  ["public.ecr.aws/docker/library/node:22", "pkg:docker/docker/library/node@22?repository_url=public.ecr.aws"],
])("gives %s and %s the product's own answer", async (line, purl) => {
  const [own] = await ofLine(line);
  const found = ofPurl(purl);
  expect(found.assessment?.releaseCycle).toEqual({ product: "nodejs", cycle: "22" });
  expect(own?.assessment?.score).toBe(found.assessment?.score);
  expect(severities([found])).toEqual(["pass"]);
});

test("judges the tag of an image with several purls", () => {
  const purls = ["pkg:docker/node@22-bullseye-slim", "pkg:docker/library/node@22-bullseye-slim"];
  const [own] = purls.map((purl) => ofPurl(purl));
  const both = assessComponent({ ...purlComponent(purls[0] ?? ""), purls: purls.map(asPurl) }, context);
  expect(severities([both])).toEqual(["fail"]);
  expect(both.assessment?.releaseCycle).toEqual(own?.assessment?.releaseCycle);
});

test.each([
  ["pkg:oci/bitnami/kubectl@1.30.2", "pkg:docker/bitnami/kubectl@1.30.2"],
  ["pkg:oci/library/node@16", "pkg:docker/library/node@16"],
])("reads a path in the name of %s", (written, meant) => {
  const [found, expected] = [ofPurl(written), ofPurl(meant)];
  expect(found.resolution).not.toMatchObject({ reason: "purl-invalid" });
  expect(found.assessment?.releaseCycle).toEqual(expected.assessment?.releaseCycle);
});

test("reads no system from a tag that is longer than a tag can be", () => {
  expect(ofPurl(`pkg:docker/example/app@1.0-${"x".repeat(200)}-bullseye`).resolution.kind).toBe("unmatched");
});
