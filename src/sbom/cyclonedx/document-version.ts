/** The revision of a BOM: a whole number from 1; undefined for anything else. */
export function parseDocumentVersion(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}
