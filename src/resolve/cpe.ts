/** Parses CPE names (formatted strings of CPE 2.3 and URIs of CPE 2.2): vendor, product and version. */

export interface CpeName {
  /** `vendor:product` in lower case, unescaped: the catalogue's key. */
  readonly key: string;
  /** Undefined for `*` and `-`. */
  readonly version: string | undefined;
}

export function parseCpe(text: string): CpeName | undefined {
  const name = text.trim();
  const fields = name.startsWith("cpe:2.3:")
    ? name.slice("cpe:2.3:".length).split(/(?<!\\):/)
    : /^cpe:\//i.test(name)
      ? name.slice("cpe:/".length).split(":").map(decodePercent)
      : undefined;
  const [part, vendor, product, version] = fields ?? [];
  if (part === undefined || !/^[aoh]$/i.test(part) || !vendor || !product) return undefined;
  return { key: `${unescape(vendor)}:${unescape(product)}`.toLowerCase(), version: versionOf(version) };
}

/** CPE 2.3 escapes punctuation with a backslash (NISTIR 7695, 6.2). */
const unescape = (field: string): string => field.replaceAll(/\\(.)/g, "$1");

/** CPE 2.2 percent-encodes (NISTIR 7695, 6.1). */
function decodePercent(field: string): string {
  try {
    return decodeURIComponent(field);
  } catch {
    return field;
  }
}

function versionOf(version: string | undefined): string | undefined {
  return version === undefined || version === "" || version === "*" || version === "-" ? undefined : unescape(version);
}
