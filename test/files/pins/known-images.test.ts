/** Usual images resolve to the release cycle of their product, and similar names do not. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { runCommand } from "../../cli/fake-io.ts";
import { writeFiles } from "../../images/build.ts";

/** An image, and the release cycle of its product or the reason, or that of its system and the reason. */
const IMAGES: readonly (readonly [image: string, expected: string])[] = [
  ["docker.elastic.co/elasticsearch/elasticsearch:6.8.23", "elasticsearch:6 eol"],
  ["docker.elastic.co/kibana/kibana:6.8.23", "kibana:6 eol"],
  ["docker.elastic.co/logstash/logstash:6.8.23", "logstash:6 eol"],
  ["docker.elastic.co/beats/filebeat:6.8.23", "purl-not-tracked"],
  ["registry.test/elasticsearch/elasticsearch:6.8.23", "purl-not-tracked"],
  ["mcr.microsoft.com/mssql/server:2017-latest", "mssqlserver:14.0 none"],
  ["mcr.microsoft.com/mssql/server:2019-CU18", "mssqlserver:15.0 none"],
  ["mcr.microsoft.com/mssql/server:latest", "no-version"],
  ["hashicorp/vault:1.9.0", "hashicorp-vault:1.9 eol"],
  ["vault:1.9.0", "hashicorp-vault:1.9 eol"],
  ["of-ours/vault:1.9.0", "purl-not-tracked"],
  ["sonarqube:8.9-community", "sonarqube-server:8 eol"],
  ["kong:2.8-alpine", "kong-gateway:2.8 eol"],
  ["kongs/kong:2.8", "purl-not-tracked"],
  ["gitlab/gitlab-ce:14.0.0-ce.0", "gitlab:14.0 eol"],
  ["gitlab/gitlab-ee:14.0.0-ee.0", "gitlab:14.0 eol"],
  ["gitlab/gitlab-runner:v14.0.0", "gitlab-runner:14.0.0 eol"],
  ["gitlab/of-ours:14.0.0", "purl-not-tracked"],
  ["opensuse/leap:15.3", "opensuse:15.3 eol"],
  ["opensuse/tumbleweed:latest", "purl-not-tracked"],
  ["registry.access.redhat.com/ubi8/openjdk-8:1.3", "redhat-build-of-openjdk:8 approaching"],
  // Red Hat supports the packages of its images for periods of their own, by the stream in the name of the repository.
  ["registry.access.redhat.com/ubi8/nodejs-12:1-70", "nodejs:12 package-eol"],
  ["registry.redhat.io/ubi8/nodejs-14-minimal", "nodejs:14 package-eol"],
  [
    "registry.access.redhat.com/ubi9/nodejs-18@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    "nodejs:18 package-eol",
  ],
  ["registry.access.redhat.com/ubi9/nodejs-16:${TAG}", "nodejs:16 package-eol"],
  ["registry.access.redhat.com/ubi8/nodejs-12:22", "nodejs:12 package-eol"],
  ["registry.access.redhat.com/ubi8/nodejs-24:1-70", "nodejs:24 none"],
  ["registry.access.redhat.com/ubi8/python-39:1", "python:3.9 package-eol"],
  ["registry.access.redhat.com/ubi8/python-27", "python:2.7 package-eol"],
  // The Python of RHEL 9 itself is supported as long as RHEL 9, and that of other streams is not.
  ["registry.access.redhat.com/ubi9/python-39:1", "python:3.9 none"],
  ["registry.access.redhat.com/ubi9/python-311:1", "python:3.11 package-eol"],
  ["registry.redhat.io/rhel8/postgresql-10", "rhel:8 package-eol"],
  ["registry.redhat.io/rhel8/postgresql-12", "rhel:8 none"],
  ["registry.redhat.io/rhel8/mariadb-105:1", "rhel:8 package-eol"],
  ["registry.redhat.io/rhel9/mysql-80:1", "rhel:9 package-eol"],
  ["registry.redhat.io/rhel8/nginx-122-micro", "nginx:1.22 package-eol"],
  ["registry.redhat.io/rhel10/nodejs-24-minimal", "nodejs:24 none"],
  // No period is recorded for these: the system counts, and upstream's end does not.
  ["registry.access.redhat.com/ubi8/perl-530:1", "rhel:8 none, purl-not-tracked"],
  ["registry.access.redhat.com/ubi7/php-73:1", "rhel:7 eol, purl-not-tracked"],
  ["registry.redhat.io/rhscl/python-36-rhel7", "rhel:7 eol, purl-not-tracked"],
  ["quay.io/sclorg/nodejs-18-c9s", "centos-stream:9 none, purl-not-tracked"],
  ["quay.io/sclorg/nodejs-18-c8s:latest", "centos-stream:8 eol, purl-not-tracked"],
  ["quay.io/centos7/nodejs-12-centos7:7", "centos:7 eol, purl-not-tracked"],
  ["quay.io/sclorg/nodejs-18", "purl-not-tracked"],
  ["quay.io/fedora/nodejs-18", "purl-not-tracked"],
  ["registry.access.redhat.com/ubi8/nodejs:1-70", "purl-not-tracked"],
  ["registry.access.redhat.com/ubi8/nodejs-12-custom:1", "purl-not-tracked"],
  ["registry.access.redhat.com/ubi88/nodejs-12:1", "purl-not-tracked"],
  ["registry.access.redhat.com/team/ubi8/nodejs-12:1", "purl-not-tracked"],
  ["registry-access.redhat.com/ubi8/nodejs-12:1", "purl-not-tracked"],
  ["example.com/ubi8/nodejs-12", "purl-not-tracked"],
  // Without a registry it is one of Docker Hub.
  ["ubi9/python-39", "purl-not-tracked"],
  ["registry.access.redhat.com/ubi8/nodejs-12:1:70", "name-not-recognised"],
  ["public.ecr.aws/docker/library/node:14", "nodejs:14 eol"],
  ["public.ecr.aws/lambda/python:3.7", "aws-lambda:python3.7 eol"],
  ["public.ecr.aws/of-ours/library/node:14", "purl-not-tracked"],
  ["azul/zulu-openjdk:9-latest", "azul-zulu:9 eol"],
  ["azul/zulu-openjdk-alpine:8u322-8.60.0.21", "azul-zulu:8 none"],
  ["azul/prime:17", "purl-not-tracked"],
  ["mcr.microsoft.com/devcontainers/python:1-3.8", "python:3.8 eol"],
  ["mcr.microsoft.com/devcontainers/base:1", "purl-not-tracked"],
  ["cimg/node:14.17", "nodejs:14 eol"],
  ["cimg/base:2021.04", "purl-not-tracked"],
  ["bitnamilegacy/postgresql:11", "postgresql:11 eol"],
  ["bitnamilegacies/postgresql:11", "purl-not-tracked"],
  ["confluentinc/cp-kafka:6.0.0", "confluent-platform:6.0 eol"],
  ["confluentinc/other:6.0.0", "purl-not-tracked"],
  ["python:2", "python:2 eol"],
  ["python:3", "version-ambiguous"],
  ["php:5", "php:5 eol"],
  ["php:8", "version-ambiguous"],
  ["mysql:5", "mysql:5 eol"],
  ["mongo:3", "mongodb:3 eol"],
  ["postgres:9", "postgresql:9 eol"],
  ["node:1.19.x", "nodejs:1 eol"],
  ["postgres:${TAG}", "computed-value"],
  ["postgres:", "no-version"],
  ["postgres:9:9", "name-not-recognised"],
];

interface Row {
  readonly line: number;
  readonly product: string;
  readonly cycle: string;
  readonly outcome: { readonly condition: string };
}
interface Unmatched {
  readonly pointer: string;
  readonly reason: string;
}

const found = new Map<number, string[]>();
beforeAll(async () => {
  const text = IMAGES.map(([image]) => `FROM ${image}\n`).join("");
  const cwd = writeFiles(mkdtempSync(join(tmpdir(), "eolgate-images-")), { Dockerfile: text });
  const { out } = await runCommand(["check", "Dockerfile", "--format", "json", "--as-of", "2026-11-23"], { cwd });
  const { documents } = JSON.parse(out) as {
    documents: { findings: readonly Row[]; unmatched: readonly Unmatched[] }[];
  };
  const add = (line: number, result: string): unknown => found.set(line, [...(found.get(line) ?? []), result]);
  for (const { findings, unmatched } of documents) {
    for (const { line, product, cycle, outcome } of findings) add(line, `${product}:${cycle} ${outcome.condition}`);
    for (const { pointer, reason } of unmatched)
      if (!pointer.endsWith("/1")) add(Number(pointer.split("/")[2]), reason);
  }
});

test.each(IMAGES.map(([image, expected], index) => [image, expected, index + 1] as const))(
  "%s is %s",
  (_, expected, line) => {
    expect(found.get(line)?.slice(0, expected.split(", ").length).join(", ")).toBe(expected);
  },
);
