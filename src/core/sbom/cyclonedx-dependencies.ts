/** Reads who depends on whom when a path is asked for. The bytes were checked when the document was read. */
import type { Texts } from "./json/texts.ts";
import { members, Walk, type Shape } from "./json/walk.ts";

class Reading {
  readonly dependencies = new Map<string, string[]>();
  ref: string | undefined;
  on: string[] = [];
}

const list: Shape<Reading> = {
  met: (into) => {
    into.on = [];
  },
  elements: { text: (into, walk) => void into.on.push(walk.text()) },
};

const dependencies: Shape<Reading> = {
  elements: {
    open: (into) => {
      into.ref = undefined;
      into.on = [];
    },
    members: members(() => ({
      ref: {
        met: (into) => {
          into.ref = undefined;
        },
        text: (into, walk) => {
          into.ref = walk.text();
        },
      },
      dependsOn: list,
    })),
    close: ({ dependencies, ref, on }) => {
      if (ref === undefined) return;
      const before = dependencies.get(ref);
      if (before === undefined) dependencies.set(ref, on);
      else for (const each of on) before.push(each);
    },
  },
};

export function readCycloneDxDependencies(
  bytes: Uint8Array,
  at: number | undefined,
  texts: Texts,
): ReadonlyMap<string, string[]> {
  const into = new Reading();
  if (at !== undefined) new Walk(bytes, at, into, texts).value(dependencies);
  return into.dependencies;
}
