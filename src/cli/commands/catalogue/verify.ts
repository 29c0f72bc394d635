/** `eolgate catalogue verify [FILE]`: whether the file is undamaged, and who signed it. */
import { openCatalogue } from "../../../catalogue/file.ts";
import { verifySignature } from "../../../catalogue/signature.ts";
import { answer, currentCatalogueFile, namedFile, trustOf } from "../../current-catalogue.ts";
import type { Invocation } from "../../command.ts";
import { flagValues } from "../../value-origins.ts";

export async function run(invocation: Invocation): Promise<number> {
  const values = flagValues(invocation);
  const [path] = invocation.args;
  const trust = await trustOf(invocation, values);
  const file = await (path === undefined ? currentCatalogueFile(invocation, values) : namedFile(invocation, path));
  const { head } = openCatalogue(file.bytes, file.origin);
  const isChecked = trust.keys.length > 0;
  if (isChecked) verifySignature(head, trust, file.origin);
  const facts = { origin: file.origin, digest: head.digest, signature: isChecked ? "ok" : "not checked" };
  return answer(invocation, values, facts, () => `${file.origin}: ${head.digest} ok, signature ${facts.signature}\n`);
}
