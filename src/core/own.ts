/** Tables that are asked with words from documents: `constructor` and `__proto__` are no entries of them. */
export const own = <Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
