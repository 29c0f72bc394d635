/** Memory outside of V8's heap that is given back before the garbage collector finds it. */

/**
 * Gives the memory of bytes back at once, if no other bytes share it; the bytes are empty afterwards. Without it,
 * V8 collects its whole heap for every dozen megabytes that wait outside of it.
 */
export function releaseBytes({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && !buffer.detached) buffer.transfer(0);
}
