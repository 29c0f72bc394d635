/** Looks up a key from a document: inherited properties such as `constructor` and `__proto__` are not entries. */
export const getOwn = <Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
