/**
 * dpkg's database: `var/lib/dpkg/status`, or one file for each package in `status.d` (distroless images).
 * https://manpages.debian.org/bookworm/dpkg/dpkg-query.1.en.html, https://manpages.debian.org/bookworm/dpkg-dev/deb-control.5.en.html
 */
import { packagesError, type InstalledPackage } from "./package.ts";
import { entriesOf, type Stanza } from "./stanzas.ts";

/** Removed packages stay in the database until they are purged. */
const ABSENT: ReadonlySet<string> = new Set(["not-installed", "config-files"]);

/**
 * Reads the installed packages.
 * @throws EolgateError `image-packages` with the line of an installed package without a name or version
 */
export function readDpkg(text: string, where: string): readonly InstalledPackage[] {
  return entriesOf(text, where).flatMap((stanza) => (isInstalled(stanza) ? [toPackage(stanza, where)] : []));
}

/**
 * The status `install ok installed` contains the wanted state, an error flag and the current state. Entries in
 * `status.d` have no status: all are installed.
 */
function isInstalled({ fields }: Stanza): boolean {
  const status = fields.get("Status");
  return status === undefined || !ABSENT.has(status.split(/\s+/)[2] ?? "");
}

function toPackage({ line, fields }: Stanza, where: string): InstalledPackage {
  const [name, version] = [fields.get("Package"), fields.get("Version")];
  if (!name || !version) throw packagesError("an entry has no name or no version", `${where}:${String(line)}`);
  const [architecture, vendor] = [fields.get("Architecture"), fields.get("Maintainer")];
  // `openssl (3.0.11-1)`: the version of the source where it differs.
  const source = fields.get("Source")?.replace(/\s*\(.*$/, "");
  return {
    name,
    version,
    ...(architecture && { architecture }),
    ...(source && source !== name && { source }),
    ...(vendor && { vendor }),
  };
}
