/**
 * Packages of Go modules. Some generators list every package (`github.com/docker/docker/client`), which has the version
 * of its module. A nested module (`github.com/hashicorp/consul/api`) has the same form and a version of its own, and
 * the path does not distinguish the two (https://go.dev/ref/mod#modules-overview). Therefore a path belongs to its
 * longest mapped module only if the purl marks it as a package, or if the document lists the module itself with the
 * same version. Other paths below the module prove nothing: they may be packages of the same nested module.
 */
import type { Catalogue, ComponentDocument } from "../../model/index.ts";
import { getOwn } from "../../text/values.ts";
import { purlKey, type PurlKey } from "./key.ts";

/** The key of the mapped module that a package belongs to; undefined when there is none, or no evidence for it. */
export type GoModuleFinder = (purl: PurlKey) => string | undefined;

export function goModuleFinder(catalogue: Catalogue, document: ComponentDocument | null): GoModuleFinder {
  let modules: ReadonlySet<string> | undefined;
  return (purl) => {
    const module = mappedModule(catalogue, purl.key);
    if (module === undefined || isNested(catalogue, module, purl.key)) return undefined;
    if (purl.qualifier("type") === "package") return module;
    modules ??= listedModules(catalogue, document);
    return modules.has(versioned(module, purl)) ? module : undefined;
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

/** Whether the path is in a recorded nested module. */
function isNested({ facts }: Catalogue, module: string, key: string): boolean {
  const path = `${key.slice(module.length + 1)}/`;
  return (
    getOwn(facts.packageEvidence.nestedGoModules, module)?.some((nested) => path.startsWith(`${nested}/`)) ?? false
  );
}

const versioned = (module: string, { version = "" }: PurlKey): string => `${module} ${version.replace(/^v/, "")}`;

/** The mapped modules that the document lists by their own path, with their versions. */
function listedModules(catalogue: Catalogue, document: ComponentDocument | null): ReadonlySet<string> {
  const modules = new Set<string>();
  for (const { purls } of document?.components ?? [])
    for (const text of purls) {
      const purl = text.startsWith("pkg:golang/") ? purlKey(text) : undefined;
      if (purl?.kind === "purl" && catalogue.purl(purl.key)) modules.add(versioned(purl.key, purl));
    }
  return modules;
}
