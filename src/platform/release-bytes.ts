/** Releases memory outside of V8's heap before the garbage collector does. */

/**
 * Releases the memory of bytes at once, if no other bytes share it; the bytes are empty afterwards. Without it,
 * V8 collects its whole heap for every dozen megabytes that wait outside of it.
 */
export function releaseBytes({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && !buffer.detached) buffer.transfer(0);
}
