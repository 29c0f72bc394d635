/**
 * The databases of apk and dpkg: blocks of `Key: value` lines that are separated by empty lines.
 *
 * apk: `lib/apk/db/installed`, https://wiki.alpinelinux.org/wiki/Apk_spec. dpkg: `var/lib/dpkg/status`, or one file for
 * each package in `status.d` (distroless images), https://manpages.debian.org/bookworm/dpkg/dpkg-query.1.en.html,
 * https://manpages.debian.org/bookworm/dpkg-dev/deb-control.5.en.html
 */
import { type InstalledPackage, packagesError } from "./package.ts";

export interface Stanza {
  /** The number of its first line, from 1. */
  readonly line: number;
  readonly fields: ReadonlyMap<string, string>;
}

/**
 * Parses all entries.
 * @throws EolgateError `image-archive` for a text that is not empty and has no entry
 */
export function entriesOf(text: string, where: string): readonly Stanza[] {
  const entries = [...stanzas(text)];
  if (entries.length === 0 && text.trim() !== "") throw packagesError("it has no entries", where);
  return entries;
}

/** A continuation line begins with a blank; only the first line of a value is kept, and the first of equal keys. */
function* stanzas(text: string): Generator<Stanza> {
  let fields = new Map<string, string>();
  let first = 1;
  let line = 0;
  for (const written of text.split("\n")) {
    line += 1;
    const content = written.endsWith("\r") ? written.slice(0, -1) : written;
    if (content.trim() === "") {
      if (fields.size > 0) yield { line: first, fields };
      fields = new Map();
      first = line + 1;
      continue;
    }
    const colon = content.indexOf(":");
    if (colon <= 0 || content.startsWith(" ") || content.startsWith("\t")) continue;
    const key = content.slice(0, colon);
    if (!fields.has(key)) fields.set(key, content.slice(colon + 1).trim());
  }
  if (fields.size > 0) yield { line: first, fields };
}

/**
 * Reads the installed packages.
 * @throws EolgateError `image-archive` with the line of a package without a name or version
 */
export function readApk(text: string, where: string): readonly InstalledPackage[] {
  return entriesOf(text, where).map((stanza) => apkPackage(stanza, where));
}

function apkPackage({ line, fields }: Stanza, where: string): InstalledPackage {
  const [name, version] = [fields.get("P"), fields.get("V")];
  if (!name || !version) throw packagesError("an entry has no name or no version", `${where}:${String(line)}`);
  const [architecture, source, license, vendor] = ["A", "o", "L", "m"].map((key) => fields.get(key));
  return {
    name,
    version,
    ...(architecture && { architecture }),
    ...(source && source !== name && { source }),
    ...(license && { license }),
    ...(vendor && { vendor }),
  };
}

/** Removed packages stay in the database until they are purged. */
const ABSENT: ReadonlySet<string> = new Set(["not-installed", "config-files"]);

/**
 * Reads the installed packages.
 * @throws EolgateError `image-archive` with the line of an installed package without a name or version
 */
export function readDpkg(text: string, where: string): readonly InstalledPackage[] {
  return entriesOf(text, where).flatMap((stanza) => (isInstalled(stanza) ? [dpkgPackage(stanza, where)] : []));
}

/**
 * The status `install ok installed` contains the wanted state, an error flag and the current state. Entries in
 * `status.d` have no status: all are installed.
 */
function isInstalled({ fields }: Stanza): boolean {
  const status = fields.get("Status");
  return status === undefined || !ABSENT.has(status.split(/\s+/)[2] ?? "");
}

function dpkgPackage({ line, fields }: Stanza, where: string): InstalledPackage {
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
