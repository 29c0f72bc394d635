/**
 * Packages of Go modules. Some generators list every package (`github.com/docker/docker/client`), which has the version
 * of its module. A nested module (`github.com/hashicorp/consul/api`) has the same form and a version of its own, and
 * the path does not distinguish the two (https://go.dev/ref/mod#modules-overview). Therefore a path belongs to its
 * longest mapped module only if the purl marks it as a package, or if the document lists another path of that module
 * with the same version.
 */
import type { Purl } from "../../text/ids.ts";
import type { Catalogue, ComponentDocument } from "../../model/index.ts";
import { purlKey, type PurlKey } from "./key.ts";

/** The key of the mapped module that a package belongs to; undefined when there is none, or no evidence for it. */
export type GoModuleFinder = (purl: PurlKey) => string | undefined;

export function goModuleFinder(catalogue: Catalogue, document: ComponentDocument | null): GoModuleFinder {
  let paths: ReadonlyMap<string, number> | undefined;
  return (purl) => {
    const module = mappedModule(catalogue, purl.key);
    if (module === undefined || purl.qualifier("type") === "package") return module;
    paths ??= countPaths(catalogue, document);
    return (paths.get(versioned(module, purl)) ?? 0) > 1 ? module : undefined;
  };
}

/** `golang/host/owner`: no module is shorter than its repository. */
const MIN_SEGMENTS = 3;

function mappedModule(catalogue: Catalogue, key: string): string | undefined {
  const segments = key.split("/");
  for (let end = segments.length - 1; end >= MIN_SEGMENTS; end -= 1) {
    const module = segments.slice(0, end).join("/");
    if (catalogue.purl(module)) return module;
  }
  return undefined;
}

const versioned = (module: string, { version = "" }: PurlKey): string => `${module} ${version}`;

/** How many distinct paths of each mapped module the document lists with one version. */
function countPaths(catalogue: Catalogue, document: ComponentDocument | null): ReadonlyMap<string, number> {
  const paths = new Map<string, Set<string>>();
  for (const { purls } of document?.components ?? [])
    for (const text of purls) {
      const purl = goPurl(text);
      const module = purl && (catalogue.purl(purl.key) ? purl.key : mappedModule(catalogue, purl.key));
      if (!purl || module === undefined) continue;
      const known = paths.get(versioned(module, purl));
      if (known) known.add(purl.key);
      else paths.set(versioned(module, purl), new Set([purl.key]));
    }
  return new Map([...paths].map(([module, keys]) => [module, keys.size]));
}

function goPurl(text: Purl): PurlKey | undefined {
  if (!text.startsWith("pkg:golang/")) return undefined;
  const purl = purlKey(text);
  return purl.kind === "purl" ? purl : undefined;
}
