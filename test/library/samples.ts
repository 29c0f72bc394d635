/** The TypeScript samples of the documentation and of the docstrings of the public library. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { markdownPages } from "../repository/markdown.ts";
import { parseSource, root } from "../repository/sources.ts";

export interface Sample {
  /** `docs/library.md 1` */
  readonly name: string;
  readonly code: string;
  /** Marked `ts run`: it is executed too. */
  readonly run: boolean;
}

const SOURCES = ["src/index.ts", "src/api/library.ts"];

function samplesOf(path: string, text: string): readonly Sample[] {
  return [...text.matchAll(/^```ts( run)?\n([^]*?)^```$/gm)].map(([, run, code = ""], index) => ({
    name: `${path} ${String(index + 1)}`,
    code,
    run: run !== undefined,
  }));
}

function docstrings(path: string): string {
  const { comments } = parseSource(path, readFileSync(join(root, path), "utf8"));
  return comments.map(({ text }) => text.replaceAll(/^ *\* ?/gm, "")).join("\n");
}

export const SAMPLES: readonly Sample[] = [
  ...markdownPages()
    .filter(({ path }) => !path.endsWith(".api.md"))
    .flatMap(({ path, text }) => samplesOf(path, text)),
  ...SOURCES.flatMap((path) => samplesOf(path, docstrings(path))),
];
