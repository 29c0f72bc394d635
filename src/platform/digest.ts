/** SHA-256 digests in the notation of reports and registries: `sha256:` and hexadecimal digits. */
import type { Hash } from "node:crypto";

/** Loads `node:crypto` on first use: that takes 4 ms, and a check that prints only a table needs no digest. */
export const createSha256 = (): Hash => process.getBuiltinModule("node:crypto").createHash("sha256");

export const digestOf = (bytes: Uint8Array): string => digestOfPieces([bytes]);

/**
 * The digest of several pieces. Each piece is processed before the next one is requested, so all pieces may share one
 * buffer.
 */
export function digestOfPieces(pieces: Iterable<Uint8Array>): string {
  const hash = createSha256();
  for (const piece of pieces) hash.update(piece);
  return digestNotation(hash);
}

export const digestNotation = (hash: Hash): string => `sha256:${hash.digest("hex")}`;
