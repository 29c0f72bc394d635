/** What SPDX says of a package by its relationships: whether it is the described software, or needed for development only. */
import type { ComponentKind, ComponentScope } from "../model.ts";

/** A component of which not all is decided yet. */
export interface Markable {
  kind: ComponentKind;
  scope: ComponentScope | undefined;
  readonly bomRef: string | undefined;
}

/** Whether a text says something: SPDX writes NOASSERTION and NONE where others leave a field out. */
export const isStated = (value: string | undefined): value is string =>
  value !== undefined && value.trim() !== "" && value !== "NOASSERTION" && value !== "NONE";

/** `Organization: Example (mail@example.org)` → `Example`. */
export const agentName = (value: string | undefined): string | undefined =>
  isStated(value) ? value.replace(/^(?:Organization|Person|Tool): */, "").replace(/ *\([^()]*\)$/, "") : undefined;

/** Who brings whom in. */
export class Edges {
  readonly dependencies = new Map<string, string[]>();
  /** Refs that something needs for development, and refs that something needs to run. */
  readonly development = new Set<string>();
  readonly runtime = new Set<string>();

  add(from: string, to: string, relation: { readonly development?: boolean; readonly dependency?: boolean }): void {
    const known = this.dependencies.get(from);
    if (known === undefined) this.dependencies.set(from, [to]);
    else known.push(to);
    if (relation.development === true) this.development.add(to);
    else if (relation.dependency === true) this.runtime.add(to);
  }
}

/**
 * Returns the described packages, and marks the only one as the software itself. Of several described packages none
 * stands for the document as a whole, so each of them is a component.
 */
export function markRoots<C extends Markable>(components: readonly C[], described: ReadonlySet<string>): readonly C[] {
  if (described.size === 0) return [];
  const seen = new Set<string>();
  const roots = components.filter(({ bomRef }) => {
    if (bomRef === undefined || !described.has(bomRef) || seen.has(bomRef)) return false;
    seen.add(bomRef);
    return true;
  });
  const [root] = roots;
  if (root?.kind === "other" && roots.length === 1 && components.length > 1) root.kind = "root";
  return roots;
}

/** A package that is needed to run anywhere is none for development only. */
export function markDevelopment(components: readonly Markable[], { development, runtime }: Edges): void {
  for (const component of components) {
    const { bomRef } = component;
    if (bomRef !== undefined && development.has(bomRef) && !runtime.has(bomRef)) component.scope = "development";
  }
}

/** The described packages first, the others in document order. */
export function rootsFirst<C extends Markable>(roots: readonly C[], components: readonly C[]): readonly C[] {
  const first = new Set(roots);
  return [...roots, ...components.filter((component) => !first.has(component))];
}
