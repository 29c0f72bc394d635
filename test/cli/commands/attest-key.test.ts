/** Signed statements: Sigstore's own verifier accepts them, and refuses each that was changed or signed by another key. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Bundle, bundleFromJSON } from "@sigstore/bundle";
import { toSignedEntity, Verifier } from "@sigstore/verify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sealWith } from "../../../src/attest/sign.ts";
import { keyId } from "../../../src/catalogue/signature.ts";
import { REPORTERS } from "../../../src/report/reporters.ts";
import { runCommand } from "../fake-io.ts";

const cwd = mkdtempSync(join(tmpdir(), "eolgate-attest-"));
afterAll(() => rmSync(cwd, { recursive: true }));
const put = (name: string, content: unknown): void =>
  writeFileSync(join(cwd, name), typeof content === "string" ? content : JSON.stringify(content));
const read = (name: string): string => readFileSync(join(cwd, name), "utf8");

const DAY = "2026-11-21";
const eolgate = (argv: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runCommand(argv, { cwd, today: DAY, env });

const KEYS = {
  ed25519: generateKeyPairSync("ed25519"),
  p256: generateKeyPairSync("ec", { namedCurve: "P-256" }),
  other: generateKeyPairSync("ed25519"),
  p384: generateKeyPairSync("ec", { namedCurve: "P-384" }),
  rsa: generateKeyPairSync("rsa", { modulusLength: 2048 }),
} as const;
for (const [name, { publicKey, privateKey }] of Object.entries(KEYS)) {
  put(`${name}.key`, privateKey.export({ type: "pkcs8", format: "pem" }).toString());
  put(`${name}.pub`, publicKey.export({ type: "spki", format: "pem" }).toString());
}
const sbom = (version: string) => ({
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  components: [{ type: "platform", name: "nodejs", version, purl: `pkg:generic/node@${version}` }],
});
put("new.json", sbom("24.1.0"));
put("old.json", sbom("18.20.4"));

const REPORT = ["check", "new.json", "--as-of", DAY, "--report"];
const sign = (to: string, key: keyof typeof KEYS) =>
  eolgate([...REPORT, `in-toto=${to}`, "--attest-key", `${key}.key`]);

interface StoredBundle {
  readonly mediaType: string;
  readonly dsseEnvelope: {
    readonly payloadType: string;
    readonly payload: string;
    readonly signatures: readonly { readonly sig: string }[];
  };
  readonly verificationMaterial: { readonly publicKey: { readonly hint: string } };
}
const stored = (name: string): StoredBundle => JSON.parse(read(name));
const payloadOf = ({ dsseEnvelope }: StoredBundle): Buffer => Buffer.from(dsseEnvelope.payload, "base64");
const withPayload = (bundle: StoredBundle, payload: Uint8Array): StoredBundle => ({
  ...bundle,
  dsseEnvelope: { ...bundle.dsseEnvelope, payload: Buffer.from(payload).toString("base64") },
});

/** Verifies with Sigstore's verifier and this key. Throws its error. */
function verify(bundle: StoredBundle, publicKey: KeyObject): Bundle {
  const opened = bundleFromJSON(bundle);
  const verifier = new Verifier(
    {
      certificateAuthorities: [],
      timestampAuthorities: [],
      tlogs: [],
      ctlogs: [],
      publicKey: () => ({ publicKey, validFor: () => true }),
    },
    { tlogThreshold: 0, ctlogThreshold: 0, timestampThreshold: 0 },
  );
  verifier.verify(toSignedEntity(opened));
  return opened;
}

beforeAll(async () => {
  await sign("ed25519.json", "ed25519");
  await sign("p256.json", "p256");
});

describe.each(["ed25519", "p256"] as const)("a statement that a key of %s signed", (name) => {
  const bundle = () => stored(`${name}.json`);
  const { publicKey } = KEYS[name];

  test("is accepted, with the bytes of the statement without a signature as its payload", async () => {
    const { content } = verify(bundle(), publicKey);
    expect(content.$case).toBe("dsseEnvelope");
    const { out } = await eolgate(["check", "new.json", "--as-of", DAY, "--format", "in-toto"]);
    expect(payloadOf(bundle()).toString()).toBe(out);
    expect(JSON.parse(out).subject[0].digest.sha256).toBe(createHash("sha256").update(read("new.json")).digest("hex"));
    expect(bundle().dsseEnvelope.payloadType).toBe("application/vnd.in-toto+json");
    expect(bundle().verificationMaterial.publicKey.hint).toBe(keyId(publicKey));
  });

  test.each<readonly [string, (statement: Record<string, Record<string, unknown>>) => void]>([
    ["subject", (statement) => Object.assign(statement, { subject: [] })],
    ["verdict", ({ predicate }) => Object.assign(predicate ?? {}, { verdict: "warn" })],
    ["day", ({ predicate }) => Object.assign(predicate ?? {}, { validUntil: "2099-01-01" })],
  ])("is refused with another %s", (_, change) => {
    const statement = JSON.parse(payloadOf(bundle()).toString());
    change(statement);
    const changed = withPayload(bundle(), Buffer.from(JSON.stringify(statement, null, 2)));
    expect(() => verify(changed, publicKey)).toThrow("signature verification failed");
  });

  test("is refused after each changed byte of the statement and of the signature", () => {
    const payload = payloadOf(bundle());
    const flipped = (bytes: Buffer, at: number): Buffer =>
      Buffer.from(bytes.map((byte, index) => (index === at ? byte ^ 1 : byte)));
    for (let at = 0; at < payload.length; at += 13)
      expect(() => verify(withPayload(bundle(), flipped(payload, at)), publicKey)).toThrow();
    const [{ sig } = { sig: "" }] = bundle().dsseEnvelope.signatures;
    for (let at = 0; at < Buffer.from(sig, "base64").length; at++) {
      const signatures = [{ sig: flipped(Buffer.from(sig, "base64"), at).toString("base64") }];
      expect(() =>
        verify({ ...bundle(), dsseEnvelope: { ...bundle().dsseEnvelope, signatures } }, publicKey),
      ).toThrow();
    }
  });

  test("is refused with another type of the payload, key, algorithm and signature", () => {
    const { dsseEnvelope } = bundle();
    const other = [{ ...dsseEnvelope, payloadType: "text/plain" }];
    const signatures = [{ sig: randomBytes(64).toString("base64") }];
    for (const changed of [...other, { ...dsseEnvelope, signatures }])
      expect(() => verify({ ...bundle(), dsseEnvelope: changed }, publicKey)).toThrow("signature verification failed");
    for (const wrong of Object.values(KEYS).filter((pair) => pair.publicKey !== publicKey))
      expect(() => verify(bundle(), wrong.publicKey)).toThrow("signature verification failed");
  });
});

test("the same check with an Ed25519 key has the same bytes in each run", async () => {
  await sign("again.json", "ed25519");
  expect(read("again.json")).toBe(read("ed25519.json"));
});

describe("the key that signs", () => {
  test("is named by a variable, which has no effect without a statement", async () => {
    const env = { EOLGATE_ATTEST_KEY_FILE: "ed25519.key" };
    await eolgate([...REPORT, "in-toto=env.json"], env);
    expect(read("env.json")).toBe(read("ed25519.json"));
    expect((await eolgate(["check", "new.json", "--as-of", DAY], env)).exit).toBe(0);
  });

  test("is refused without a statement, and before any work", async () => {
    const { exit, err } = await eolgate(["check", "missing.json", "--attest-key", "ed25519.key"]);
    expect(err).toContain("--attest-key has no effect without a statement");
    expect(exit).toBe(2);
    const unread = await eolgate([...REPORT, "in-toto=x.json", "--attest-key", "missing.key"]);
    expect(unread).toMatchObject({ exit: 2, out: "" });
    expect(unread.err).toContain("the key file cannot be read");
  });

  test.each(["rsa.key", "p384.key", "ed25519.pub", "new.json"])("is not read from %s", async (file) => {
    const { exit, err } = await eolgate([...REPORT, "in-toto=x.json", "--attest-key", file]);
    expect(err).toContain("the file is not an Ed25519 or ECDSA P-256 private key");
    expect(exit).toBe(2);
  });

  test("is not overwritten by a report, and is in no output", async () => {
    const before = statSync(join(cwd, "ed25519.key")).mtimeMs;
    const { exit, err } = await sign("ed25519.key", "ed25519");
    expect(err).toContain("the output would overwrite the private key");
    expect(exit).toBe(2);
    expect(statSync(join(cwd, "ed25519.key")).mtimeMs).toBe(before);
    const [, secret = ""] = read("ed25519.key").split("\n");
    const json = await eolgate([...REPORT, "in-toto=x.json", "--attest-key", "ed25519.key", "--format", "json"]);
    for (const text of [read("ed25519.json"), json.out, json.err]) expect(text).not.toContain(secret);
  });

  test("signs the statement of each document of a run over many", async () => {
    const reports = ["--report", "in-toto=each/{document}.json", "--attest-key", "p256.key"];
    await eolgate(["check", "new.json", "old.json", "--as-of", DAY, "--jobs", "1", ...reports]);
    const verdicts = ["new", "old"].map((name) => {
      const bundle = stored(`each/${name}.json.json`);
      verify(bundle, KEYS.p256.publicKey);
      return JSON.parse(payloadOf(bundle).toString()).predicate.verdict;
    });
    expect(verdicts).toEqual(["pass", "fail"]);
  });
});

test("a signed statement is recognized as an earlier report, which a configuration file may replace", () => {
  const { recognize } = REPORTERS["in-toto"];
  expect(recognize.test(read("ed25519.json"))).toBe(true);
  const other = sealWith(KEYS.other.privateKey)(JSON.stringify({ _type: "https://in-toto.io/Statement/v1" }, null, 2));
  expect(recognize.test(other)).toBe(false);
});
