/** `manifest.json` of a static export: version, catalogue and day, and the digest, size and type of each file. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Type, type Static } from "typebox";
import { Value } from "typebox/value";
import { EolgateError } from "../../messages/error.ts";
import { errorCode } from "../../platform/write-error.ts";
import { safeFile } from "./entries.ts";

export const MANIFEST = "manifest.json";

const fileSchema = Type.Object({ sha256: Type.String(), bytes: Type.Integer({ minimum: 0 }), type: Type.String() });
const manifestSchema = Type.Object({
  generator: Type.Literal("eolgate site export"),
  version: Type.String(),
  public_url: Type.String(),
  as_of: Type.String(),
  catalogue: Type.Object({ date: Type.String(), digest: Type.String() }),
  files: Type.Record(Type.String(), fileSchema),
});

export type ManifestFile = Static<typeof fileSchema>;
export type Manifest = Static<typeof manifestSchema>;

/**
 * The manifest of the previous export; for a new folder, one without files.
 * @throws EolgateError `foreign-manifest` if the file is not a manifest of eolgate; nothing is written or removed then
 */
export async function readManifest(folder: string): Promise<Pick<Manifest, "files">> {
  const path = join(folder, MANIFEST);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return { files: {} };
    throw foreign(path, error);
  }
  try {
    const manifest: unknown = JSON.parse(text);
    Value.Assert(manifestSchema, manifest);
    for (const file of Object.keys(manifest.files)) safeFile(file);
    return manifest;
  } catch (error) {
    throw foreign(path, error);
  }
}

const foreign = (path: string, cause: unknown): EolgateError =>
  EolgateError.of("foreign-manifest", {}, { where: path, cause });
