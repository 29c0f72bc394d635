/** Looks words up by their bytes, so that no string is made for a key that nobody keeps. */
import type { Scanner } from "./scanner.ts";

interface Entry<V> {
  readonly bytes: Uint8Array;
  readonly value: V;
}

export class Words<V> {
  private readonly byLength: (readonly Entry<V>[] | undefined)[] = [];
  private readonly byText: ReadonlyMap<string, V>;

  constructor(words: Readonly<Record<string, V>>) {
    this.byText = new Map(Object.entries(words));
    const encoder = new TextEncoder();
    for (const [word, value] of this.byText) {
      const bytes = encoder.encode(word);
      this.byLength[bytes.length] = [...(this.byLength[bytes.length] ?? []), { bytes, value }];
    }
  }

  /** The value of the string that the scanner read last. */
  find(scanner: Scanner): V | undefined {
    if (scanner.hasEscapes) return this.byText.get(scanner.text());
    const { bytes, textStart } = scanner;
    const length = scanner.textEnd - textStart;
    const entries = length < this.byLength.length ? this.byLength[length] : undefined;
    if (entries === undefined) return undefined;
    for (const entry of entries) {
      let i = 0;
      while (i < length && entry.bytes[i] === bytes[textStart + i]) i++;
      if (i === length) return entry.value;
    }
    return undefined;
  }
}
