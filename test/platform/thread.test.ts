import { describe, expect, it } from "vitest";
import { releaseBytes } from "../../src/platform/thread.ts";

describe("releaseBytes", () => {
  it("gives back the memory of bytes that are alone in their buffer", () => {
    const bytes = new Uint8Array(100);
    releaseBytes(bytes);
    expect(bytes.byteLength).toBe(0);
    expect(bytes.buffer.detached).toBe(true);
  });

  it("leaves bytes alone that share a buffer", () => {
    const whole = new Uint8Array([1, 2, 3]);
    releaseBytes(whole.subarray(1));
    const shared = new Uint8Array(new SharedArrayBuffer(3));
    releaseBytes(shared);
    expect([...whole, shared.byteLength]).toEqual([1, 2, 3, 3]);
  });

  it("accepts bytes that were given back already", () => {
    const bytes = new Uint8Array(3);
    releaseBytes(bytes);
    expect(() => releaseBytes(bytes)).not.toThrow();
  });
});
