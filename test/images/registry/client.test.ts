/** Images in registries: credentials, redirects, attached SBOMs, and faulty registries. */
import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { EolgateError } from "../../../src/messages/error.ts";
import { readImage } from "../../../src/images/read.ts";
import { parseChallenge } from "../../../src/images/registry/token.ts";
import { findCredentials } from "../../../src/images/registry/credentials.ts";
import { attestation, BASE, buildImage, type BuiltImage, digest, indexOf } from "../build.ts";
import { contentOf, type FakeContent, type FakeRegistry, type Handler, startRegistry } from "../fake-registry.ts";
import { loadCatalogue } from "../../../src/catalogue/load.ts";

const CATALOGUE = loadCatalogue();
const FACTS = CATALOGUE.facts;
const PURL = CATALOGUE.purl.bind(CATALOGUE);
const open: FakeRegistry[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((registry) => registry.close()));
});

async function registry(content: FakeContent, handler?: Handler): Promise<FakeRegistry> {
  const started = await startRegistry(content, handler);
  open.push(started);
  return started;
}

/** A folder with Docker's configuration. */
const dockerFolder = (config?: unknown): string => {
  const folder = mkdtempSync(join(tmpdir(), "eolgate-docker-"));
  if (config !== undefined)
    writeFileSync(join(folder, "config.json"), typeof config === "string" ? config : JSON.stringify(config));
  return folder;
};
const base64 = (text: string): string => Buffer.from(text).toString("base64");

const read = (image: string, env: Record<string, string> = {}) =>
  readImage(
    { image },
    {
      cwd: ".",
      env: { DOCKER_CONFIG: dockerFolder(), ...env },
      facts: FACTS,
      purl: PURL,
      architecture: "x64",
      pause: () => Promise.resolve(),
    },
  );

async function outcome(step: Promise<{ inputs: readonly unknown[] }>): Promise<string> {
  try {
    return `${String((await step).inputs.length)} documents`;
  } catch (cause) {
    if (cause instanceof EolgateError) return `${cause.code} ${String(cause.exit)}`;
    throw cause;
  }
}

describe("image in a registry", () => {
  test("is read by its tag", async () => {
    const image = await buildImage([BASE, { "opt/app": "x" }]);
    const { host, requests } = await registry(contentOf(image));
    const { inputs, coverage } = await read(`${host}/team/shop:1.0`);
    expect([...(inputs[0]?.document.components ?? [])].map(({ name }) => name)).toEqual([
      "debian",
      "openssl",
      "perl-base",
    ]);
    expect(coverage).toMatchObject({ digest: image.manifest.digest, platform: "linux/amd64" });
    expect(requests.every((request) => request.startsWith("GET ") && request.endsWith(" -"))).toBe(true);
  });

  test("is read by its digest", async () => {
    const image = await buildImage([BASE]);
    const { host } = await registry(contentOf(image));
    expect(await outcome(read(`${host}/shop@${image.manifest.digest}`))).toBe("1 documents");
    expect(await outcome(read(`${host}/shop:other@${image.manifest.digest}`))).toBe("1 documents");
  });

  test("is selected from an index", async () => {
    const images = [await buildImage([BASE]), await buildImage([{}], { architecture: "arm64" })];
    const index = indexOf(images.map(({ manifest }) => manifest));
    const { host } = await registry({ parts: images, tags: { latest: index } });
    expect((await read(`${host}/shop`)).coverage.platform).toBe("linux/amd64");
  });

  test.each([
    ["shop:2.0", "image-not-found 5"],
    [`shop@${digest("other")}`, "image-not-found 5"],
  ])("reports that %s is missing", async (name, expected) => {
    const { host } = await registry(contentOf(await buildImage([BASE])));
    expect(await outcome(read(`${host}/${name}`))).toBe(expected);
  });

  test("reports a registry that does not respond", async () => {
    const { host, close } = await startRegistry(contentOf(await buildImage([BASE])));
    await close();
    expect(await outcome(read(`${host}/shop`))).toBe("no-answer 5");
  });
});

describe("registry with errors", () => {
  const path = (kind: string, name: string) => `/${kind}/${name}`;
  const answering =
    (where: (image: BuiltImage) => string, answer: Handler) =>
    (image: BuiltImage): Handler =>
    (request, response, host) =>
      request.url?.endsWith(where(image)) === true && answer(request, response, host);
  const send =
    (status: number, body: string | Uint8Array, headers: Record<string, string> = {}): Handler =>
    (_, response) => {
      response.writeHead(status, headers);
      response.end(body);
      return true;
    };

  test.each<readonly [string, (image: BuiltImage) => Handler, string]>([
    [
      "sends another manifest for a digest",
      answering((image) => path("manifests", image.manifest.digest), send(200, "{}")),
      "registry-untrusted 5",
    ],
    [
      "sends another configuration",
      answering((image) => path("blobs", image.config), send(200, "{}")),
      "registry-untrusted 5",
    ],
    [
      "sends another layer",
      answering((image) => path("blobs", image.layers[0] ?? ""), send(200, "x")),
      "registry-untrusted 5",
    ],
    [
      "sends a wrong digest of the manifest",
      answering(
        (image) => path("manifests", image.manifest.digest),
        send(200, "{}", { "docker-content-digest": digest("x") }),
      ),
      "registry-untrusted 5",
    ],
    [
      "does not have the configuration",
      answering((image) => path("blobs", image.config), send(404, "")),
      "unexpected-status 5",
    ],
    ["fails", answering((image) => path("manifests", image.manifest.digest), send(500, "")), "unexpected-status 5"],
    ["refuses", answering((image) => path("manifests", image.manifest.digest), send(403, "")), "registry-refused 5"],
    [
      "requires credentials without a challenge",
      answering((image) => path("manifests", image.manifest.digest), send(401, "")),
      "registry-refused 5",
    ],
    [
      "redirects without end",
      answering(
        (image) => path("manifests", image.manifest.digest),
        (request, response) => send(307, "", { location: request.url ?? "" })(request, response, ""),
      ),
      "registry-untrusted 5",
    ],
    [
      "redirects to another scheme",
      answering((image) => path("manifests", image.manifest.digest), send(307, "", { location: "file:///etc/passwd" })),
      "registry-untrusted 5",
    ],
    [
      "redirects to a host without TLS",
      answering((image) => path("blobs", image.config), send(307, "", { location: "http://storage.example.com/x" })),
      "registry-untrusted 5",
    ],
    [
      "redirects with a password",
      answering(
        (image) => path("blobs", image.config),
        send(307, "", { location: "https://a:b@storage.example.com/x" }),
      ),
      "registry-untrusted 5",
    ],
  ])("refuses a registry that %s", async (_, handler, expected) => {
    const image = await buildImage([BASE]);
    const { host } = await registry(contentOf(image), handler(image));
    expect(await outcome(read(`${host}/shop@${image.manifest.digest}`))).toBe(expected);
  });

  test("reads a layer again after the connection is interrupted once", async () => {
    const image = await buildImage([BASE]);
    let broken = 0;
    const { host } = await registry(contentOf(image), (request, response) => {
      if (broken > 0 || request.url?.endsWith(image.layers[0] ?? "") !== true) return false;
      broken += 1;
      response.writeHead(200, { "content-length": "5000" });
      response.write("x");
      setImmediate(() => response.destroy());
      return true;
    });
    expect(await outcome(read(`${host}/shop:1.0`))).toBe("1 documents");
    expect(broken).toBe(1);
  });

  test("repeats the request when the registry is busy twice", async () => {
    const image = await buildImage([BASE]);
    let busy = 0;
    const { host } = await registry(contentOf(image), (request, response) => {
      if (busy >= 2 || request.url?.includes("/manifests/") !== true) return false;
      busy += 1;
      return send(429, "", { "retry-after": "1" })(request, response, "");
    });
    expect(await outcome(read(`${host}/shop:1.0`))).toBe("1 documents");
  });
});

describe("registry credentials", () => {
  const basic =
    (expected: string): Handler =>
    (request, response) => {
      if (request.headers.authorization === `Basic ${base64(expected)}`) return false;
      response.writeHead(401, { "www-authenticate": 'Basic realm="registry"' });
      response.end();
      return true;
    };
  /** A registry with a token service, which requires the credentials `expected`, or none. */
  const bearer =
    (expected?: string): Handler =>
    (request, response, host) => {
      const { url = "", headers } = request;
      if (url.startsWith("/token")) {
        const isKnown = expected === undefined || headers.authorization === `Basic ${base64(expected)}`;
        const query = new URL(url, "http://x").searchParams;
        const isRight = query.get("service") === "reg" && query.get("scope") === "repository:shop:pull";
        response.writeHead(isKnown && isRight ? 200 : 401);
        response.end(JSON.stringify({ token: "t0ken" }));
        return true;
      }
      if (headers.authorization === "Bearer t0ken") return false;
      const realm = `http://${host}/token`;
      response.writeHead(401, {
        "www-authenticate": `Bearer realm="${realm}",service="reg",scope="repository:shop:pull"`,
      });
      response.end();
      return true;
    };

  test("requests a token without credentials", async () => {
    const { host } = await registry(contentOf(await buildImage([BASE])), bearer());
    expect(await outcome(read(`${host}/shop:1.0`))).toBe("1 documents");
  });

  test.each<readonly [string, (host: string) => unknown, string]>([
    ["auths", (host) => ({ auths: { [host]: { auth: base64("u:p") } } }), "1 documents"],
    [
      "auths with a scheme and a path",
      (host) => ({ auths: { [`http://${host}/v2/`]: { auth: base64("u:p") } } }),
      "1 documents",
    ],
    [
      "auths with a user and a password",
      (host) => ({ auths: { [host]: { username: "u", password: "p" } } }),
      "1 documents",
    ],
    ["a password with a colon", (host) => ({ auths: { [host]: { auth: base64("u:p:q") } } }), "registry-refused 5"],
    ["a wrong password", (host) => ({ auths: { [host]: { auth: base64("u:x") } } }), "registry-refused 5"],
    ["credentials of another host", () => ({ auths: { "ghcr.io": { auth: base64("u:p") } } }), "registry-refused 5"],
    ["no credentials", () => ({}), "registry-refused 5"],
    ["a damaged entry", (host) => ({ auths: { [host]: { auth: base64("secret") } } }), "config-unreadable 2"],
    ["a file that is not JSON", () => "{ secret", "config-unreadable 2"],
    ["a file with an unexpected structure", () => ({ auths: [] }), "config-unreadable 2"],
    ["a helper that is not installed", () => ({ credsStore: "absent" }), "config-unreadable 2"],
    ["a helper whose name is a path", () => ({ credsStore: "../../bin/sh" }), "config-unreadable 2"],
  ])("with %s", async (_, config, expected) => {
    const image = await buildImage([BASE]);
    for (const handler of [basic("u:p"), bearer("u:p")]) {
      const { host } = await registry(contentOf(image), handler);
      expect(await outcome(read(`${host}/shop:1.0`, { DOCKER_CONFIG: dockerFolder(config(host)) }))).toBe(expected);
    }
  });

  /** A PATH with a credential helper that runs the script. */
  const pathWithHelper = (script: string): string => {
    const folder = mkdtempSync(join(tmpdir(), "eolgate-helper-"));
    writeFileSync(join(folder, "docker-credential-test"), `#!/bin/sh\nread -r host\n${script}\n`);
    chmodSync(join(folder, "docker-credential-test"), 0o755);
    return [folder, process.env["PATH"] ?? ""].join(delimiter);
  };

  test.each([
    [`echo "{\\"Username\\":\\"u\\",\\"Secret\\":\\"for $host\\"}"`, "Basic u:for example.com"],
    [`echo '{"Username":"<token>","Secret":"refresh"}'`, "identity refresh"],
    ["echo 'credentials not found in native keychain'; exit 1", "none"],
    [`echo '{"Username":"","Secret":""}'`, "none"],
    ["echo secret; exit 1", "config-unreadable"],
    ["echo secret", "config-unreadable"],
    [`echo '{"Secret":1}'`, "config-unreadable"],
  ])("runs a credential helper: %s", async (script, expected) => {
    const PATH = pathWithHelper(script);
    for (const config of [{ credsStore: "test" }, { credHelpers: { "example.com": "test" } }]) {
      const found = await findCredentials("example.com", { PATH, DOCKER_CONFIG: dockerFolder(config) }).catch(
        (cause: unknown) => cause,
      );
      if (found instanceof EolgateError) {
        expect(found.code).toBe(expected);
        expect([found.message, found.hint, found.where, String(found.cause)].join(" ")).not.toContain("secret");
      } else expect(describeCredentials(found)).toBe(expected);
    }
  });

  function describeCredentials(found: unknown): string {
    if (found === undefined) return "none";
    const { kind, user, password, token } = found as Record<string, string>;
    return kind === "basic" ? `Basic ${user ?? ""}:${password ?? ""}` : `identity ${token ?? ""}`;
  }

  test("are not read from the helper of another registry", async () => {
    const config = { credHelpers: { "other.com": "absent" } };
    expect(await findCredentials("example.com", { DOCKER_CONFIG: dockerFolder(config) })).toBeUndefined();
  });

  test("for Docker Hub are found under its other name", async () => {
    const config = { auths: { "https://index.docker.io/v1/": { auth: base64("u:p") } } };
    expect(await findCredentials("registry-1.docker.io", { DOCKER_CONFIG: dockerFolder(config) })).toMatchObject({
      user: "u",
    });
  });

  test("exchanges a refresh token", async () => {
    const image = await buildImage([BASE]);
    let posted = "";
    const { host } = await registry(contentOf(image), (request, response, own) => {
      if (request.method !== "POST") return bearer("never")(request, response, own);
      request.on("data", (chunk: Buffer) => (posted += chunk.toString()));
      request.on("end", () => response.end(JSON.stringify({ access_token: "t0ken" })));
      return true;
    });
    const config = { auths: { [host]: { identitytoken: "refresh" } } };
    expect(await outcome(read(`${host}/shop:1.0`, { DOCKER_CONFIG: dockerFolder(config) }))).toBe("1 documents");
    expect(posted).toContain("refresh_token=refresh");
  });

  test("sends no credentials to the host of a redirect", async () => {
    const image = await buildImage([BASE]);
    const storage = await registry(contentOf(image));
    const { host, requests } = await registry(contentOf(image), (request, response, own) => {
      if (basic("u:p")(request, response, own)) return true;
      if (request.url?.includes("/blobs/") !== true) return false;
      response.writeHead(307, { location: `http://${storage.host}${request.url}` });
      response.end();
      return true;
    });
    const config = { auths: { [host]: { auth: base64("u:p") } } };
    expect(await outcome(read(`${host}/shop:1.0`, { DOCKER_CONFIG: dockerFolder(config) }))).toBe("1 documents");
    expect(requests.some((request) => request.includes("Basic"))).toBe(true);
    expect(storage.requests.filter((request) => !request.endsWith(" -"))).toEqual([]);
    expect(storage.requests).not.toEqual([]);
  });
});

test.each([
  [
    'Bearer realm="https://a/t",service="s",scope="x:y:pull"',
    { kind: "bearer", realm: "https://a/t", service: "s", scope: "x:y:pull" },
  ],
  ["bearer realm=https://a/t", { kind: "bearer", realm: "https://a/t" }],
  ['Bearer realm="a\\"b"', { kind: "bearer", realm: 'a"b' }],
  ['BASIC realm="x"', { kind: "basic" }],
  [["Negotiate", 'Basic realm="x"'], { kind: "basic" }],
  ["Bearer", undefined],
  ["Digest realm=x", undefined],
  [undefined, undefined],
])("parses the challenge %j", (header, expected) => {
  expect(parseChallenge(header)).toEqual(expected);
});

describe("SBOMs attached in a registry", () => {
  const BOM = {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    components: [{ type: "library", name: "express", version: "4.18.2", purl: "pkg:npm/express@4.18.2" }],
  };
  const bom = () =>
    attestation(BOM, { mediaType: "application/vnd.cyclonedx+json", artifactType: "application/vnd.cyclonedx+json" });

  test.each<readonly [string, (image: string) => Partial<FakeContent>, string]>([
    ["the referrers API", (image) => ({ referrers: { [image]: indexOf([bom().manifest]) } }), "referrer"],
    [
      "the tag for referrers",
      (image) => ({ tags: { [image.replace(":", "-")]: indexOf([bom().manifest]) } }),
      "referrer",
    ],
    [
      "a tag of cosign",
      (image) => ({ tags: { [`${image.replace(":", "-")}.sbom`]: bom().manifest.digest } }),
      "cosign-tag",
    ],
  ])("are found by %s", async (_, content, origin) => {
    const image = await buildImage([BASE]);
    const { tags, ...more } = content(image.manifest.digest);
    const { host } = await registry({
      ...contentOf(image),
      ...more,
      parts: [image, bom()],
      tags: { "1.0": image.manifest.digest, ...tags },
    });
    const { inputs, coverage } = await read(`${host}/shop:1.0`);
    expect(inputs.map(({ document }) => document.format)).toEqual(["CycloneDX", "image"]);
    expect(coverage.evidence[0]).toEqual({ kind: "sbom", source: origin, components: 1 });
    expect(coverage.notRead).toEqual([]);
  });

  test("are assessed once when they are attached twice", async () => {
    const image = await buildImage([BASE]);
    const name = image.manifest.digest;
    const tags = { "1.0": name, [`${name.replace(":", "-")}.sbom`]: bom().manifest.digest };
    const { host } = await registry({ parts: [image, bom()], tags, referrers: { [name]: indexOf([bom().manifest]) } });
    expect(await outcome(read(`${host}/shop:1.0`))).toBe("2 documents");
  });

  test("that cannot be read are listed, and the image is assessed", async () => {
    const image = await buildImage([BASE]);
    const broken = { ...bom().manifest, digest: digest("{}") };
    const parts = [image, { blobs: new Map([[digest("{}"), new TextEncoder().encode("{}")]]) }];
    const { host } = await registry({
      ...contentOf(image),
      parts,
      referrers: { [image.manifest.digest]: indexOf([broken]) },
    });
    const { inputs, coverage } = await read(`${host}/shop:1.0`);
    expect(inputs).toHaveLength(1);
    expect(coverage.notRead.map(({ kind }) => kind)).toEqual(["attachment"]);
  });

  test("fail the run when the registry sends content with another digest", async () => {
    const image = await buildImage([BASE]);
    const { host } = await registry(
      { ...contentOf(image), parts: [image, bom()], referrers: { [image.manifest.digest]: indexOf([bom().manifest]) } },
      (request, response) => {
        if (request.url?.endsWith(bom().manifest.digest) !== true) return false;
        response.end("{}");
        return true;
      },
    );
    expect(await outcome(read(`${host}/shop:1.0`))).toBe("registry-untrusted 5");
  });
});
