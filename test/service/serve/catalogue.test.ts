/** The catalogue that a server publishes for other installations, signed with its own key. */
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openCatalogue } from "../../../src/catalogue/file.ts";
import { verifySignature } from "../../../src/catalogue/signature.ts";
import { openCatalogueService } from "../../../src/service/serve/catalogue.ts";
import { fakeIo, invocation } from "../../cli/fake-io.ts";

const cwd = mkdtempSync(join(tmpdir(), "eolgate-signed-"));
afterAll(() => rmSync(cwd, { recursive: true }));

test("serve --sign-key signs the published catalogue, and leaves it as it is without the flag", async () => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  writeFileSync(join(cwd, "key.pem"), privateKey.export({ type: "pkcs8", format: "pem" }));
  const { io } = fakeIo({ cwd, env: { EOLGATE_CACHE: cwd } });
  const trust = { keys: [publicKey], allowUnsigned: false };
  const published = async (flags: object) => {
    const { first } = await openCatalogueService(invocation("serve", io, { ...flags }));
    const { head } = openCatalogue(Buffer.from(first.bytes()), "served");
    return head;
  };
  const signed = await published({ signKey: "key.pem" });
  expect(() => verifySignature(signed, trust, "served")).not.toThrow();
  const plain = await published({});
  expect(plain.digest).toBe(signed.digest);
  expect(() => verifySignature(plain, trust, "served")).toThrow();
});
