/**
 * Dockerfiles: the images of `FROM` and `COPY --from`, with the arguments declared before the first stage put in. A stage
 * that builds on another stage is no image.
 */
import { imagePins } from "./images.ts";
import { sourceLines } from "./pin.ts";
import type { Pin, PinReader } from "./pin.ts";

interface Instruction {
  readonly word: string;
  readonly rest: string;
  readonly at: number;
}

/** Logical lines: comments dropped, continuations joined, the bodies of here-documents left out. */
function instructions(text: string): readonly Instruction[] {
  const escape = /^#\s*escape\s*=\s*`/im.test(text) ? "`" : "\\";
  const found: Instruction[] = [];
  let open: { text: string; at: number } | undefined;
  let until: string | undefined;
  for (const line of sourceLines(text)) {
    if (until !== undefined) {
      if (line.text.trim() === until) until = undefined;
      continue;
    }
    if (/^\s*#/.test(line.text) || (open && line.text.trim() === "")) continue;
    const start: { text: string; at: number } = open ?? { text: "", at: line.at };
    const continues = line.text.trimEnd().endsWith(escape);
    const joined = `${start.text} ${continues ? line.text.trimEnd().slice(0, -1) : line.text}`;
    open = continues ? { text: joined, at: start.at } : undefined;
    if (continues) continue;
    const [, word, rest] = /^\s*([A-Za-z]+)\s+(.*)$/.exec(joined) ?? [];
    if (word === undefined || rest === undefined) continue;
    found.push({ word: word.toUpperCase(), rest: rest.trim(), at: start.at });
    until = /^(?:RUN|COPY|ADD)$/i.test(word) ? /<<-?\s*["']?(\w+)["']?/.exec(rest)?.[1] : undefined;
  }
  return found;
}

const VARIABLE = /\$(?:\{(?<name>\w+)(?:(?<rule>:?[-+])(?<other>[^}]*))?\}|(?<plain>\w+))/g;

/** `${NAME}`, `$NAME`, `${NAME:-default}`, `${NAME:+other}`; what is not known stays as written. */
export function substitute(text: string, known: ReadonlyMap<string, string>): string {
  return text.replace(VARIABLE, (whole: string, ...captures: readonly unknown[]) => {
    const { name, rule, other = "", plain } = captures.at(-1) as Readonly<Record<string, string | undefined>>; // named groups come last
    const value = known.get(name ?? plain ?? "");
    const isSet = value !== undefined && (value !== "" || rule?.startsWith(":") !== true);
    if (rule?.endsWith("+")) return isSet ? other : "";
    if (rule?.endsWith("-")) return isSet ? value : other;
    return value ?? whole;
  });
}

function fromImage(rest: string): { readonly image: string; readonly stage: string | undefined } {
  const words = rest.split(/\s+/).filter((word) => !word.startsWith("--"));
  const [image = "", as, stage] = words;
  return { image, stage: as?.toUpperCase() === "AS" ? stage?.toLowerCase() : undefined };
}

export const dockerfile: PinReader = (text) => {
  const pins: Pin[] = [];
  const stages = new Set<string>();
  const known = new Map<string, string>();
  let inStage = false;
  const add = (written: string, at: number): void => {
    const image = substitute(written, known).replace(/^(["'])(.*)\1$/, "$2");
    if (image === "scratch" || image === "" || stages.has(image.toLowerCase()) || /^\d+$/.test(image)) return;
    const start = Math.max(text.indexOf(written, at), at);
    pins.push(...imagePins(image, { at: start, length: written.length }));
  };
  for (const { word, rest, at } of instructions(text)) {
    if (word === "ARG" && !inStage) declare(rest, known);
    if (word === "FROM") {
      const { image, stage } = fromImage(rest);
      add(image, at);
      inStage = true;
      if (stage !== undefined) stages.add(stage);
    }
    const copied = word === "COPY" ? /--from=(\S+)/.exec(rest)?.[1] : undefined;
    if (copied !== undefined) add(copied, at);
  }
  return pins;
};

/** `ARG NODE=18 FLAVOUR="alpine"`: several on one line, each with or without a default. */
function declare(rest: string, known: Map<string, string>): void {
  for (const [, name = "", value] of rest.matchAll(/(\w+)(?:=("[^"]*"|'[^']*'|\S*))?/g)) {
    if (value !== undefined) known.set(name, substitute(value.replace(/^(["'])(.*)\1$/, "$2"), known));
  }
}
