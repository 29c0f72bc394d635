/** Look-ups with keys from documents: `constructor` and `__proto__` are not entries of a table. */
export const own = <Value>(table: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
