/**
 * Creates the files of the container image (Dockerfile) in a folder: the program, its licences, its SBOM and the folder for data.
 * Run after the build: image-root.ts FOLDER [PROGRAM]
 */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { collect, executablePath, programSbom } from "./published-files.ts";

const [, , folder, program = executablePath()] = process.argv;
if (folder === undefined) throw new Error("no folder given");
const programs = join(folder, "usr/bin");
mkdirSync(programs, { recursive: true });
copyFileSync(program, join(programs, "eolgate"));
collect(join(folder, "usr/share/doc/eolgate"));
// A folder that scanners of images read, eolgate among them.
mkdirSync(join(folder, "usr/share/sbom"), { recursive: true });
writeFileSync(join(folder, "usr/share/sbom/eolgate.cdx.json"), programSbom());
mkdirSync(join(folder, "var/lib"), { recursive: true });
// Not recursive, because that would also restrict the parent folders.
mkdirSync(join(folder, "var/lib/eolgate"), { mode: 0o700 });
