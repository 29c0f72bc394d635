/** A real SMTP server on loopback that accepts mails or fails as a test requires. */
import { EventEmitter, once } from "node:events";
import { SMTPServer } from "smtp-server";
import type { SMTPServerOptions } from "smtp-server";

export interface Received {
  readonly to: string;
  readonly from: string;
  readonly raw: string;
  readonly messageId: string;
}

export interface Sink {
  readonly address: string;
  readonly received: Received[];
  /** Resolves once this many messages have arrived. */
  readonly arrived: (count: number) => Promise<void>;
  /** Attempts to name a recipient, refused ones included. */
  readonly attempts: () => number;
  close(): Promise<void>;
}

export interface Behaviour {
  /** Status to answer to the nth recipient command (from 1); undefined accepts. */
  readonly recipient?: (attempt: number) => number | undefined;
  /** Status to answer to the nth complete message; undefined accepts. */
  readonly message?: (attempt: number) => number | undefined;
  /** A message is answered once this resolves. */
  readonly hold?: () => Promise<unknown>;
  /** Accepts the message and closes the connection without an answer. */
  readonly drop?: (attempt: number) => boolean;
  readonly options?: SMTPServerOptions;
}

export async function startSink(behaviour: Behaviour = {}, port = 0): Promise<Sink> {
  const received: Received[] = [];
  const arrivals = new EventEmitter();
  let recipients = 0;
  let messages = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    onRcptTo(_, __, done) {
      recipients += 1;
      const status = behaviour.recipient?.(recipients);
      done(status === undefined ? null : answer(status));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        messages += 1;
        const attempt = messages;
        const status = behaviour.message?.(attempt);
        if (status !== undefined) return done(answer(status));
        const raw = Buffer.concat(chunks).toString("utf8");
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          to: rcptTo.map(({ address }) => address).join(","),
          from: mailFrom === false ? "" : mailFrom.address,
          raw,
          messageId: /^Message-ID: (.*)$/im.exec(raw)?.[1]?.trim() ?? "",
        });
        arrivals.emit("message");
        if (behaviour.drop?.(attempt)) {
          for (const connection of server.connections) destroy(connection);
          return undefined;
        }
        Promise.resolve(behaviour.hold?.()).then(
          () => done(null),
          () => done(answer(451)),
        );
        return undefined;
      });
    },
    ...behaviour.options,
  });
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const place = server.server.address();
  if (place === null || typeof place === "string") throw new Error("no port");
  return {
    address: `smtp://127.0.0.1:${place.port}`,
    received,
    async arrived(count) {
      while (received.length < count) await once(arrivals, "message");
    },
    attempts: () => recipients,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

function answer(status: number): Error {
  return Object.assign(new Error(status < 500 ? "try again later" : "no"), { responseCode: status });
}

function destroy(connection: unknown): void {
  const socket =
    typeof connection === "object" && connection !== null && "_socket" in connection ? connection._socket : undefined;
  if (typeof socket === "object" && socket !== null && "destroy" in socket && typeof socket.destroy === "function")
    socket.destroy();
}
