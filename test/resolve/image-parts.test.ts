/** Images of SBOMs and arguments are judged like the same reference in a Dockerfile. */
import { expect, test } from "vitest";
import { evaluatePolicy } from "../../src/policy/evaluate.ts";
import { DEFAULT_POLICY } from "../../src/policy/policy.ts";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { readInventory, type InventoryKind, inventoryKindOf } from "../../src/files/read.ts";
import { assessComponent, createAssessContext, purlComponent } from "../../src/resolve/answer.ts";
import { asIsoDate } from "../../src/text/ids.ts";
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
