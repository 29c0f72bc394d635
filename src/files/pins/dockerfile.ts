/**
 * Dockerfiles: the images of `FROM` and `COPY --from`, with the arguments that are declared before the first stage
 * substituted. A stage that builds on another stage is not an image.
 */
import { substitute } from "../expansion.ts";
import { imagePins } from "./images.ts";
import { blanked, found, type Pin, type PinReader } from "./pin.ts";
import { linesOf } from "../tree/tree.ts";

interface Instruction {
  readonly keyword: string;
  readonly rest: string;
  readonly at: number;
}

/** Logical lines: without comments and the bodies of here-documents, with continuation lines joined. */
function instructions(text: string): readonly Instruction[] {
  const escape = /^#\s*escape\s*=\s*`/im.test(text) ? "`" : "\\";
  const found: Instruction[] = [];
  let open: JoinedLine | undefined;
  let until: string | undefined;
  for (const line of linesOf(text)) {
    if (until !== undefined) {
      if (line.text.trim() === until) until = undefined;
      continue;
    }
    if (isSkipped(line.text, open !== undefined)) continue;
    const joined = join(open ?? { text: "", at: line.at }, line.text, escape);
    open = joined.continues ? joined : undefined;
    const instruction = joined.continues ? undefined : instructionOf(joined);
    if (instruction === undefined) continue;
    found.push(instruction);
    until = hereDocumentEnd(instruction);
  }
  return found;
}

/** Comments, and empty lines within an instruction. */
const isSkipped = (text: string, isContinued: boolean): boolean =>
  /^\s*#/.test(text) || (isContinued && text.trim() === "");

interface JoinedLine {
  readonly text: string;
  readonly at: number;
}

function join({ text, at }: JoinedLine, line: string, escape: string): JoinedLine & { readonly continues: boolean } {
  const continues = line.trimEnd().endsWith(escape);
  return { text: `${text} ${continues ? line.trimEnd().slice(0, -1) : line}`, at, continues };
}

function instructionOf({ text, at }: JoinedLine): Instruction | undefined {
  const [, keyword, rest] = /^\s*([A-Za-z]+)\s+(.*)$/.exec(text) ?? [];
  return keyword === undefined || rest === undefined
    ? undefined
    : { keyword: keyword.toUpperCase(), rest: rest.trim(), at };
}

/** The line that ends a here-document, if the instruction begins one. */
const hereDocumentEnd = ({ keyword, rest }: Instruction): string | undefined =>
  /^(?:RUN|COPY|ADD)$/.test(keyword) ? /<<-?\s*["']?(\w+)["']?/.exec(rest)?.[1] : undefined;

function fromImage(rest: string): { readonly image: string; readonly stage: string | undefined } {
  const args = rest.split(/\s+/).filter((arg) => !arg.startsWith("--"));
  const [image = "", as, stage] = args;
  return { image, stage: as?.toUpperCase() === "AS" ? stage?.toLowerCase() : undefined };
}

export const dockerfile: PinReader = (text) => {
  const pins: Pin[] = [];
  const stages = new Set<string>();
  const known = new Map<string, string>();
  let inStage = false;
  const add = (written: string, at: number): void => {
    const image = substitute(written, known).replaceAll(/["']/g, "");
    if (image === "scratch" || image === "" || stages.has(image.toLowerCase()) || /^\d+$/.test(image)) return;
    const start = Math.max(text.indexOf(written, at), at);
    pins.push(...imagePins(image, { at: start, length: written.length }));
  };
  for (const { keyword, rest, at } of instructions(text)) {
    if (keyword === "ARG" && !inStage) declare(rest, known);
    if (keyword === "FROM") {
      const { image, stage } = fromImage(rest);
      add(image, at);
      inStage = true;
      if (stage !== undefined) stages.add(stage);
    }
    const copied = keyword === "COPY" ? /--from=(\S+)/.exec(rest)?.[1] : undefined;
    if (copied !== undefined) add(copied, at);
  }
  return pins;
};

/** Targets contain instructions. `FROM +target`, `FROM ./folder+target` and `FROM DOCKERFILE .` refer to other builds. */
export const earthfile: PinReader = (text, related) => [
  ...dockerfile(blanked(text, /\bFROM[ \t]+(?:DOCKERFILE\b|[^\s+]*\+).*$/gm), related),
  ...found(text, /[ \t]--pull[ =]([^\s\\]+)/dg, 1).flatMap(({ matched, location }) => imagePins(matched, location)),
];

/** `ARG NODE=18 FLAVOUR="alpine"`: several on one line, each with or without a default. */
function declare(rest: string, known: Map<string, string>): void {
  for (const [, name = "", value] of rest.matchAll(/(\w+)(?:=("[^"]*"|'[^']*'|\S*))?/g)) {
    if (value !== undefined) known.set(name, substitute(value.replace(/^(["'])(.*)\1$/, "$2"), known));
  }
}
