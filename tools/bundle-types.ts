/**
 * Third part of `npm run build`: writes the types of the library as one file in plain TypeScript.
 * Run: node tools/bundle-types.ts [FOLDER]
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { emitDeclarations, extractTypes } from "./public-types.ts";

const target = process.argv[2] ?? join(import.meta.dirname, "../dist/types");
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), "eolgate-types-"));
try {
  await emitDeclarations(folder);
  extractTypes(folder, {
    apiReport: { enabled: false },
    dtsRollup: { enabled: true, untrimmedFilePath: join(target, "index.d.ts") },
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
