/** Anything but printable ASCII and line breaks: letters of other scripts, control and bidirectional characters. */
const FOREIGN = /[^\x20-\x7e\t\n\r]/;

/**
 * Normalizes a name for comparison: lower case, without white space and punctuation except `+`, `#` and `.`. A name
 * with any other character is not the name of a product: it normalizes to the empty string, which matches nothing.
 */
export function normalizeName(name: string): string {
  return FOREIGN.test(name) ? "" : name.toLowerCase().replace(/[^a-z0-9+#.]+/g, "");
}
