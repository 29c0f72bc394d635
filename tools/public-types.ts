/**
 * Prepares the public types for API Extractor: the declarations that the compiler emits, in a project outside of the
 * repository. API Extractor uses its own TypeScript, because the compiler of this project has no JavaScript API. It is the
 * oldest version that the library supports (test/library/samples.test.ts).
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Extractor, ExtractorConfig, ExtractorLogLevel, type IConfigFile } from "@microsoft/api-extractor";
import { writeWireTypes } from "./wire-types.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Writes the project to `folder`, which must exist and be empty. */
export async function emitDeclarations(folder: string): Promise<void> {
  const compiler = join(root, "node_modules/typescript/lib/tsc.js");
  execFileSync(
    process.execPath,
    [compiler, "-p", "tsconfig.build.json", "--emitDeclarationOnly", "--outDir", join(folder, "dist")],
    { cwd: root, stdio: "inherit" },
  );
  await writeWireTypes(join(folder, "dist/wire/schemas"));
  copyFileSync(join(root, "package.json"), join(folder, "package.json"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  const compilerOptions = {
    target: "es2022",
    lib: ["es2022"],
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

/** Runs API Extractor on the project in `folder`. @throws Error when it cannot read the declarations. */
export function extractTypes(folder: string, outputs: Pick<IConfigFile, "apiReport" | "dtsRollup">): void {
  const config = ExtractorConfig.prepare({
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: join(folder, "dist/index.d.ts"),
      compiler: { tsconfigFilePath: join(folder, "tsconfig.json") },
      docModel: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: "lf",
      messages: {
        extractorMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
        tsdocMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
      },
      ...outputs,
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(folder, "package.json"),
  });
  const { succeeded } = Extractor.invoke(config, {
    localBuild: true,
    messageCallback: (message) => void (message.handled = true),
  });
  if (!succeeded) throw new Error("API Extractor could not read the declarations");
}
