/** The policies of `catalogue export --format admission`, evaluated by a library for CEL, against `check`. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Environment, type ParseResult } from "@marcbachmann/cel-js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "../cli/fake-io.ts";
import { shared } from "../shared.ts";
import { soaked } from "../soaked.ts";

const GENERATED = "2026-11-21";
const DAYS = ["2019-06-01", "2022-04-28", "2024-10-08", "2026-08-22", GENERATED, "2028-07-01"];

interface Resource {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly variables: readonly { readonly name: string; readonly expression: string }[];
    readonly validations: readonly { readonly expression: string; readonly messageExpression: string }[];
  };
}
interface Policy {
  readonly variables: readonly (readonly [name: string, parsed: ParseResult])[];
  readonly expression: ParseResult;
  readonly message: ParseResult;
}

const folder = mkdtempSync(join(tmpdir(), "eolgate-admission-"));
afterAll(() => rmSync(folder, { recursive: true }));
let resources: readonly Resource[] = [];
let policies: readonly Policy[] = [];

beforeAll(async () => {
  const argv = ["catalogue", "export", "--format", "admission"];
  const { out, err, exit } = await runCommand(argv, { cwd: folder, today: GENERATED });
  expect({ err, exit }).toEqual({ err: "", exit: 0 });
  resources = JSON.parse(out).items;
  const environment = new Environment({ unlistedVariablesAreDyn: true });
  policies = resources
    .filter(({ kind }) => kind === "ValidatingAdmissionPolicy")
    .map(({ spec: { variables, validations } }) => ({
      variables: variables.map(({ name, expression }) => [name, environment.parse(expression)] as const),
      expression: environment.parse(validations[0]?.expression ?? ""),
      message: environment.parse(validations[0]?.messageExpression ?? ""),
    }));
}, 600_000);

interface PodRequest {
  readonly operation?: "CREATE" | "UPDATE";
  readonly created: string;
  readonly images: readonly string[];
  readonly before?: readonly string[];
}

const pod = (images: readonly string[], created: string) => ({
  metadata: { name: "a", creationTimestamp: `${created}T09:30:00Z` },
  spec: { containers: images.map((image) => ({ name: "a", image })) },
});

/** The messages of the policies that deny the request. */
function denials({ operation = "CREATE", created, images, before = [] }: PodRequest, of = policies): readonly string[] {
  return of.flatMap(({ variables: parsed, expression, message }) => {
    const variables: Record<string, unknown> = {};
    const object = pod(images, created);
    const context = { object, oldObject: pod(before, created), request: { operation }, variables };
    for (const [name, evaluate] of parsed) variables[name] = evaluate(context);
    return evaluate(expression, context) === true ? [] : [String(evaluate(message, context))];
  });
}
const evaluate = (parsed: ParseResult, context: Record<string, unknown>): unknown => parsed(context);

/** What `check` reports of each image on its own: whether it fails on an end of life. */
async function checked(images: readonly string[], day: string): Promise<readonly boolean[]> {
  const cwd = mkdtempSync(join(folder, "pods-"));
  for (const [at, image] of images.entries()) writeFileSync(join(cwd, `${String(at)}.json`), podText(image));
  const { out } = await runCommand(["check", ".", "--as-of", day, "--format", "json"], { cwd, today: GENERATED });
  const documents: { document: { file: string }; gate: { verdict: string } }[] = JSON.parse(out).documents;
  const failing = new Set(documents.filter(({ gate }) => gate.verdict === "fail").map(({ document }) => document.file));
  expect(documents.length).toBeGreaterThan(0);
  return images.map((_, at) => failing.has(`${String(at)}.json`));
}
const podText = (image: string): string =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "a" },
    spec: { containers: [{ name: "a", image }] },
  });

/** Images whose policy decision differs from `check`. */
async function differences(images: readonly string[], day: string): Promise<readonly string[]> {
  const expected = await checked(images, day);
  return images.filter((image, at) => denials({ created: day, images: [image] }).length > 0 !== expected[at]);
}

const WRITTEN = [
  "python:3.7-slim-buster",
  "python",
  "python:latest",
  "docker.io/python:3.8",
  "index.docker.io/library/python:3.8.20",
  "node:16-alpine3.18",
  "node:22-bookworm",
  "node:20",
  "node:v18",
  "library/node:14@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
  "public.ecr.aws/docker/library/redis:6.0",
  "redis:7.2.4-alpine",
  "redis:5",
  "postgres:12.4",
  "postgres:17",
  "registry.lan:5000/team/app:1.0-buster",
  "registry.lan:5000/team/app:1.0",
  "localhost/app:stretch",
  "team/app:2-alpine-3.12",
  "debian:buster",
  "debian:10-slim",
  "ubuntu:bionic",
  "ubuntu:24.04",
  "alpine:3.12",
  "centos:7",
  "drupal:9.5-php7.4-apache",
  "wordpress:6-php7.4",
  "openjdk:8u212-jre",
  "eclipse-temurin:17.0.1_12-jre-focal",
  "gcr.io/distroless/java11-debian10",
  "gcr.io/distroless/base-debian12:nonroot",
  "registry.access.redhat.com/ubi7/ubi:7.9",
  "registry.access.redhat.com/rhel8/nodejs-12",
  "mcr.microsoft.com/dotnet/aspnet:6.0-alpine",
  "mcr.microsoft.com/windows/servercore:ltsc2016",
  "nginx:1.19",
  "nginx:stable",
  "bitnami/postgresql:11",
  "quay.io/centos7/httpd-24-centos7",
  "golang:1.20-bullseye",
  "php:7.4-fpm",
  "ruby:2.7",
  "elixir:1.12-otp-24",
  "no-such-image:1.2",
  // Repositories that ended as places, whatever is in them, and others of the same products.
  "bitnami/node:22",
  "bitnamilegacy/harbor-core:2.13",
  "bitnami/no-such-image:1.2",
  "mailu/admin",
  "mailus/admin:1",
  "bitnami/grafana-loki",
  "goharbor/harbor-core:v2.15",
  "quay.io/goharbor/harbor-core:v2.12",
  "grafana/loki:3.7",
  "k8s.gcr.io/etcd:3.5.1",
  "registry.k8s.io/etcd:3.5.1",
  "clickhouse:24",
  "maven:3-eclipse-temurin-24",
];

describe("the policies deny what check fails on", () => {
  test.each(DAYS)(
    "on %s, for images as they are written",
    async (day) => {
      expect(await differences(WRITTEN, day)).toEqual([]);
    },
    600_000,
  );
  const url = shared("upstream/image-names.json");
  test.skipIf(url === undefined)(
    "on all days, for 300 images of publishers",
    async () => {
      const images = listedImages(JSON.parse(readFileSync(url ?? "", "utf8")));
      expect(images).toHaveLength(300);
      // In turn, so that each image is compared on one of the days at least.
      const every = soaked(DAYS.length, 1);
      const found: Record<string, readonly string[]> = {};
      for (const [turn, day] of DAYS.entries())
        found[day] = await differences(
          images.filter((_, at) => at % every === turn % every),
          day,
        );
      expect(found).toEqual(Object.fromEntries(DAYS.map((day) => [day, []])));
    },
    600_000,
  );
});

describe("the day", () => {
  const image = "python:3.9";
  // Python 3.9 fails from 2025-11-01.
  test.each<[string, PodRequest, boolean]>([
    ["the last day of support", { created: "2025-10-31", images: [image] }, false],
    ["the day after", { created: "2025-11-01", images: [image] }, true],
    ["an update of another field of a running Pod", updated("2025-01-01", [image], [image]), false],
    ["an update to an image that has ended, in an old Pod", updated("2025-01-01", [image], ["python:3.13"]), true],
    ["an update to an image that ends after the export", updated("2025-01-01", ["python:3.11"], [image]), false],
    ["the same in a Pod that is newer than the end", updated("2028-01-01", ["python:3.11"], [image]), true],
  ])("%s", (_, request, isDenied) => {
    expect(denials(request).length > 0).toBe(isDenied);
  });

  test("is required: without it, nothing is admitted", () => {
    const [policy] = policies;
    const day = policy?.variables.find(([name]) => name === "day")?.[1];
    expect(() => day?.({ request: { operation: "CREATE" }, object: { metadata: {} } })).toThrow("creationTimestamp");
  });
});

const updated = (created: string, images: readonly string[], before: readonly string[]): PodRequest => ({
  operation: "UPDATE",
  created,
  images,
  before,
});

test("the message names each image that has ended, also of init containers", () => {
  const messages = denials({ created: GENERATED, images: ["python:3.7", "team/app:1", "node:16", "app:1-buster"] });
  expect(
    messages
      .join(" ")
      .match(/docker\.io\/[^ ,]+/g)
      ?.toSorted(),
  ).toEqual(["docker.io/library/app:1-buster", "docker.io/library/node:16", "docker.io/library/python:3.7"]);
  const [{ images } = { images: undefined }] = policies.map(({ variables }) => Object.fromEntries(variables));
  const object = {
    spec: {
      initContainers: [{ image: "a:1" }],
      containers: [{ name: "none" }],
      ephemeralContainers: [{ image: "b:1" }],
    },
  };
  expect(images?.({ object, variables: { before: [] } })).toEqual(["a:1", "b:1"]);
});

describe("the resources", () => {
  test("stay within the limits of Kubernetes", () => {
    for (const resource of resources) {
      expect(JSON.stringify(resource).length).toBeLessThan(100_000);
      for (const { expression } of resource.spec.variables ?? []) expect(expression.length).toBeLessThan(90_000);
    }
  });

  test("bind each policy once, with different names", () => {
    const names = (kind: string) => resources.filter((each) => each.kind === kind).map(({ metadata }) => metadata.name);
    const all = names("ValidatingAdmissionPolicy");
    expect(all.length).toBeGreaterThan(1);
    expect(new Set(all).size).toBe(all.length);
    expect(names("ValidatingAdmissionPolicyBinding")).toEqual(all);
    expect(resources.length).toBe(2 * all.length);
  });

  test("are not limited to a product", async () => {
    const argv = ["catalogue", "export", "--format", "admission", "--product", "python"];
    expect(await runCommand(argv, { cwd: folder, today: GENERATED })).toMatchObject({ exit: 2, out: "" });
  });
});

interface ListedNames {
  readonly images: readonly {
    readonly repository: string;
    readonly floating: Readonly<Record<string, unknown>> | null;
  }[];
  readonly tag_systems: readonly { readonly repository: string; readonly tags: Readonly<Record<string, unknown>> }[];
}

/** Every so many of the tags that the lists of publishers contain, 300 in all. */
function listedImages({ images, tag_systems }: ListedNames): readonly string[] {
  const all = [
    ...tag_systems.flatMap(({ repository, tags }) => Object.keys(tags).map((tag) => `${repository}:${tag}`)),
    ...images.flatMap(({ repository, floating }) => Object.keys(floating ?? {}).map((tag) => `${repository}:${tag}`)),
    ...images.map(({ repository }) => repository),
  ];
  return Array.from({ length: 300 }, (_, at) => all[Math.floor((at * all.length) / 300)] ?? "");
}
