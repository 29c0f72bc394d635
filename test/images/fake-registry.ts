/** A registry on loopback with responses that a test defines: tokens, redirects, referrers, wrong content. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { BuiltImage } from "./build.ts";

export interface FakeRegistry {
  readonly host: string;
  /** `GET /v2/shop/manifests/1.0 Basic dTpw`: every request with its Authorization header. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** Returns true if it has handled the request. */
export type Handler = (request: IncomingMessage, response: ServerResponse, host: string) => boolean;

type Stored = { readonly blobs: ReadonlyMap<string, Uint8Array> };

export interface FakeContent {
  readonly parts: readonly Stored[];
  /** Tag → digest of a manifest, or its bytes. */
  readonly tags: Readonly<Record<string, string | Uint8Array>>;
  /** Subject → index. */
  readonly referrers?: Readonly<Record<string, Uint8Array>>;
}

/** @param handler called first; requests that it does not handle get the content */
export async function startRegistry(content: FakeContent, handler: Handler = () => false): Promise<FakeRegistry> {
  const requests: string[] = [];
  const server: Server = createServer((request, response) => {
    const { method = "", url = "", headers } = request;
    requests.push(`${method} ${url} ${headers.authorization ?? "-"}`);
    const { port } = server.address() as AddressInfo;
    if (!handler(request, response, `127.0.0.1:${String(port)}`)) serve(content, url, response);
  });
  // The client tries TLS first, which is not valid HTTP.
  server.on("clientError", (_, socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${String(port)}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function serve({ parts, tags, referrers }: FakeContent, url: string, response: ServerResponse): void {
  const blobs = new Map(parts.flatMap((part) => [...part.blobs]));
  const [, kind = "", name = ""] = /^\/v2\/[\w./-]+?\/(manifests|blobs|referrers)\/(.+)$/.exec(url) ?? [];
  const tagged = tags[name];
  const found =
    kind === "referrers"
      ? referrers?.[name]
      : kind === "manifests" && tagged !== undefined
        ? typeof tagged === "string"
          ? blobs.get(tagged)
          : tagged
        : blobs.get(name);
  response.writeHead(found === undefined ? 404 : 200, { "content-type": "application/octet-stream" });
  response.end(found ?? "{}");
}

export const contentOf = (image: BuiltImage, tag = "1.0"): FakeContent => ({
  parts: [image],
  tags: { [tag]: image.manifest.digest },
});
