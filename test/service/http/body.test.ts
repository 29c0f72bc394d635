import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { EolgateError } from "../../../src/messages/error.ts";
import { readBody } from "../../../src/service/http/body.ts";

interface Sent {
  readonly chunks: readonly Buffer[];
  readonly limit?: number;
  readonly announced?: string;
  readonly breaks?: Error;
}

/** Bytes in a buffer of their own, as a connection delivers them. */
const chunk = (text: string): Buffer => Buffer.from(new TextEncoder().encode(text).buffer);

function read({ chunks, limit = 100, announced, breaks }: Sent): Promise<Buffer> {
  const payload = new PassThrough();
  return new Promise((resolve, reject) => {
    readBody(payload, { announced, limit }, (error, body) => {
      if (body === undefined) reject(error ?? new Error("neither an error nor a body"));
      else resolve(body);
    });
    for (const each of chunks) payload.write(each);
    if (breaks) payload.destroy(breaks);
    else payload.end();
  });
}

const codeOf = (error: unknown): string => (error instanceof EolgateError ? error.code : String(error));

describe("readBody", () => {
  it("joins the chunks of a body and gives their memory back", async () => {
    const chunks = [chunk("first "), chunk("second")];
    const body = await read({ chunks, announced: "12" });
    expect(body.toString()).toBe("first second");
    expect(chunks.map(({ buffer }) => buffer instanceof ArrayBuffer && buffer.detached)).toEqual([true, true]);
  });

  it("reads an empty body, and one without an announced length", async () => {
    expect((await read({ chunks: [] })).length).toBe(0);
    expect((await read({ chunks: [chunk("abc")] })).toString()).toBe("abc");
  });

  it("accepts a body of exactly the limit", async () => {
    expect((await read({ chunks: [chunk("abc")], limit: 3, announced: "3" })).length).toBe(3);
  });

  it.each<[string, Sent, string]>([
    ["an announced length above the limit", { chunks: [], limit: 3, announced: "4" }, "body-too-large"],
    ["a body that passes the limit", { chunks: [chunk("ab"), chunk("cd")], limit: 3 }, "body-too-large"],
    ["a body that is shorter than announced", { chunks: [chunk("ab")], announced: "3" }, "invalid-body"],
    ["a body that is longer than announced", { chunks: [chunk("abcd")], announced: "3" }, "invalid-body"],
    ["a connection that breaks", { chunks: [chunk("ab")], breaks: new Error("reset") }, "Error: reset"],
  ])("refuses %s", async (_name, sent, code) => {
    const error: unknown = await read(sent).catch((reason: unknown) => reason);
    expect(codeOf(error)).toBe(code);
  });
});
