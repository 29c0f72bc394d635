/** `--image-key`: SBOMs that are attached to images, in layouts, archives and registries, with and without signatures. */
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { sealWith, STATEMENT_PAYLOAD } from "../../../src/attest/sign.ts";
import { signedBytes } from "../../../src/catalogue/channel/envelope.ts";
import { keyId } from "../../../src/catalogue/signature.ts";
import {
  attestation,
  BASE,
  buildImage,
  indexOf,
  layoutFiles,
  savedFiles,
  tarOf,
  writeFiles,
} from "../../images/build.ts";
import { contentOf, type FakeRegistry, startRegistry } from "../../images/fake-registry.ts";
import { hasRegistry, type RealRegistry, startRealRegistry } from "../../images/real-registry.ts";
import { runCommand } from "../fake-io.ts";

const catalogue = fileURLToPath(new URL("../../fixtures/catalogue.json", import.meta.url));
const cwd = mkdtempSync(join(tmpdir(), "eolgate-image-key-"));
afterAll(() => rmSync(cwd, { recursive: true }));
const running: (FakeRegistry | RealRegistry)[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((registry) => registry.close()));
});

const KEYS = {
  p256: generateKeyPairSync("ec", { namedCurve: "P-256" }),
  ed25519: generateKeyPairSync("ed25519"),
  other: generateKeyPairSync("ed25519"),
} as const;
for (const [name, { publicKey }] of Object.entries(KEYS))
  writeFileSync(join(cwd, `${name}.pub`), publicKey.export({ type: "spki", format: "pem" }));
const ids = { p256: keyId(KEYS.p256.publicKey), ed25519: keyId(KEYS.ed25519.publicKey) } as const;

const BOM = {
  bomFormat: "CycloneDX",
  specVersion: "1.5",
  components: [{ type: "platform", name: "nodejs", version: "16.20.0", purl: "pkg:generic/node@16.20.0" }],
};
const statement = (image: string, predicate: unknown = BOM): string =>
  JSON.stringify({
    _type: "https://in-toto.io/Statement/v0.1",
    predicateType: "https://cyclonedx.org/bom",
    subject: [{ name: "shop", digest: { sha256: image.slice(7) } }],
    predicate,
  });

/** As `cosign attest --key` writes it: the signature has an empty key id. */
function cosigned(text: string, key: KeyObject, payloadType = STATEMENT_PAYLOAD) {
  const payload = Buffer.from(text);
  const algorithm = createPublicKey(key).asymmetricKeyType === "ed25519" ? null : "sha256";
  const sig = sign(algorithm, signedBytes(payloadType, payload), key).toString("base64");
  return { payloadType, payload: payload.toString("base64"), signatures: [{ keyid: "", sig }] };
}

const image = await buildImage([BASE]);
const { digest } = image.manifest;
const attached = (content: unknown) => attestation(content, { mediaType: "application/vnd.dsse.envelope.v1+json" });

function layout(content: unknown) {
  const part = attached(content);
  const annotations = {
    "vnd.docker.reference.type": "attestation-manifest",
    "vnd.docker.reference.digest": digest,
  };
  return layoutFiles(indexOf([image.manifest, { ...part.manifest, annotations }]), [image, part]);
}
function written(content: unknown): string {
  const name = createHash("sha256").update(JSON.stringify(content)).digest("hex").slice(0, 12);
  writeFiles(join(cwd, name), layout(content));
  return `oci:${name}`;
}

async function check(name: string, ...flags: readonly string[]) {
  const argv = ["check", "--image", name, "--catalogue", catalogue, "--as-of", "2026-08-22", "--format", "json"];
  const env = { DOCKER_CONFIG: cwd };
  const { exit, out, err } = await runCommand([...argv, "--report", "markdown=report.md", ...flags], { cwd, env });
  const { images = [] } = out === "" ? {} : JSON.parse(out);
  const [found] = images;
  return {
    exit,
    err,
    sboms: found?.evidence.filter(({ kind }: { kind: string }) => kind === "sbom"),
    gaps: found?.not_read.map(({ detail }: { detail: string }) => detail),
  };
}
const KEY = ["--image-key", "p256.pub"] as const;

describe("with the key", () => {
  test.each<readonly [string, unknown, keyof typeof ids]>([
    ["an envelope of cosign", cosigned(statement(digest), KEYS.p256.privateKey), "p256"],
    ["an envelope of an Ed25519 key", cosigned(statement(digest), KEYS.ed25519.privateKey), "ed25519"],
    ["a Sigstore bundle", JSON.parse(sealWith(KEYS.p256.privateKey)(statement(digest))), "p256"],
  ])("%s is read, and the report names the key", async (_, content, name) => {
    const found = await check(written(content), "--image-key", `${name}.pub`, "--image-key", "other.pub");
    expect(found).toEqual({
      exit: 1,
      err: "",
      sboms: [{ kind: "sbom", source: "index", components: 1, signed_by: ids[name] }],
      gaps: [],
    });
  });

  const forged = cosigned(statement(digest), KEYS.p256.privateKey);
  const payload = Buffer.from(statement(digest, { ...BOM, components: [] })).toString("base64");
  test.each<readonly [string, unknown, string]>([
    ["a changed SBOM", { ...forged, payload }, "the statement is not signed with the key"],
    [
      "another type of the payload",
      { ...forged, payloadType: "text/plain" },
      "the statement is not signed with the key",
    ],
    ["no signature", { ...forged, signatures: [] }, "the statement is not signed with the key"],
    ["another key", cosigned(statement(digest), KEYS.other.privateKey), "the statement is not signed with the key"],
    [
      "another algorithm",
      cosigned(statement(digest), KEYS.ed25519.privateKey),
      "the statement is not signed with the key",
    ],
    ["a statement without an envelope", JSON.parse(statement(digest)), "the statement is not signed"],
    ["a document without a statement", BOM, "it is neither a Sigstore bundle nor a DSSE envelope"],
    [
      "a signed statement of another type",
      cosigned(statement(digest), KEYS.p256.privateKey, "text/plain"),
      "it signs no in-toto statement",
    ],
  ])("%s is not read, and is listed with the reason", async (what, content, reason) => {
    const { exit, sboms, gaps } = await check(written(content), ...KEY);
    expect(sboms).toEqual([]);
    expect(gaps).toEqual([expect.stringContaining(reason)]);
    expect(exit).not.toBe(1);
    expect((await check(written(content))).sboms).toEqual([
      { kind: "sbom", source: "index", components: 1 - Number(what === "a changed SBOM") },
    ]);
  });

  test("a signed SBOM of another image is foreign as before", async () => {
    const content = cosigned(statement(`sha256:${"b".repeat(64)}`), KEYS.p256.privateKey);
    const { sboms, gaps } = await check(written(content), ...KEY);
    expect({ sboms, gaps }).toEqual({ sboms: [], gaps: [expect.stringMatching(/^sha256:/)] });
  });

  test("an archive of docker save is read", async () => {
    const files = { ...layout(cosigned(statement(digest), KEYS.p256.privateKey)), ...savedFiles(image) };
    writeFileSync(join(cwd, "image.tar"), await tarOf(files));
    expect((await check("docker-archive:image.tar", ...KEY)).sboms).toMatchObject([{ signed_by: ids.p256 }]);
  });
});

describe("in a registry", () => {
  const tag = `${digest.replace(":", "-")}.att`;
  test.each<readonly [string, unknown, readonly unknown[]]>([
    [
      "signed with the key",
      cosigned(statement(digest), KEYS.p256.privateKey),
      [{ source: "cosign-tag", signed_by: ids.p256 }],
    ],
    ["signed with another key", cosigned(statement(digest), KEYS.other.privateKey), []],
  ])("an SBOM under a tag of cosign, %s", async (_, content, sboms) => {
    const part = attached(content);
    const served = contentOf(image);
    const tags = { ...served.tags, [tag]: part.manifest.digest };
    const registry = await startRegistry({ parts: [...served.parts, part], tags });
    running.push(registry);
    const found = await check(`${registry.host}/shop:1.0`, ...KEY);
    expect(found.sboms).toMatchObject(sboms);
    expect(found.gaps).toHaveLength(1 - sboms.length);
  });

  test.skipIf(!hasRegistry)("Debian's docker-registry, to which skopeo pushed image and attestation", async () => {
    const registry = await startRealRegistry();
    running.push(registry);
    const part = attached(cosigned(statement(digest), KEYS.p256.privateKey));
    writeFiles(join(cwd, "pushed"), layoutFiles(indexOf([image.manifest]), [image]));
    writeFiles(join(cwd, "pushed.att"), layoutFiles(indexOf([part.manifest]), [part]));
    registry.push(`oci:${join(cwd, "pushed")}`, "shop:1.0");
    registry.push(`oci:${join(cwd, "pushed.att")}`, `shop:${tag}`);
    const found = await check(`${registry.host}/shop:1.0`, ...KEY);
    expect(found.sboms).toMatchObject([{ source: "cosign-tag", signed_by: ids.p256 }]);
    expect((await check(`${registry.host}/shop:1.0`)).sboms).toEqual([
      { kind: "sbom", source: "cosign-tag", components: 1 },
    ]);
  });
});

describe("the flag", () => {
  test("has no effect without an image, which is refused", async () => {
    writeFileSync(join(cwd, "bom.json"), JSON.stringify(BOM));
    const { exit, err } = await runCommand(["check", "bom.json", "--image-key", "p256.pub"], { cwd });
    expect(err).toContain("--image-key has no effect without an image");
    expect(exit).toBe(2);
  });

  test.each(["missing.pub", "bom.json", ""])("is refused with the file %j, which is no key", async (file) => {
    writeFileSync(join(cwd, "bom.json"), JSON.stringify(BOM));
    expect((await check(written(BOM), "--image-key", file)).exit).toBe(2);
  });
});
