/** The hash of texts by their bytes. The tokenizer computes the same while it reads a document. */

/** Never 0, which means no text. */
export function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = end - start;
  let at = start;
  for (; at + 4 <= end; at += 4) hash = mixed(hash ^ wordAt(bytes, at, 4));
  return mixed(hash ^ wordAt(bytes, at, end - at)) | 0x40000000;
}

const encoder = new TextEncoder();

export function hashOfText(text: string): number {
  const bytes = encoder.encode(text);
  return hashOf(bytes, 0, bytes.length);
}

/** Up to four bytes as a number, the lowest first. */
function wordAt(bytes: Uint8Array, at: number, count: number): number {
  let word = 0;
  for (let index = 0; index < count; index++) word |= (bytes[at + index] ?? 0) << (index * 8);
  return word;
}

/** The low bits choose a slot of a table, so what differs in the high ones has to reach them. */
function mixed(hash: number): number {
  const product = Math.imul(hash, 0x9e3779b1);
  return product ^ (product >>> 15);
}
