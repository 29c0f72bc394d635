/** `eolgate verify`: what holds, and each reason for a refusal with its own text and exit code. */
import { spawnSync } from "node:child_process";
import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BUNDLE_TYPE, sealWith, STATEMENT_PAYLOAD } from "../../../src/attest/sign.ts";
import { signedBytes } from "../../../src/catalogue/channel/envelope.ts";
import { runCommand } from "../fake-io.ts";

const cwd = mkdtempSync(join(tmpdir(), "eolgate-verify-"));
afterAll(() => rmSync(cwd, { recursive: true }));
const put = (name: string, content: unknown): string => {
  writeFileSync(join(cwd, name), typeof content === "string" ? content : JSON.stringify(content));
  return name;
};
const read = (name: string): string => readFileSync(join(cwd, name), "utf8");

const DAY = "2026-11-21";
const eolgate = (argv: readonly string[], more: { stdin?: string; env?: Readonly<Record<string, string>> } = {}) =>
  runCommand(argv, { cwd, today: DAY, ...more });

const KEYS = {
  ed25519: generateKeyPairSync("ed25519"),
  p256: generateKeyPairSync("ec", { namedCurve: "P-256" }),
  other: generateKeyPairSync("ed25519"),
  p384: generateKeyPairSync("ec", { namedCurve: "P-384" }),
  rsa: generateKeyPairSync("rsa", { modulusLength: 2048 }),
} as const;
const pem = (key: KeyObject, type: "pkcs8" | "spki"): string => key.export({ type, format: "pem" }).toString();
for (const [name, { publicKey, privateKey }] of Object.entries(KEYS)) {
  put(`${name}.key`, pem(privateKey, "pkcs8"));
  put(`${name}.pub`, pem(publicKey, "spki"));
}

const IMAGE = "a".repeat(64);
const sbom = (version: string, described = "1.0") => ({
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  metadata: { component: { type: "container", name: "shop", version: described } },
  components: [{ type: "platform", name: "nodejs", version, purl: `pkg:generic/node@${version}` }],
});
put("new.json", sbom("24.1.0", `sha256:${IMAGE}`));
put("old.json", sbom("18.20.4"));
put("unknown.json", { bomFormat: "CycloneDX", specVersion: "1.6", components: [{ type: "library", name: "zzz" }] });

/** JSON of which a test changes a member. */
type Changeable = ReturnType<typeof JSON.parse>;
const bundle = (): Changeable => JSON.parse(read("ed25519.json"));
const statement = (): Changeable => JSON.parse(Buffer.from(bundle().dsseEnvelope.payload, "base64").toString());
const changed = (change: (value: Changeable) => void, of = bundle): string => {
  const value = of();
  change(value);
  return JSON.stringify(value);
};
/** A bundle around a changed statement that keeps the signature of the original. */
const forged = (change: (value: Changeable) => void): string =>
  changed((value) => (value.dsseEnvelope.payload = Buffer.from(changed(change, statement)).toString("base64")));
/** A bundle whose signature is valid. */
const signed = (change: (value: Changeable) => void): string =>
  sealWith(KEYS.ed25519.privateKey)(changed(change, statement));
const signedBytesAs = (type: string, payload: Buffer): string => {
  const sig = sign(null, signedBytes(type, payload), KEYS.ed25519.privateKey).toString("base64");
  return JSON.stringify({ payloadType: type, payload: payload.toString("base64"), signatures: [{ sig }] });
};

beforeAll(async () => {
  for (const [document, key, to] of [
    ["new.json", "ed25519", "ed25519.json"],
    ["new.json", "p256", "p256.json"],
    ["old.json", "ed25519", "failed.json"],
    ["unknown.json", "ed25519", "none.json"],
  ] as const)
    await eolgate(["check", document, "--as-of", DAY, "--report", `in-toto=${to}`, "--attest-key", `${key}.key`]);
  const zero = ["--exit-zero", "--report", "in-toto=zero.json", "--attest-key", "ed25519.key"];
  await eolgate(["check", "old.json", "--as-of", DAY, ...zero]);
});

const verify = (file: string, ...more: readonly string[]) => eolgate(["verify", file, "--key", "ed25519.pub", ...more]);

describe("a verdict holds", () => {
  test.each(["ed25519", "p256"])("with its key of %s, and what was not checked is named", async (name) => {
    const { exit, out } = await eolgate(["verify", `${name}.json`, "--key", `${name}.pub`]);
    expect(exit).toBe(0);
    expect(out).toContain(
      `${name}.json: pass: the verdict holds on ${DAY}, and until ${statement().predicate.validUntil}`,
    );
    expect(out).toContain("not checked  the subject (name it with --subject)");
    expect(out).toContain(`the policy (sha256:${statement().predicate.policy.digest.sha256})`);
    expect(out).toContain("what became known after the catalogue of ");
  });

  test("about a file that is named, and the subject is not listed as not checked", async () => {
    const { exit, out } = await verify("ed25519.json", "--subject", "new.json");
    expect(exit).toBe(0);
    const digest = createHash("sha256").update(read("new.json")).digest("hex");
    expect(out).toContain(`subject      new.json, sha256:${digest}\n`);
    expect(out).not.toContain("the subject (name it");
  });

  test("about a digest that only the document states, which the answer repeats", async () => {
    const { exit, out } = await verify("ed25519.json", "--subject", `sha256:${IMAGE.toUpperCase()}`);
    expect(exit).toBe(0);
    expect(out).toContain("(only new.json states that it describes this)");
  });

  test("on its first and last day", async () => {
    const { asOf, validUntil } = statement().predicate;
    for (const day of [asOf, validUntil]) expect((await verify("ed25519.json", "--as-of", day)).exit).toBe(0);
  });

  test("with one of several keys, from standard input, and as a plain DSSE envelope of several signatures", async () => {
    expect((await verify("ed25519.json", "--key", "other.pub")).exit).toBe(0);
    const { dsseEnvelope } = bundle();
    const signatures = [{ keyid: "x", sig: "AAAA" }, ...dsseEnvelope.signatures];
    const stdin = JSON.stringify({ ...dsseEnvelope, signatures });
    const { exit, out } = await eolgate(["verify", "-", "--key", "ed25519.pub"], { stdin });
    expect(exit).toBe(0);
    expect(out).toContain("<stdin>: pass");
  });

  test("with the earlier statement type, which cosign writes, and members that are added later", async () => {
    put(
      "cosign.json",
      signed((value) => {
        value._type = "https://in-toto.io/Statement/v0.1";
        value.predicate.later = true;
      }),
    );
    expect((await verify("cosign.json")).exit).toBe(0);
  });

  test("without the entries of a transparency log and the timestamps, which the answer names", async () => {
    const entry = {
      logIndex: "1",
      logId: { keyId: "AAAA" },
      kindVersion: { kind: "dsse", version: "0.0.1" },
      integratedTime: "1",
      inclusionPromise: { signedEntryTimestamp: "AAAA" },
      inclusionProof: { logIndex: "1", rootHash: "AAAA", treeSize: "1", hashes: [], checkpoint: { envelope: "x" } },
      canonicalizedBody: "AAAA",
    };
    put(
      "logged.json",
      changed((value) => {
        value.verificationMaterial.tlogEntries = [entry];
        value.verificationMaterial.timestampVerificationData = { rfc3161Timestamps: [{ signedTimestamp: "AAAA" }] };
      }),
    );
    const { exit, out } = await verify("logged.json");
    expect(exit).toBe(0);
    expect(out).toContain("the entries in transparency logs");
    expect(out).toContain("the timestamps of the signature");
  });

  test("as JSON with every fact of the answer", async () => {
    const { out } = await verify("ed25519.json", "--format", "json", "--subject", "new.json");
    const { predicate } = statement();
    expect(JSON.parse(out)).toMatchObject({
      file: "ed25519.json",
      state: "holds",
      day: DAY,
      verdict: "pass",
      exitCode: 0,
      asOf: predicate.asOf,
      validUntil: predicate.validUntil,
      key: { algorithm: "Ed25519" },
      subject: { name: "new.json" },
      notChecked: [expect.stringContaining("the policy"), expect.stringContaining("the catalogue of")],
    });
  });
});

const nextDay = (day: string): string => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);

/** Exit code 1: the signature and the subject are right, and the verdict does not hold. */
test.each<readonly [string, () => string, () => readonly string[], string, string]>([
  ["a failure", () => "failed.json", () => [], "failed", "fail: the check of 2026-11-21 failed"],
  ["a failure with --exit-zero", () => "zero.json", () => [], "failed", "fail: the check of 2026-11-21 failed"],
  ["no verdict", () => "none.json", () => [], "no-verdict", "no verdict: the check of 2026-11-21 exited with code 6"],
  [
    "another exit code",
    () =>
      put(
        "exit.json",
        signed(({ predicate }) => (predicate.exit.code = 5)),
      ),
    () => [],
    "no-verdict",
    "no verdict: the check of 2026-11-21 exited with code 5",
  ],
  [
    "a day after the last one",
    () => "ed25519.json",
    () => ["--as-of", nextDay(statement().predicate.validUntil)],
    "expired",
    "expired: the verdict (pass) was valid until",
  ],
  [
    "a day before the check",
    () => "ed25519.json",
    () => ["--as-of", "2026-11-20"],
    "not-yet",
    "not valid: the check is of 2026-11-21, which is after 2026-11-20",
  ],
  [
    "a statement of tomorrow",
    () =>
      put(
        "tomorrow.json",
        signed(({ predicate }) => (predicate.asOf = "2026-11-22")),
      ),
    () => [],
    "not-yet",
    "not valid: the check is of 2026-11-22, which is after 2026-11-21",
  ],
  [
    "an expired statement today",
    () =>
      put(
        "expired.json",
        signed(({ predicate }) => Object.assign(predicate, { asOf: "2025-01-01", validUntil: "2025-02-01" })),
      ),
    () => [],
    "expired",
    "was valid until 2025-02-01, before 2026-11-21",
  ],
])("exits with 1 for %s", async (_, file, more, state, text) => {
  const name = file();
  const { exit, out, err } = await verify(name, ...more());
  expect(out).toContain(text);
  expect(out).not.toContain("holds");
  expect({ exit, err }).toEqual({ exit: 1, err: "" });
  const json = await verify(name, ...more(), "--format", "json");
  expect(JSON.parse(json.out)).toMatchObject({ state });
});

const SIGNATURE = "the signature does not match: the statement or the signature was changed";
const flip = (text: string): string => `${text.startsWith("A") ? "B" : "A"}${text.slice(1)}`;
const certificate = { rawBytes: Buffer.from("certificate").toString("base64") };

/** Exit code 3, nothing on standard output. */
test.each<readonly [string, () => string, string]>([
  [
    "a changed subject",
    () => forged((value) => (value.subject = [{ name: "x", digest: { sha256: "b".repeat(64) } }])),
    SIGNATURE,
  ],
  ["a changed verdict", () => forged(({ predicate }) => (predicate.verdict = "warn")), SIGNATURE],
  ["a changed exit code", () => forged(({ predicate }) => (predicate.exit.code = 1)), SIGNATURE],
  ["a changed last day", () => forged(({ predicate }) => (predicate.validUntil = "2099-01-01")), SIGNATURE],
  ["a changed day of the check", () => forged(({ predicate }) => (predicate.asOf = "2020-01-01")), SIGNATURE],
  [
    "a changed policy",
    () => forged(({ predicate }) => (predicate.policy.digest = { sha256: "c".repeat(64) })),
    SIGNATURE,
  ],
  [
    "a changed type of the predicate",
    () => forged((value) => (value.predicateType = "https://example.org/v1")),
    SIGNATURE,
  ],
  [
    "a changed type of the payload",
    () => changed(({ dsseEnvelope }) => (dsseEnvelope.payloadType = "text/plain")),
    SIGNATURE,
  ],
  [
    "a changed signature",
    () => changed(({ dsseEnvelope: { signatures } }) => (signatures[0].sig = flip(signatures[0].sig))),
    SIGNATURE,
  ],
  [
    "a shortened signature",
    () => changed(({ dsseEnvelope: { signatures } }) => (signatures[0].sig = signatures[0].sig.slice(0, 40))),
    SIGNATURE,
  ],
  [
    "the signature of another algorithm",
    () =>
      changed(({ dsseEnvelope }) => (dsseEnvelope.signatures = JSON.parse(read("p256.json")).dsseEnvelope.signatures)),
    SIGNATURE,
  ],
  [
    "another key of the same algorithm",
    () => sealWith(KEYS.other.privateKey)(JSON.stringify(statement())),
    "the statement is not signed with the key",
  ],
  ["a key of another algorithm", () => read("p256.json"), "the statement is not signed with the key"],
  [
    "a forged hint at the key",
    () =>
      changed(
        ({ verificationMaterial: { publicKey } }) => (publicKey.hint = bundle().verificationMaterial.publicKey.hint),
        () => JSON.parse(sealWith(KEYS.other.privateKey)("{}")),
      ),
    SIGNATURE,
  ],
  [
    "an envelope without signatures",
    () => JSON.stringify({ ...bundle().dsseEnvelope, signatures: [] }),
    "the statement is not signed with the key",
  ],
  [
    "a bundle without signatures",
    () => changed(({ dsseEnvelope }) => (dsseEnvelope.signatures = [])),
    "the bundle is damaged",
  ],
  [
    "two signatures in a bundle",
    () => changed(({ dsseEnvelope }) => dsseEnvelope.signatures.push({ sig: "AAAA" })),
    "the bundle is damaged",
  ],
  ["an empty payload", () => changed(({ dsseEnvelope }) => (dsseEnvelope.payload = "")), "the bundle is damaged"],
  ["a bundle without a key", () => changed((value) => delete value.verificationMaterial), "the bundle is damaged"],
  [
    "a bundle of an unknown type",
    () => changed((value) => (value.mediaType = "application/json")),
    "the bundle is damaged",
  ],
  [
    "a certificate",
    () => changed((value) => (value.verificationMaterial = { certificate })),
    "it is signed with a certificate, which is not verified here",
  ],
  [
    "a bundle of a file",
    () =>
      changed((value) => {
        delete value.dsseEnvelope;
        value.messageSignature = { messageDigest: { algorithm: "SHA2_256", digest: "AAAA" }, signature: "AAAA" };
      }),
    "the bundle signs a file and not a statement",
  ],
  ["a statement without a signature", () => JSON.stringify(statement()), "the statement is not signed"],
  ["an SBOM", () => read("new.json"), "it is neither a Sigstore bundle nor a DSSE envelope"],
  ["a list", () => "[]", "it is not a JSON object"],
  ["half a file", () => read("ed25519.json").slice(0, 900), "it is not JSON, or it is incomplete"],
  ["an empty file", () => "", "it is not JSON, or it is incomplete"],
  [
    "a signed text of another type",
    () => signedBytesAs("text/plain", Buffer.from("x")),
    'it signs "text/plain" and not an in-toto statement',
  ],
  [
    "signed bytes that are no statement",
    () => signedBytesAs(STATEMENT_PAYLOAD, Buffer.from("x")),
    "it signs no in-toto statement",
  ],
  [
    "a signed statement of an unknown version",
    () => signed((value) => (value._type = "https://in-toto.io/Statement/v9")),
    "it signs no in-toto statement",
  ],
  [
    "a signed statement of another tool",
    () => signed((value) => (value.predicateType = "https://slsa.dev/provenance/v1")),
    "the statement is not a verdict of eolgate: https://slsa.dev/provenance/v1",
  ],
  [
    "a signed verdict without a day",
    () => signed(({ predicate }) => delete predicate.validUntil),
    "the verdict is incomplete: /predicate",
  ],
  [
    "a signed verdict with an impossible day",
    () => signed(({ predicate }) => (predicate.validUntil = "2027-02-30")),
    "the verdict is incomplete: its days are not valid",
  ],
  [
    "a signed verdict that ends before its check",
    () => signed(({ predicate }) => (predicate.validUntil = "2020-01-01")),
    "the verdict is incomplete: its days are not valid",
  ],
  [
    "a signed verdict of an unknown kind",
    () => signed(({ predicate }) => (predicate.verdict = "fine")),
    "the verdict is incomplete",
  ],
  [
    "a signed verdict without a subject",
    () => signed((value) => (value.subject = [])),
    "the verdict is incomplete: /subject",
  ],
])("exits with 3 for %s", async (_, make, text) => {
  const { exit, out, err } = await verify(put("case.json", make()));
  expect(err).toContain(text);
  expect({ exit, out }).toEqual({ exit: 3, out: "" });
});

describe("the subject", () => {
  test.each(["old.json", `sha256:${"b".repeat(64)}`, `sha512:${IMAGE}`, `gitCommit:${"a".repeat(40)}`])(
    "%s is not that of the statement",
    async (subject) => {
      const { exit, out, err } = await verify("ed25519.json", "--subject", subject);
      expect(err).toContain("the statement is not about ");
      expect(err).toContain("It is about new.json sha256:");
      expect({ exit, out }).toEqual({ exit: 3, out: "" });
    },
  );

  test("is compared before the verdict, so that a verdict about something else is not reported", async () => {
    const { exit, out } = await verify("failed.json", "--subject", "new.json");
    expect({ exit, out }).toEqual({ exit: 3, out: "" });
  });

  test.each<readonly [readonly string[], string]>([
    [["--subject", ""], "the subject is empty"],
    [["--as-of", ""], "is not a date"],
    [["--as-of", "2026-02-30"], "is not a date"],
  ])("and the day are refused if they are empty or invalid: %s", async (more, text) => {
    const { exit, err } = await verify("ed25519.json", ...more);
    expect(err).toContain(text);
    expect(exit).toBe(2);
  });
});

describe("the key", () => {
  test.each<readonly [string, string]>([
    ["rsa.pub", "the file is not an Ed25519 or ECDSA P-256 public key"],
    ["p384.pub", "the file is not an Ed25519 or ECDSA P-256 public key"],
    ["ed25519.key", "the file is not an Ed25519 or ECDSA P-256 public key"],
    ["new.json", "the file is not an Ed25519 or ECDSA P-256 public key"],
    ["missing.pub", "the key file cannot be read"],
  ])("is not read from %s", async (file, text) => {
    const { exit, out, err } = await eolgate(["verify", "ed25519.json", "--key", file]);
    expect(err).toContain(text);
    expect({ exit, out }).toEqual({ exit: 2, out: "" });
  });

  test("is required", async () => {
    const { exit, err } = await eolgate(["verify", "ed25519.json"]);
    expect(err).toContain("no public key is named");
    expect(exit).toBe(2);
  });
});

test("text of a statement reaches a terminal escaped", async () => {
  put(
    "hostile.json",
    signed((value) => (value.predicateType = "\u001b[31mred")),
  );
  expect((await verify("hostile.json")).err).not.toContain("\u001b");
  put(
    "hostile.json",
    signed(({ predicate }) => (predicate.catalogue.date = "\u001b[31m")),
  );
  expect((await verify("hostile.json")).out).not.toContain("\u001b");
});

describe("the built command", () => {
  const root = fileURLToPath(new URL("../../..", import.meta.url));
  /** The scripts of the bundle that a run loads, by what their text contains. */
  const loads = (marker: string, argv: readonly string[]): boolean => {
    const folder = mkdtempSync(join(cwd, "coverage-"));
    const env = { ...process.env, NODE_V8_COVERAGE: folder, EOLGATE_CACHE: folder };
    spawnSync(process.execPath, [join(root, "bin/eolgate.js"), ...argv], { cwd, env });
    const urls = readdirSync(folder)
      .filter((name) => name.startsWith("coverage-"))
      .flatMap((name): { url: string }[] => JSON.parse(readFileSync(join(folder, name), "utf8")).result);
    const scripts = urls.flatMap(({ url }) => /dist[\\/]command[\\/]([\w.-]+\.cjs)$/.exec(url)?.[1] ?? []);
    expect(scripts.length).toBeGreaterThan(0);
    return scripts.some((name) => readFileSync(join(root, "dist/command", name), "utf8").includes(marker));
  };

  test("loads the verifier for verify, and neither it nor the signing for a check", () => {
    expect(loads("tlogThreshold", ["verify", "ed25519.json", "--key", "ed25519.pub"])).toBe(true);
    expect(loads("tlogThreshold", ["check", "new.json"])).toBe(false);
    expect(loads(BUNDLE_TYPE, ["check", "new.json"])).toBe(false);
    const report = ["--report", "in-toto=built.json", "--attest-key", "ed25519.key"];
    expect(loads(BUNDLE_TYPE, ["check", "new.json", ...report])).toBe(true);
  });
});
