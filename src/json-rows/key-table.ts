/** Finds a value by the bytes of a key, so that no string is made for keys that are not kept. */

interface Entry<V> {
  readonly bytes: Uint8Array;
  readonly value: V;
}

export class KeyTable<V> {
  private readonly byLength: (readonly Entry<V>[] | undefined)[] = [];
  private readonly byText: ReadonlyMap<string, V>;

  constructor(values: Readonly<Record<string, V>>) {
    this.byText = new Map(Object.entries(values));
    const encoder = new TextEncoder();
    for (const [key, value] of this.byText) {
      const bytes = encoder.encode(key);
      this.byLength[bytes.length] = [...(this.byLength[bytes.length] ?? []), { bytes, value }];
    }
  }

  get(key: string): V | undefined {
    return this.byText.get(key);
  }

  /** The value of the key from `start` to `end`, which has no escapes. */
  find(bytes: Uint8Array, start: number, end: number): V | undefined {
    const length = end - start;
    const entries = length < this.byLength.length ? this.byLength[length] : undefined;
    if (entries === undefined) return undefined;
    for (const entry of entries) {
      let at = 0;
      while (at < length && entry.bytes[at] === bytes[start + at]) at++;
      if (at === length) return entry.value;
    }
    return undefined;
  }
}
