/** Selects an image of a layout. A layout can contain several images, which are named in annotations. */
import { EolgateError } from "../messages/error.ts";
import { type Descriptor, parseManifest } from "./contents/manifest.ts";
import { isAttestation } from "./contents/attestation.ts";
import type { NamedManifest } from "./store.ts";

const NAMES = ["org.opencontainers.image.ref.name", "io.containerd.image.name"] as const;

const namesOf = ({ annotations }: Descriptor): readonly string[] => NAMES.flatMap((key) => annotations?.[key] ?? []);

/**
 * The manifest or index of one image. If the entries of the index have no names, the index is one image for several
 * platforms.
 * @param name tag, name or digest; undefined if the layout has only one image
 * @throws EolgateError `image-several`, `image-name-missing`
 */
export async function namedManifest(
  index: NamedManifest,
  name: string | undefined,
  read: (descriptor: Descriptor) => Promise<Uint8Array>,
): Promise<NamedManifest> {
  const parsed = parseManifest(index.bytes, "index.json");
  if (parsed.kind === "manifest") return index;
  const images = parsed.entries.filter((entry) => !isAttestation(entry));
  if (name === undefined && isOneImage(images, parsed.entries)) return index;
  const [first, ...others] = name === undefined ? images : images.filter((each) => isNamed(each, name));
  const names = [...new Set(images.flatMap(namesOf))].join(", ");
  if (first === undefined) throw noImage(name, names);
  if (others.length > 0) throw EolgateError.of("image-several", { names }, { where: "--image" });
  return { bytes: await read(first), digest: first.digest };
}

/** The platforms of one image have no names, and an attestation in the index belongs to its only image. */
function isOneImage(images: readonly Descriptor[], all: readonly Descriptor[]): boolean {
  if (images.length === 1) return all.length > 1;
  return images.length > 1 && images.every((entry) => namesOf(entry).length === 0);
}

const noImage = (name: string | undefined, names: string): EolgateError =>
  name === undefined
    ? EolgateError.of("image-archive", { why: "it contains no image" })
    : EolgateError.of("image-name-missing", { name, names }, { where: "--image" });

const isNamed = (entry: Descriptor, name: string): boolean =>
  entry.digest === name || namesOf(entry).some((each) => each === name || each.endsWith(`:${name}`));
