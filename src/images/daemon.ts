/** Exports images from the Docker daemon of this machine, as `docker save` does. https://docs.docker.com/reference/api/engine/ */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createHttpClient, type HttpClientOptions } from "../http/client.ts";
import { HttpFailure } from "../http/failure.ts";
import { EolgateError } from "../messages/error.ts";
import type { ByteStream } from "./stream.ts";

const DEFAULT_SOCKET = "/var/run/docker.sock";
/** Milliseconds. The daemon sends nothing until it has collected the layers. */
const TIMEOUT = 300_000;
const DEADLINE = 60 * 60_000;

/** Returns a function that requests the export of an image. @throws EolgateError `invalid-value` */
export function daemonExport(name: string, env: HttpClientOptions["env"]): () => ByteStream {
  const socketPath = findSocket(env);
  return () => exportImage(name, socketPath);
}

/** `DOCKER_HOST`, or the first default socket that exists. @throws EolgateError `invalid-value` */
function findSocket(env: HttpClientOptions["env"]): string {
  const host = env["DOCKER_HOST"] ?? "";
  if (host !== "") {
    const path = /^unix:\/\/(\/.+)$/.exec(host)?.[1];
    if (path !== undefined) return path;
    throw EolgateError.of("invalid-value", {
      problem: "the Docker daemon is not on a unix socket, and no other address is supported",
      advice: "Check the image in its registry, or save it with docker save NAME -o image.tar.",
    }).at("DOCKER_HOST");
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
  const client = createHttpClient({
    env: {},
    socketPath,
    timeout: TIMEOUT,
    deadline: DEADLINE,
    limit: Number.POSITIVE_INFINITY,
  });
  try {
    const answer = await client.open({ url: new URL("http://localhost"), path: `/images/${name}/get` });
    if (answer.status !== 200) {
      await answer.discard();
      if (answer.status === 404)
        throw EolgateError.of("image-not-found", {
          problem: `the Docker daemon has no image ${name}`,
          advice: "List the images with docker images, or check the image in its registry.",
        }).at(socketPath);
      throw EolgateError.of("unexpected-status", {
        problem: `the Docker daemon answered with HTTP status ${answer.status}`,
        advice: "Check the log of the Docker daemon.",
      }).at(socketPath);
    }
    yield* answer.body;
  } catch (cause) {
    if (!(cause instanceof HttpFailure)) throw cause;
    throw EolgateError.of(
      "no-answer",
      {
        problem: `the Docker daemon did not answer (${cause.code || cause.message})`,
        advice:
          "Check that it runs and that you have access to its socket, or name another one: DOCKER_HOST=unix:///path",
      },
      { where: socketPath, cause },
    );
  } finally {
    await client.close();
  }
}
