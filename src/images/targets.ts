/** Opens the value of `--image`, for all kinds of targets. */
import type { Catalogue, CatalogueFacts } from "../model/index.ts";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type ImageTarget, parseImageTarget, type RegistryReference } from "./registry/reference.ts";
import type { WantedPaths } from "./contents/wanted.ts";
import { daemonExport } from "./daemon.ts";
import { openDockerArchive } from "./docker-archive.ts";
import { fileStream, openLayout, openOciArchive } from "./layout.ts";
import type { ImageLimits } from "./limits.ts";
import { openImage, type OpenedImage, type PlatformChoice } from "./opened-image.ts";

export interface ImageContext {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly facts: Pick<CatalogueFacts, "imageVariables" | "tools">;
  /** Finds the product of a repository by the key of its package URL. */
  readonly purl: Catalogue["purl"];
  /** Processor architecture of this machine, as in `process.arch`. */
  readonly architecture: string;
  /** Registries that may be used without TLS: `registry.lan:5000`. */
  readonly insecure?: readonly string[];
  /** Verifies attached SBOMs: those that it refuses are not read. Without it, no signature is verified. */
  readonly verify?: VerifyAttachment | undefined;
  /** Waits before a retry. Replaced in tests, which do not wait. */
  readonly pause?: (milliseconds: number) => Promise<unknown>;
}

/** Returns the statement in an attachment, and the id of the key that signed it. @throws EolgateError of kind `input` */
export type VerifyAttachment = (bytes: Uint8Array) => { readonly statement: Uint8Array; readonly signedBy: string };

export interface OpenRequest {
  readonly choice: PlatformChoice;
  readonly wanted: WantedPaths;
  readonly limits: ImageLimits;
  readonly context: ImageContext;
}

/** Open an image. The caller closes it. @throws EolgateError, `invalid-value` if the text does not name an image */
export async function openTarget(image: string, request: OpenRequest): Promise<OpenedImage> {
  const target = parseImageTarget(image);
  switch (target.kind) {
    case "registry":
      return openReference(target.reference, request);
    case "docker-daemon":
      return openDockerArchive(daemonExport(target.name, request.context.env), undefined, request);
    case "oci":
    case "oci-archive":
    case "docker-archive":
      return openFile(target, request);
  }
}

/** The reference by which the user named an image of a registry or of the daemon. */
export function referenceOf(image: string): readonly string[] {
  const target = parseImageTarget(image);
  if (target.kind === "docker-daemon") return [target.name];
  return target.kind === "registry" ? [image.replace(/^docker:\/\//, "")] : [];
}

async function openReference(reference: RegistryReference, { choice, limits, context }: OpenRequest) {
  const { openRegistry } = await import("./registry/store.ts");
  const { findCredentials } = await import("./registry/credentials.ts");
  const { env, insecure = [], pause } = context;
  const credentials = () => findCredentials(reference.host, env);
  const store = openRegistry(reference, { env, insecure, credentials, ...(pause && { pause }) }, limits);
  return openImage(store, choice, limits).catch(async (cause: unknown) => {
    await store.close();
    throw cause;
  });
}

type FileTarget = Extract<ImageTarget, { readonly rest: string }>;

function openFile({ kind, rest }: FileTarget, { choice, wanted, limits, context }: OpenRequest): Promise<OpenedImage> {
  const { path, name } = splitName(rest, context.cwd);
  const open = () => fileStream(path);
  switch (kind) {
    case "oci":
      return openImage(openLayout(path, name, limits), choice, limits);
    case "oci-archive":
      return openImage(openOciArchive(open, name, { wanted, limits }), choice, limits);
    case "docker-archive":
      return openDockerArchive(open, name, { wanted, limits });
  }
}

/**
 * Split a path from the name of an image: `folder:1.0`, `image.tar:registry/app:1.0`, `folder@sha256:…`. The path ends at
 * the first `:` or `@` before which a file or folder exists.
 */
export function splitName(rest: string, cwd: string): { readonly path: string; readonly name: string | undefined } {
  if (existsSync(resolve(cwd, rest))) return { path: resolve(cwd, rest), name: undefined };
  for (let at = rest.search(/[:@]/); at !== -1; at = nextSeparator(rest, at)) {
    const path = resolve(cwd, rest.slice(0, at));
    if (at > 0 && existsSync(path)) return { path, name: rest.slice(at + 1) };
  }
  return { path: resolve(cwd, rest), name: undefined };
}

function nextSeparator(text: string, after: number): number {
  const next = text.slice(after + 1).search(/[:@]/);
  return next === -1 ? -1 : after + 1 + next;
}
