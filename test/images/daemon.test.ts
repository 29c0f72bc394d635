/** Images of a Docker daemon, read through its socket. */
import { mkdtempSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EolgateError } from "../../src/messages/error.ts";
import { readImage } from "../../src/images/read.ts";
import { BASE, buildImage, OS_RELEASE, savedFiles, tarOf } from "./build.ts";
import { loadCatalogue } from "../../src/catalogue/load.ts";

const CATALOGUE = loadCatalogue();
const FACTS = CATALOGUE.facts;
const PURL = CATALOGUE.purl.bind(CATALOGUE);
const socket = join(mkdtempSync(join(tmpdir(), "eolgate-daemon-")), "docker.sock");
const requests: string[] = [];
const exports = new Map<string, Uint8Array>();
const daemon = createServer((request, response) => {
  requests.push(`${request.method ?? ""} ${request.url ?? ""}`);
  const found = exports.get(/^\/images\/(.+)\/get$/.exec(request.url ?? "")?.[1] ?? "");
  response.writeHead(request.url?.includes("broken") === true ? 500 : found === undefined ? 404 : 200);
  response.end(found);
});

beforeAll(async () => {
  exports.set("team/shop:1.0", await tarOf(savedFiles(await buildImage([BASE], { env: ["PHP_VERSION=8.0.30"] }))));
  const linked = await buildImage([{ "opt/release": OS_RELEASE, "etc/os-release -> /opt/release": "" }]);
  exports.set("linked", await tarOf(savedFiles(linked)));
  await new Promise<void>((resolve) => daemon.listen(socket, resolve));
});
afterAll(() => new Promise((resolve) => daemon.close(resolve)));

const read = (name: string, DOCKER_HOST = `unix://${socket}`, platform?: string) =>
  readImage(
    { image: `docker-daemon:${name}`, platform },
    { cwd: ".", env: { DOCKER_HOST }, facts: FACTS, purl: PURL, architecture: "x64" },
  );

async function codeOf(step: Promise<unknown>): Promise<string> {
  const error = await step.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  return error instanceof EolgateError ? `${error.code} ${String(error.exit)}` : String(error);
}

describe("image of the Docker daemon", () => {
  test("is read from its export", async () => {
    const { inputs, coverage } = await read("team/shop:1.0");
    expect(inputs.flatMap(({ document }) => [...document.components].map(({ name }) => name))).toEqual([
      "debian",
      "openssl",
      "perl-base",
      "php",
    ]);
    expect(coverage.platform).toBe("linux/amd64");
    expect(requests.at(-1)).toBe("GET /images/team/shop:1.0/get");
  });

  test("is exported again to read the target of a link", async () => {
    requests.length = 0;
    const { inputs } = await read("linked");
    expect(inputs[0]?.document.components.at(0)?.name).toBe("debian");
    expect(requests).toHaveLength(2);
  });

  test.each([
    ["none", undefined, undefined, "image-not-found 5"],
    ["broken", undefined, undefined, "unexpected-status 5"],
    ["team/shop:1.0", undefined, "linux/arm64", "image-platform-missing 2"],
    ["team/shop:1.0", "unix:///nonexistent/docker.sock", undefined, "no-answer 5"],
    ["team/shop:1.0", "tcp://127.0.0.1:2375", undefined, "invalid-value 2"],
    ["team/shop:1.0", "ssh://host", undefined, "invalid-value 2"],
    ["../containers/json", undefined, undefined, "invalid-value 2"],
    ["a/../../containers", undefined, undefined, "invalid-value 2"],
    ["a?x=1", undefined, undefined, "invalid-value 2"],
  ])("%s from %s with platform %s gives the error %s", async (name, host, platform, expected) => {
    expect(await codeOf(read(name, host, platform))).toBe(expected);
  });
});
