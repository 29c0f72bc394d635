/**
 * A lightweight client: one request at a time on each of a number of open connections, with answers delimited by
 * Content-Length.
 */
import { connect } from "node:net";

export interface Load {
  readonly port: number;
  readonly connections: number;
  readonly milliseconds: number;
  /** The bytes of the whole request. */
  readonly request: Buffer;
}
export interface Measured {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly answers: number;
  /** Answers with a status other than 200. */
  readonly failed: number;
}

export function httpRequest(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = Buffer.alloc(0),
): Buffer {
  const lines = Object.entries({
    host: "127.0.0.1",
    ...headers,
    ...(body.length > 0 ? { "content-length": String(body.length) } : {}),
  });
  return Buffer.concat([
    Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`),
    body,
  ]);
}

export async function load({ port, connections, milliseconds, request }: Load): Promise<Measured> {
  const times: number[] = [];
  let failed = 0;
  const begin = performance.now();
  const end = begin + milliseconds;
  await Promise.all(
    Array.from({ length: connections }, () =>
      ask(
        port,
        request,
        () => performance.now() < end,
        (took, ok) => {
          times.push(took);
          if (!ok) failed += 1;
        },
      ),
    ),
  );
  const seconds = (performance.now() - begin) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return { perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99), answers: times.length, failed };
}

function ask(
  port: number,
  request: Buffer,
  goOn: () => boolean,
  onAnswer: (took: number, ok: boolean) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let sent = 0;
    let held = Buffer.alloc(0);
    let length = -1;
    const socket = connect(port, "127.0.0.1", () => send());
    socket.setNoDelay(true);
    const send = (): void => {
      sent = performance.now();
      socket.write(request);
    };
    socket.on("error", reject);
    socket.on("data", (chunk) => {
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      if (length < 0) length = lengthOf(held);
      if (length < 0 || held.length < length) return;
      onAnswer(performance.now() - sent, held.subarray(9, 12).toString("latin1") === "200");
      held = Buffer.alloc(0);
      length = -1;
      if (goOn()) send();
      else {
        socket.end();
        resolve();
      }
    });
  });
}

const LENGTH = Buffer.from("content-length: ");

/** Length of head and body in bytes; -1 while the head is incomplete. */
function lengthOf(bytes: Buffer): number {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return -1;
  const at = bytes.indexOf(LENGTH);
  return (
    end +
    4 +
    (at < 0 || at > end
      ? 0
      : Number.parseInt(bytes.toString("latin1", at + LENGTH.length, at + LENGTH.length + 10), 10))
  );
}
