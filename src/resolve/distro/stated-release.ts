/** The distribution release that a document states: in the `distro` qualifier, or as its single operating system. */
import type { Component, CycleRef, ComponentDocument, Tracer } from "../../model/index.ts";
import type { ResolveContext } from "../context.ts";
import { matchSystem, type SystemMatch } from "./system.ts";

/** A release; a rolling distribution has none; undefined when it is not known. */
export type StatedRelease =
  | { readonly kind: "cycle"; readonly releaseCycle: CycleRef }
  | { readonly kind: "rolling" }
  | undefined;

/** In `distro=el8` the letters name a family; the namespace names the distribution. */
const FAMILY: Readonly<Record<string, string>> = { fc: "fedora", amzn: "amzn", ol: "ol", el: "" };

/**
 * Reads the release from a `distro` qualifier: `debian-10.13`, `opensuse-leap-15.5`, `3.18.12` (Trivy; of the
 * distribution in the namespace), `el8`, `bookworm`, `ubuntu-jammy`.
 */
export function releaseOfQualifier(
  context: ResolveContext,
  qualifier: string,
  namespace: string,
  trace?: Tracer,
): StatedRelease {
  for (const [name, version] of readings(qualifier.toLowerCase(), namespace)) {
    const release = toRelease(matchSystem(context, name, version, trace));
    if (release) return release;
  }
  return undefined;
}

/** The ways to read a qualifier as the name and version of an operating system. */
function* readings(text: string, namespace: string): Generator<readonly [name: string, version: string | undefined]> {
  yield [text, undefined];
  const hyphen = text.search(/-(?=[^-]*$)/);
  if (hyphen > 0) yield [text.slice(0, hyphen), text.slice(hyphen + 1)];
  // `sles-15-sp5` has a second hyphen that belongs to the version.
  const [, name = "", version] = /^([a-z.-]+?)-(\d.*)$/.exec(text) ?? [];
  if (version !== undefined) yield [name, version];
  const [, family = "", release] = /^(fc|amzn|ol|el)(\d[\d.]*)$/.exec(text) ?? [];
  if (release !== undefined) yield [FAMILY[family] || namespace, release];
  else if (namespace !== "") yield [namespace, text];
}

/** The release of the document's operating system; undefined if it has none, or several of different releases. */
export function releaseOfDocument(context: ResolveContext, document: ComponentDocument): StatedRelease {
  let single: StatedRelease;
  for (const component of document.components) {
    if (component.kind !== "operating-system" && !hasSystemTag(context, component)) continue;
    const release = toRelease(matchSystemComponent(context, component));
    if (!release || (single && !isSameRelease(single, release))) return undefined;
    single = release;
  }
  return single;
}

/** A software identification tag of an operating system: `pkg:swid/Canonical/ubuntu@22.04?tag_id=…`. */
const hasSystemTag = ({ catalogue }: ResolveContext, { name, purls }: Component): boolean =>
  catalogue.operatingSystem(name.trim().toLowerCase()) !== undefined &&
  purls.some((purl) => purl.startsWith("pkg:swid/"));

export const matchSystemComponent = (context: ResolveContext, component: Component, trace?: Tracer): SystemMatch =>
  matchSystem(context, component.name, component.version, trace);

const toRelease = (match: SystemMatch): StatedRelease =>
  match.kind === "cycle" || match.kind === "rolling" ? match : undefined;

function isSameRelease(left: NonNullable<StatedRelease>, right: NonNullable<StatedRelease>): boolean {
  if (left.kind !== "cycle" || right.kind !== "cycle") return left.kind === right.kind;
  return (
    left.releaseCycle.product === right.releaseCycle.product && left.releaseCycle.cycle === right.releaseCycle.cycle
  );
}

export const describeRelease = (release: StatedRelease): string =>
  release === undefined
    ? "not known"
    : release.kind === "rolling"
      ? "has no release cycles that could end"
      : `${release.releaseCycle.product} ${release.releaseCycle.cycle}`;
