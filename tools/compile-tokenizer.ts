/**
 * Compiles the tokenizer to WebAssembly and writes it as a TypeScript module. npx downloads the compiler at a fixed
 * version, because it is large and needed only when the tokenizer changes.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const COMPILER = "assemblyscript@0.28.20";
const folder = fileURLToPath(new URL("../src/json-rows/", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "tokenizer-"));
try {
  const source = join(work, "tokenizer.ts");
  const digest = createHash("sha256");
  for (const name of ["tokenizer", "graph"]) {
    copyFileSync(join(folder, `${name}.as`), join(work, `${name}.ts`));
    digest.update(readFileSync(join(folder, `${name}.as`)));
  }
  const binary = join(work, "tokenizer.wasm");
  const flags = ["-O3", "--runtime", "stub", "--enable", "simd", "--importMemory", "--noAssert", "-o", binary];
  execFileSync("npx", ["--yes", "--package", COMPILER, "asc", source, ...flags], { stdio: "inherit" });
  const lines = readFileSync(binary, "base64").match(/.{1,112}/g) ?? [];
  const text = [
    "/** Generated from tokenizer.as by tools/compile-tokenizer.ts. Do not edit. */",
    "",
    "/** SHA-256 of the sources that were compiled, tokenizer.as and graph.as; a test compares it. */",
    `export const TOKENIZER_SOURCE =\n  "${digest.digest("hex")}";`,
    "",
    "/** The WebAssembly module in Base64. */",
    `export const TOKENIZER_BINARY = [\n${lines.map((line) => `  "${line}",`).join("\n")}\n].join("");`,
    "",
  ].join("\n");
  writeFileSync(join(folder, "tokenizer-binary.ts"), text);
} finally {
  rmSync(work, { recursive: true });
}
