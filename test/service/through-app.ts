/** An undici dispatcher for an application in memory: what a client sends reaches the routes without a socket. */
import type { FastifyInstance } from "fastify";
import { Dispatcher } from "undici";

type Handler = Parameters<Dispatcher["dispatch"]>[1];

class ThroughApp extends Dispatcher {
  readonly #app: FastifyInstance;

  constructor(app: FastifyInstance) {
    super();
    this.#app = app;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Handler): boolean {
    void this.#answer(options, handler).catch((error: Error) => handler.onResponseError?.(NOBODY, error));
    return true;
  }

  async #answer({ method, path, headers, body }: Dispatcher.DispatchOptions, handler: Handler): Promise<void> {
    const answer = await this.#app.inject({
      method: method === "POST" ? "POST" : "GET",
      url: path,
      headers: Object.fromEntries(Object.entries(Object(headers)).map(([name, value]) => [name, String(value)])),
      ...(typeof body === "string" || body instanceof Uint8Array ? { payload: Buffer.from(body) } : {}),
    });
    handler.onRequestStart?.(NOBODY, undefined);
    handler.onResponseStart?.(
      NOBODY,
      answer.statusCode,
      Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)])),
      "",
    );
    handler.onResponseData?.(NOBODY, answer.rawPayload);
    handler.onResponseEnd?.(NOBODY, {});
  }

  override close(): Promise<void>;
  override close(callback: () => void): void;
  override close(callback?: () => void): Promise<void> | void {
    if (callback) callback();
    else return Promise.resolve();
  }
}

/** Nothing here pauses or aborts. */
const NOBODY: Dispatcher.DispatchController = {
  aborted: false,
  paused: false,
  reason: null,
  abort: () => undefined,
  pause: () => undefined,
  resume: () => undefined,
};

export const throughApp = (app: FastifyInstance): Dispatcher => new ThroughApp(app);
