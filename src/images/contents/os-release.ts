/** Reads the operating system of a root file system from `os-release` or the older files of the Red Hat family. */

export interface SystemRelease {
  /** A name by which the catalogue finds the system: `debian`, `rhel`, `CentOS Stream`. */
  readonly name: string;
  /** `ID` of os-release, which distributions use in package URLs. */
  readonly id: string;
  /** Absent for a distribution without releases. */
  readonly version?: string;
  /** `SUPPORT_END`: the last day of support, as the distribution states it. */
  readonly supportEnd?: string;
}

/** Lines of os-release: `NAME=value` with the quoting of a shell. https://www.freedesktop.org/software/systemd/man/os-release.html */
const ASSIGNMENT = /^\s*([A-Z][A-Z0-9_]*)=(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S*))\s*$/;

/** Parses an os-release file; undefined if it names no system. */
export function readOsRelease(text: string): SystemRelease | undefined {
  const fields = new Map(text.split("\n").flatMap((line) => assignment(line)));
  const id = fields.get("ID")?.toLowerCase() ?? "";
  if (!/^[a-z0-9][a-z0-9._-]*$/.test(id)) return undefined;
  const version = fields.get("VERSION_ID");
  // CentOS Stream and CentOS Linux have the same ID.
  const isStream = id === "centos" && /\bstream\b/i.test(fields.get("NAME") ?? "");
  const supportEnd = fields.get("SUPPORT_END");
  const name = isStream ? "CentOS Stream" : id;
  return { name, id, ...(version && { version }), ...(supportEnd && { supportEnd }) };
}

function assignment(line: string): readonly (readonly [name: string, value: string])[] {
  const [, name, double, single, plain = ""] = ASSIGNMENT.exec(line) ?? [];
  return name === undefined ? [] : [[name, double?.replaceAll(/\\(.)/g, "$1") ?? single ?? plain]];
}

/** `CentOS release 6.10 (Final)`, `CentOS Linux release 7.9.2009 (Core)`: releases that have no os-release file. */
const TITLES: readonly { readonly pattern: RegExp; readonly id: string }[] = [
  { pattern: /^CentOS (?:Linux )?release (\d[\d.]*)/, id: "centos" },
  { pattern: /^Red Hat Enterprise Linux.* release (\d[\d.]*)/, id: "rhel" },
  { pattern: /^Oracle Linux.* release (\d[\d.]*)/, id: "ol" },
  { pattern: /^Fedora release (\d+)/, id: "fedora" },
];

export function readReleaseTitle(text: string): SystemRelease | undefined {
  for (const { pattern, id } of TITLES) {
    const version = pattern.exec(text.trim())?.[1];
    if (version !== undefined) return { name: id, id, version };
  }
  return undefined;
}
