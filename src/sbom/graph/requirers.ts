/** Which components require a component, and in which range, as their document states it. */
import { hashOfText } from "../../json-rows/bytes.ts";
import type { Component, ParsedDocument } from "../../model/index.ts";
import { lazy } from "../../text/values.ts";
import { DocumentComponent } from "../component.ts";

export interface StatedRequirer {
  /** The index of the component in its document. */
  readonly index: number;
  /** As written; undefined where the document states none. */
  readonly range: string | undefined;
}

/** What a document states about those who require a component. */
export interface StatedRequirement {
  /** The project itself requires it; undefined where the document does not state what the project requires. */
  readonly isDirect: boolean | undefined;
  readonly requirers: readonly StatedRequirer[];
}

/** The requirers that a document states. The graph is read, and turned around, at the first question. */
export interface StatedRequirements {
  /** Whether it states the ranges in which components are required. Only lockfiles do. */
  readonly haveRanges: boolean;
  /** The index of the first component of a ref. */
  readonly indexOf: (ref: string) => number | undefined;
  readonly on: (ref: string) => StatedRequirement;
}

type StatingDocument = Pick<ParsedDocument, "components" | "roots" | "dependencies" | "format">;

export function requirersIn(document: StatingDocument): StatedRequirements {
  const indexOf = lazy(() => indexByRef(document.components));
  const search = lazy(() => createSearch(document, indexOf()));
  return {
    haveRanges: document.format === "lockfile" && document.dependencies().rangeOf !== undefined,
    indexOf: (ref) => indexOf()(ref),
    on: (ref) => search()(ref),
  };
}

function createSearch(
  { components, roots, dependencies, format }: StatingDocument,
  indexOf: (ref: string) => number | undefined,
): StatedRequirements["on"] {
  const { graph, rangeOf } = dependencies();
  const { offsets, origins } = turnedAround(graph);
  const known = new Set(roots);
  // The roots of a lockfile are the direct dependencies; those of an SBOM are the described software.
  const isLockfile = format === "lockfile";
  return (ref) => {
    const id = graph.refs.idOf(ref);
    const above = id === undefined ? [] : origins.subarray(offsets[id], offsets[id + 1]);
    const refs = [...new Set(above)].map((origin) => graph.refs.refOf(origin));
    const requirers = refs.flatMap((each): readonly StatedRequirer[] => {
      const index = known.has(each) && !isLockfile ? undefined : indexOf(each);
      const component = index === undefined ? undefined : components.at(index);
      return index === undefined || component === undefined || isPartOfProject(component)
        ? []
        : [{ index, range: rangeOf?.(each, ref) }];
    });
    const isRoot = isLockfile ? known.has(ref) : requirers.length < refs.length;
    return { isDirect: isRoot || (roots.length > 0 && refs.length > 0 ? false : undefined), requirers };
  };
}

/** The described software, its modules and the files that list packages have no identifier of a package. */
const isPartOfProject = ({ kind, purls, cpes }: Component): boolean =>
  kind === "root" || (purls.length === 0 && cpes.length === 0);

/** For each id, the ids that depend on it: a counting sort. */
function turnedAround(graph: ReturnType<ParsedDocument["dependencies"]>["graph"]): {
  readonly offsets: Int32Array;
  readonly origins: Int32Array;
} {
  const { size } = graph.refs;
  const offsets = new Int32Array(size + 2);
  for (let id = 0; id < size; id++)
    graph.eachDependency(id, (to) => void (offsets[to + 2] = (offsets[to + 2] ?? 0) + 1));
  for (let id = 1; id < offsets.length; id++) offsets[id] = (offsets[id] ?? 0) + (offsets[id - 1] ?? 0);
  const origins = new Int32Array(offsets.at(-1) ?? 0);
  for (let id = 0; id < size; id++) {
    graph.eachDependency(id, (to) => {
      const at = offsets[to + 1] ?? 0;
      origins[at] = id;
      offsets[to + 1] = at + 1;
    });
  }
  return { offsets, origins };
}

/** The index of the first component of a ref. By the hashes of refs, which are known without decoding them. */
function indexByRef(components: ParsedDocument["components"]): (ref: string) => number | undefined {
  const byHash = new Map<number, number[]>();
  for (let index = 0; index < components.length; index++) {
    const component = components.at(index);
    const hash = component instanceof DocumentComponent ? component.refHash : hashOfText(component?.bomRef ?? "");
    const same = byHash.get(hash);
    if (same === undefined) byHash.set(hash, [index]);
    else same.push(index);
  }
  return (ref) => byHash.get(hashOfText(ref))?.find((index) => components.at(index)?.bomRef === ref);
}
