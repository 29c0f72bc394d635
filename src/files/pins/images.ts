/** Container image references: `postgres:15-alpine`, `ghcr.io/org/app:1.2@sha256:…`. Without a tag they mean `latest`. */
import { HUB_HOST, HUB_HOSTS, isRegistryHost } from "../../resolve/image-parts.ts";
import type { Pin } from "./pin.ts";
import { type TextLocation } from "../tree/tree.ts";

/** A port is part of a host, and a host is followed by a path: in `postgres:12`, 12 is a tag. */
const REFERENCE =
  /^(?<path>(?:[a-z0-9][\w.-]*(?::\d+)?\/)?(?:[\w.-]+\/)*[a-z0-9][\w.-]*)(?::(?<tag>\w[\w.-]{0,127}))?(?:@(?<digest>[a-z0-9+._-]+:[a-f0-9]{32,}))?$/i;
/** Characters of a reference that is read; registries accept shorter ones only. */
const MAX_REFERENCE = 1_024;

/**
 * The image that a text refers to. A text that is not a reference (`${IMAGE}`, `{{ .Values.image }}`) is kept as the
 * name, without a version.
 */
export function imagePins(written: string, location: TextLocation): readonly Pin[] {
  const reference = written.trim().replace(/^docker:\/\//, "");
  if (reference.length > MAX_REFERENCE) return [{ name: reference, location }];
  const { path, tag } = REFERENCE.exec(reference)?.groups ?? {};
  if (path === undefined) return unreadable(reference, location);
  return [{ repository: repositoryOf(path), ...(tag !== undefined && tag !== "latest" && { tag }), location }];
}

/** With the registry and the namespace that a reference leaves out. */
function repositoryOf(path: string): string {
  const [first = "", ...others] = path.toLowerCase().split("/");
  const [host, names] = others.length > 0 && isRegistryHost(first) ? [first, others] : [HUB_HOST, [first, ...others]];
  if (!HUB_HOSTS.has(host)) return [host, ...names].join("/");
  return [HUB_HOST, ...(names.length === 1 ? ["library"] : []), ...names].join("/");
}

/** `node:${TAG}`: the image is known, its tag is computed. */
function unreadable(reference: string, location: TextLocation): readonly Pin[] {
  const [, image, tag = ""] = /^(.*?[\w-]):([^/]*[$].*|[^/]*(?:\{\{|<<).*)$/.exec(reference) ?? [];
  const pins = image === undefined || /[${]/.test(image) ? [] : imagePins(image, location);
  return pins.length === 0 ? [{ name: reference, location }] : pins.map((pin) => ({ ...pin, tag }));
}
