import { expect, test } from "vitest";
import { readInventory } from "../../../src/files/read.ts";
import { imageSystem } from "../../../src/resolve/image-parts.ts";
import { loadCatalogue } from "../../../src/catalogue/load.ts";

const FACTS = loadCatalogue().facts;

test.each([
  ["python", "3.12-slim-buster", "debian buster"],
  ["node", "22-stretch", "debian stretch"],
  ["eclipse-temurin", "11-jre-focal", "ubuntu focal"],
  ["python", "3.9-alpine3.14", "alpine 3.14"],
  ["node", "18-alpine", "alpine"],
  ["postgresql", "15.3.0-debian-11-r5", "debian 11"],
  ["java17-debian11", "nonroot", "debian 11"],
  ["openjdk-17", "1.14-ubi8", "rhel 8"],
  ["amazoncorretto", "17-al2023", "amazon linux 2023"],
  ["aspnet", "6.0-cbl-mariner2.0", "azure linux 2.0"],
  ["sdk", "6.0-nanoserver-1809", "windows server 1809"],
  ["sdk", "6.0-windowsservercore-ltsc2019", "windows server 2019"],
  ["node", "18", undefined],
  ["node", "18-slim", undefined],
  ["app", "feature-focalpoint", undefined],
  ["app", "1.2.3-debianized", undefined],
])("reads the tag of %s:%s as %s", (image, tag, expected) => {
  const system = imageSystem(image, tag, FACTS.tools.systemCodeNames);
  expect(system && [system.name, system.version].filter(Boolean).join(" ")).toBe(expected);
});

/** The components that `FROM` names, with the mirrors of a configuration. */
async function productsOf(image: string, mirrors: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const tools = { ...FACTS.tools, imageMirrors: { ...FACTS.tools.imageMirrors, ...mirrors } };
  const bytes = new TextEncoder().encode(`FROM ${image}\n`);
  const { components } = await readInventory({ pins: "Dockerfile", lockfile: undefined }, bytes, { tools });
  return [...components].map(({ name, version, purls }) => purls[0] ?? `${name} ${version ?? ""}`.trim());
}

test.each<readonly [string, readonly string[]]>([
  ["redis:5.0.14-alpine", ["pkg:docker/library/redis@5.0.14-alpine", "alpine"]],
  ["wordpress:5.8-php7.4", ["pkg:docker/library/wordpress@5.8-php7.4", "php 7.4"]],
  ["wordpress:5.8", ["pkg:docker/library/wordpress@5.8"]],
  [
    "hexpm/elixir:1.12.0-erlang-24.0.1-alpine-3.13.3",
    ["pkg:docker/hexpm/elixir@1.12.0-erlang-24.0.1-alpine-3.13.3", "erlang 24.0.1", "alpine 3.13.3"],
  ],
  ["public.ecr.aws/docker/library/node:14", ["pkg:docker/library/node@14"]],
  ["public.ecr.aws/other/library/node:14", ["pkg:docker/other/library/node@14?repository_url=public.ecr.aws"]],
  [
    "mcr.microsoft.com/devcontainers/python:1-3.8-bullseye",
    ["pkg:docker/devcontainers/python@3.8?repository_url=mcr.microsoft.com", "debian bullseye"],
  ],
  ["registry.redhat.io/ubi8/openjdk-8:1.3", ["pkg:docker/ubi8/openjdk-8@8?repository_url=registry.redhat.io"]],
  [
    "registry.access.redhat.com/ubi8/nodejs-12:1-70",
    ["pkg:rpm/redhat/nodejs@12?distro=rhel-8&rpmmod=nodejs:12", "rhel 8"],
  ],
  ["registry.redhat.io/ubi8/python-311", ["pkg:rpm/redhat/python3.11@3.11?distro=rhel-8", "rhel 8"]],
  ["quay.io/sclorg/python-39-c9s:1", ["pkg:docker/sclorg/python-39-c9s?repository_url=quay.io", "centos-stream 9"]],
  ["tomcat:8.5-jdk8-openjdk", ["pkg:docker/library/tomcat@8.5-jdk8-openjdk", "openjdk-docker-image 8"]],
  ["mcr.microsoft.com/mssql/server:2019-latest", ["pkg:docker/mssql/server@2019?repository_url=mcr.microsoft.com"]],
  [
    "mcr.microsoft.com/mssql/server:2017-CU31-ubuntu-18.04",
    ["pkg:docker/mssql/server@2017?repository_url=mcr.microsoft.com", "ubuntu 18.04"],
  ],
  ["mcr.microsoft.com/mssql/server", ["pkg:docker/mssql/server?repository_url=mcr.microsoft.com"]],
  ["'node:16'", ["pkg:docker/library/node@16"]],
  ['debian:"11-slim"', ["pkg:docker/library/debian@11-slim"]],
  ['"mcr.microsoft.com"/dotnet/sdk:"6.0"', ["pkg:docker/dotnet/sdk@6.0?repository_url=mcr.microsoft.com"]],
  ...["2.7.8", "0.2.0-2.7.8"].map((tag): readonly [string, readonly string[]] => [
    `ghcr.io/rails/devcontainer/images/ruby:${tag}`,
    ["pkg:docker/rails/devcontainer/images/ruby@2.7.8?repository_url=ghcr.io"],
  ]),
  ["index.docker.io/library/php:7.4", ["pkg:docker/library/php@7.4"]],
  ["localhost:5000/php:7.4", ["pkg:docker/php@7.4?repository_url=localhost%3A5000"]],
  ["php", ["pkg:docker/library/php"]],
])("the products of %s are %j", async (image, expected) => {
  expect((await productsOf(image)).map((purl) => purl.replace("localhost:5000", "localhost%3A5000"))).toEqual(expected);
});

test.each([
  ["registry.example.com/hub/library/php:7.4", "pkg:docker/library/php@7.4"],
  ["registry.example.com/hub/php:7.4", "pkg:docker/library/php@7.4"],
  ["registry.example.com/red/ubi9/php-81:1", "pkg:rpm/redhat/php@8.1?distro=rhel-9&rpmmod=php:8.1"],
  ["registry.example.com/hubs/library/php:7.4", "pkg:docker/hubs/library/php@7.4?repository_url=registry.example.com"],
])("with mirrors in the configuration, %s is %s", async (image, expected) => {
  const [found] = await productsOf(image, {
    "registry.example.com/hub/": "docker.io/",
    "registry.example.com/red/": "registry.access.redhat.com/",
  });
  expect(found).toBe(expected);
});
