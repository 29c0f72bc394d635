/** Names compare after folding case and every character outside `[a-z0-9+#.]` (design of resolution, section 5). */
export function normalizeName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9+#.]+/g, "");
}
