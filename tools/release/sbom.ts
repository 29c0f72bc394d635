/**
 * Writes the SBOM of the npm package: what npm installs with it, and the packages that its bundles contain.
 * `npm sbom` in the clone would list a part only, because it takes a package that development also needs for one of
 * development. So the dependencies are installed in a folder of their own.
 * Run: node tools/release/sbom.ts TARBALL FILE
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { objectOf, readObject } from "../json.ts";

interface Component {
  readonly "bom-ref": string;
  readonly purl: string;
}
interface Dependency {
  readonly ref: string;
  readonly dependsOn?: readonly string[];
}
/** The parts of a CycloneDX document that are read or changed here. */
export interface Sbom {
  readonly metadata?: { readonly component: Component };
  readonly components?: readonly Component[];
  readonly dependencies?: readonly Dependency[];
}

/** What only these members say about a package, for development, is not part of an installation. */
const DEVELOPMENT = new Set(["devDependencies", "workspaces", "scripts", "overrides"]);

/** The lists of packages in a bundle (tools/bundle-records.ts), by their paths in the package. */
const BUNDLES = ["dist/command/bundle.cdx.json", "dist/library/bundle.cdx.json"];

/**
 * @param tarball what `npm pack` writes
 * @returns a CycloneDX document whose root is the package. Throws if npm cannot resolve a dependency.
 */
export function sbomOfPackage(tarball: string): Sbom {
  const scratch = mkdtempSync(join(tmpdir(), "eolgate-sbom-"));
  try {
    // npm takes the name of the root from its folder.
    const folder = join(scratch, "eolgate");
    mkdirSync(folder);
    run("tar", ["-xzf", resolve(tarball), "-C", folder, "--strip-components=1"], scratch);
    const file = join(folder, "package.json");
    writeFileSync(file, JSON.stringify(withoutDevelopment(readObject(file))));
    run("npm", ["install", "--ignore-scripts", "--omit=dev", "--omit=peer", "--no-audit", "--no-fund"], folder);
    const text = run(
      "npm",
      ["sbom", "--omit", "dev", "--omit", "peer", "--sbom-format", "cyclonedx", "--sbom-type", "application"],
      folder,
    );
    return withBundled(
      objectOf(JSON.parse(text)),
      BUNDLES.map((path) => readObject(join(folder, path))),
    );
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Adds the packages of the bundles that npm does not install, as dependencies of the root. */
export function withBundled(installed: Sbom, bundles: readonly Sbom[]): Sbom {
  const { components = [], dependencies = [] } = installed;
  const known = new Set(components.map(({ purl }) => purl));
  const added = new Map<string, Component>();
  for (const component of bundles.flatMap((bundle) => bundle.components ?? []))
    if (!known.has(component.purl)) added.set(component.purl, component);
  const root = installed.metadata?.component["bom-ref"];
  const references = [...added.values()].map((component) => component["bom-ref"]);
  return {
    ...installed,
    components: [...components, ...added.values()],
    dependencies: [
      ...dependencies.map((each) =>
        each.ref === root ? { ...each, dependsOn: [...(each.dependsOn ?? []), ...references] } : each,
      ),
      ...references.map((ref) => ({ ref, dependsOn: [] })),
    ],
  };
}

const withoutDevelopment = (manifest: object): object =>
  Object.fromEntries(Object.entries(manifest).filter(([name]) => !DEVELOPMENT.has(name)));

function run(program: string, parameters: readonly string[], cwd: string): string {
  const shell = process.platform === "win32" && program === "npm";
  const { status, stdout, stderr, error } = spawnSync(program, parameters, { cwd, encoding: "utf8", shell });
  if (status !== 0) throw new Error(`${program} ${parameters.join(" ")}: ${error?.message ?? stderr}`);
  return stdout;
}

if (process.argv[1] === import.meta.filename) {
  const [, , tarball, file] = process.argv;
  if (tarball === undefined || file === undefined) throw new Error("no tarball or no file given");
  const sbom = sbomOfPackage(tarball);
  writeFileSync(file, `${JSON.stringify(sbom, null, 1)}\n`);
  process.stdout.write(`${file}: ${sbom.components?.length ?? 0} packages\n`);
}
