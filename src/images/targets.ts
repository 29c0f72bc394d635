/** Opens what `--image` names: the only place that knows all kinds of targets. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type ImageTarget, parseImageTarget } from "../core/inventory/images/reference.ts";
import type { WantedPaths } from "../core/inventory/images/wanted.ts";
import { EolgateError } from "../core/errors.ts";
import { openDockerArchive } from "./docker-archive.ts";
import { fileStream, openLayout } from "./layout.ts";
import type { ImageLimits } from "./limits.ts";
import { openOciArchive } from "./oci-archive.ts";
import { openImage, type OpenedImage, type PlatformChoice } from "./opened-image.ts";

export interface ImageContext {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** This machine's processor, as Node names it. */
  readonly architecture: string;
}

export interface OpenRequest {
  readonly choice: PlatformChoice;
  readonly wanted: WantedPaths;
  readonly limits: ImageLimits;
  readonly context: ImageContext;
}

/** @throws EolgateError, also `image-reference` for what names no image */
export async function openTarget(image: string, request: OpenRequest): Promise<OpenedImage> {
  const target = parseImageTarget(image);
  if (target.kind === "registry" || target.kind === "docker-daemon")
    throw EolgateError.of("image-reference", { written: image, why: "not built yet" }, { where: "--image" });
  return openFile(target, request);
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

/** `folder:1.0`, `image.tar:registry/app:1.0`, `folder@sha256:…`: the path is the first part that exists. */
function splitName(rest: string, cwd: string): { readonly path: string; readonly name: string | undefined } {
  if (existsSync(resolve(cwd, rest))) return { path: resolve(cwd, rest), name: undefined };
  for (let at = rest.search(/[:@]/); at !== -1; at = nextMark(rest, at)) {
    const path = resolve(cwd, rest.slice(0, at));
    if (at > 0 && existsSync(path)) return { path, name: rest.slice(at + 1) };
  }
  return { path: resolve(cwd, rest), name: undefined };
}

function nextMark(text: string, after: number): number {
  const next = text.slice(after + 1).search(/[:@]/);
  return next === -1 ? -1 : after + 1 + next;
}
