/**
 * The report of the public types: `npm run api:report` writes test/library/library.api.md, `npm run api:check` compares it. API
 * Extractor reads the declarations that the build emits, with the TypeScript version that it bundles, because the
 * compiler of this project has no JavaScript interface that it could use.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Extractor, ExtractorConfig, ExtractorLogLevel } from "@microsoft/api-extractor";

const root = fileURLToPath(new URL("..", import.meta.url));
const REPORT = "library.api.md";
const isCheck = process.argv.includes("--check");

/** A project outside of the repository, so that only the emitted declarations are read. */
function emitDeclarations(folder: string): void {
  const compiler = join(root, "node_modules/typescript/lib/tsc.js");
  execFileSync(
    process.execPath,
    [compiler, "-p", "tsconfig.build.json", "--emitDeclarationOnly", "--outDir", join(folder, "dist")],
    { cwd: root, stdio: "inherit" },
  );
  copyFileSync(join(root, "package.json"), join(folder, "package.json"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  const compilerOptions = {
    target: "es2023",
    lib: ["es2024"],
    module: "nodenext",
    moduleResolution: "nodenext",
    strict: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    types: ["node"],
  };
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, include: ["dist/index.d.ts"], exclude: [] }),
  );
}

/** @returns The report, with every type that an exported one refers to. */
function reportOf(folder: string): string {
  const config = ExtractorConfig.prepare({
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: join(folder, "dist/index.d.ts"),
      compiler: { tsconfigFilePath: join(folder, "tsconfig.json") },
      apiReport: {
        enabled: true,
        reportFolder: folder,
        reportTempFolder: join(folder, "temp"),
        reportFileName: REPORT,
        includeForgottenExports: true,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: "lf",
      messages: {
        extractorMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
        tsdocMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
      },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(folder, "package.json"),
  });
  const { succeeded } = Extractor.invoke(config, {
    localBuild: true,
    messageCallback: (message) => void (message.handled = true),
  });
  if (!succeeded) throw new Error("API Extractor could not read the declarations");
  return readFileSync(join(folder, REPORT), "utf8");
}

const folder = mkdtempSync(join(tmpdir(), "eolgate-api-"));
try {
  emitDeclarations(folder);
  const current = reportOf(folder);
  const file = join(root, "test/library", REPORT);
  if (!isCheck) writeFileSync(file, current);
  else if (readFileSync(file, "utf8") !== current) {
    process.stderr.write("test/library/library.api.md differs from the public types. Run: npm run api:report\n");
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
