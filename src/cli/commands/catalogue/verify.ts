/** `eolgate catalogue verify [FILE]`: whether the file is whole, and by whom it is signed. */
import { verifyCatalogue } from "../../../catalogue/accept.ts";
import { answer, currentCatalogueFile, configuredKey, namedFile } from "../../current-catalogue.ts";
import type { Invocation } from "../../commands.ts";
import { flagValues } from "../../value-origins.ts";

export async function run(invocation: Invocation): Promise<number> {
  const values = flagValues(invocation);
  const [path] = invocation.args;
  const key = await configuredKey(invocation, values);
  const file = await (path === undefined ? currentCatalogueFile(invocation, values) : namedFile(invocation, path));
  const digest = verifyCatalogue(file.bytes, file.origin, key);
  const facts = { origin: file.origin, digest, signature: key === undefined ? "not checked" : "ok" };
  return answer(invocation, values, facts, () => `${file.origin}: ${digest} ok, signature ${facts.signature}\n`);
}
