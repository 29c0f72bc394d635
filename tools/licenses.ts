/**
 * Fails if an installed package has a licence that this project may not use, or none. Reads package-lock.json, so it
 * needs no network.
 * Run: npm run licenses
 */
import parse from "spdx-expression-parse";
import lockfile from "../package-lock.json" with { type: "json" };

type Expression = ReturnType<typeof parse>;

/** Licences of packages that users receive. All of them are permissive. */
const RUNTIME = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
]);
/** Licences of packages that only developers and CI use. Nothing of them is published. */
const DEVELOPMENT = new Set([...RUNTIME, "CC-BY-4.0", "MPL-2.0", "Python-2.0", "Unlicense"]);

export interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly link?: boolean;
}

/** Packages with other licences, and the reason why each is accepted. */
const ACCEPTED: Readonly<Record<string, string>> = {
  // A list of identifiers. The notices in the package name its authors, as the licence requires.
  "spdx-exceptions": "CC-BY-3.0",
  // Word lists of the spelling check. Nothing of them is published.
  "@cspell/dict-django": "WTFPL",
  "@cspell/dict-en-common-misspellings": "CC BY-SA 4.0",
};

/**
 * Throws for packages of a bundle whose licence does not allow redistribution. Such packages are only development
 * dependencies in the lock file.
 */
export function refuseLicenses(
  packages: readonly { readonly name: string; readonly license: string | undefined }[],
): void {
  const refused = packages.filter(
    ({ name, license }) => license === undefined || !(license === ACCEPTED[name] || isAllowed(license, RUNTIME)),
  );
  if (refused.length === 0) return;
  throw new Error(
    `licences: ${refused.map(({ name, license }) => `${name} (${license ?? "none stated"})`).join(", ")}`,
  );
}

/** @returns one line for each package with a licence that is missing, unreadable or not allowed. */
export function licenseProblems(packages: Readonly<Record<string, LockedPackage>>): readonly string[] {
  return Object.entries(packages).flatMap(([path, entry]) => {
    if (!path.includes("node_modules/") || entry.link === true) return [];
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    const { license } = entry;
    const allowed = entry.dev === true || entry.devOptional === true ? DEVELOPMENT : RUNTIME;
    if (license === undefined) return [`${name}@${entry.version}: no licence stated`];
    return license === ACCEPTED[name] || isAllowed(license, allowed)
      ? []
      : [`${name}@${entry.version}: ${license} is not on the list of licences`];
  });
}

function isAllowed(license: string, allowed: ReadonlySet<string>): boolean {
  try {
    return satisfies(parse(license), allowed);
  } catch {
    return false;
  }
}

/** OR offers a choice, AND requires both sides. */
function satisfies(expression: Expression, allowed: ReadonlySet<string>): boolean {
  if (!("conjunction" in expression)) return expression.exception === undefined && allowed.has(expression.license);
  const sides = [expression.left, expression.right];
  return expression.conjunction === "or"
    ? sides.some((side) => satisfies(side, allowed))
    : sides.every((side) => satisfies(side, allowed));
}

if (process.argv[1] === import.meta.filename) {
  const packages: Readonly<Record<string, LockedPackage>> = lockfile.packages;
  const problems = licenseProblems(packages);
  for (const problem of problems) process.stderr.write(`licenses: ${problem}\n`);
  if (problems.length === 0) process.stdout.write(`licenses: ${Object.keys(packages).length} packages checked\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
