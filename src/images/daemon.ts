/** Exports images from the Docker daemon of this machine, as `docker save` does. https://docs.docker.com/reference/api/engine/ */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Client } from "undici";
import { EolgateError } from "../messages/error.ts";
import { errorCode } from "../platform/write-error.ts";
import type { ByteStream } from "./stream.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const DEFAULT_SOCKET = "/var/run/docker.sock";
/** Milliseconds. The daemon sends nothing until it has collected the layers. */
const ANSWER_TIMEOUT = 300_000;

/** Returns a function that requests the export of an image. @throws EolgateError `docker-host` */
export function daemonExport(name: string, env: Environment): () => ByteStream {
  const socketPath = findSocket(env);
  return () => exportImage(name, socketPath);
}

/** `DOCKER_HOST`, or the first default socket that exists. @throws EolgateError `docker-host` */
function findSocket(env: Environment): string {
  const host = env["DOCKER_HOST"] ?? "";
  if (host !== "") {
    const path = /^unix:\/\/(\/.+)$/.exec(host)?.[1];
    if (path !== undefined) return path;
    throw EolgateError.of("docker-host", {}, { where: "DOCKER_HOST" });
  }
  const home = env["HOME"] ?? "";
  const runtime = env["XDG_RUNTIME_DIR"] ?? "";
  const sockets = [
    DEFAULT_SOCKET,
    ...(home === "" ? [] : [join(home, ".docker/run/docker.sock")]),
    ...(runtime === "" ? [] : [join(runtime, "docker.sock"), join(runtime, "podman/podman.sock")]),
  ];
  return sockets.find((path) => existsSync(path)) ?? DEFAULT_SOCKET;
}

async function* exportImage(name: string, socketPath: string): ByteStream & AsyncGenerator<Uint8Array> {
  const client = new Client("http://localhost", { socketPath });
  try {
    const answer = await client.request({
      method: "GET",
      path: `/images/${name}/get`,
      headersTimeout: ANSWER_TIMEOUT,
      bodyTimeout: ANSWER_TIMEOUT,
    });
    if (answer.statusCode !== 200) {
      await answer.body.dump();
      if (answer.statusCode === 404) throw EolgateError.of("docker-image-missing", { name }, { where: socketPath });
      throw EolgateError.of("docker-status", { status: answer.statusCode }, { where: socketPath });
    }
    for await (const chunk of answer.body as AsyncIterable<Uint8Array>) yield chunk;
  } catch (cause) {
    if (cause instanceof EolgateError || errorCode(cause) === "") throw cause;
    throw EolgateError.of("docker-unreachable", { reason: errorCode(cause) }, { where: socketPath, cause });
  } finally {
    await client.destroy();
  }
}
