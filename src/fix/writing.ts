/**
 * The text of a version pin, rewritten to another release cycle in the writing that it already has: a major stays a
 * major, a full version becomes the latest release that the catalogue names, a code name stays a code name. A text of
 * which another part would no longer fit (a build number, a digest, a second product) is not rewritten.
 */
import type { Component, ReleaseCycle } from "../model/index.ts";

/** Why a pin is not changed. */
export type Obstacle = "digest" | "several" | "variable" | "writing" | "range" | "no-release";

/** A part of a text and what takes its place; offsets are in UTF-16 units. */
export interface Replacement {
  readonly at: number;
  readonly length: number;
  readonly text: string;
}

/** A pin as the file writes it, and the release cycles that it moves from and to. */
export interface Move {
  readonly component: Pick<Component, "version" | "minimum">;
  readonly from: ReleaseCycle;
  readonly to: ReleaseCycle;
}

type Cycle = Pick<ReleaseCycle, "name" | "codename" | "latest">;

/** A version from elsewhere: `$V`, `${{ matrix.node }}`, `{{ .Values.tag }}`, `*alias`, and `var.x` of Terraform. */
const REFERENCE = /\$|\{\{|^\*\w|^(?:var|local)\.\w/;

const NUMBER = /\d+(?:\.\d+)*/g;
const isNumeric = (name: string): boolean => /^\d+(?:\.\d+)*$/.test(name);
const partsOf = (number: string): readonly number[] => number.split(".").map(Number);

/** The place of the version in the text of a pin, or why it has to stay. */
export function rewrite(written: string, { component, from, to }: Move): Replacement | Obstacle {
  if (/@sha\d+:/.test(written)) return "digest";
  const whole = nameOf(written, from, to);
  if (whole !== undefined) return whole;
  // In an image reference, only the tag names the version.
  const tagAt = written.lastIndexOf(":") > written.lastIndexOf("/") ? written.lastIndexOf(":") + 1 : 0;
  const found =
    codeName(written, tagAt, from, to) ?? versionNumber(written, tagAt, component.version ?? "", withNumbers(from, to));
  if (typeof found === "string") return found;
  const rest = written.slice(tagAt, found.at) + written.slice(found.at + found.length);
  if (component.minimum) return rangeProblem(rest, found.text) ?? found;
  // A build number or a second version belongs to the old release.
  return /\d/.test(rest) ? "writing" : found;
}

/** A text that is the name of the cycle: `nodejs18.x` of AWS Lambda, and the monikers of .NET. */
function nameOf(written: string, from: Cycle, to: Cycle): Replacement | undefined {
  const [, quote = "", name = ""] = /^(["']?)(.*)\1$/s.exec(written) ?? [];
  if (name === from.name) return { at: quote.length, length: name.length, text: to.name };
  const [, framework = "", version] = /^net(coreapp)?(\d[\d.]*)(?:-[a-z]+)?$/.exec(name) ?? [];
  if (version === undefined || !isNumeric(to.name)) return undefined;
  const length = framework.length + version.length;
  return { at: quote.length + "net".length, length, text: frameworkVersion(version, to.name) };
}

/** `net452` has no dots; any other framework has two parts. */
function frameworkVersion(old: string, name: string): string {
  if (!old.includes(".")) return name.replaceAll(".", "");
  return name.includes(".") ? name : `${name}.0`;
}

/** `bullseye` → `bookworm`, where the text names the code name of the cycle. */
function codeName(written: string, start: number, from: Cycle, to: Cycle): Replacement | undefined {
  const [old, next] = [from, to].map(({ codename }) => codename?.split(" ")[0]?.toLowerCase());
  if (old === undefined || next === undefined) return undefined;
  const match = new RegExp(`(?<![a-z])${old.replaceAll(/\W/g, "")}(?![a-z])`, "i").exec(written.slice(start));
  return match === null ? undefined : { at: start + match.index, length: old.length, text: next };
}

function versionNumber(written: string, start: number, version: string, to: Cycle): Replacement | Obstacle {
  const number = version.match(NUMBER)?.[0];
  if (number === undefined) return "writing";
  const place = [...written.slice(start).matchAll(NUMBER)].find(([text]) => text === number);
  if (place === undefined) return REFERENCE.test(written) ? "variable" : "writing";
  const text = inWriting(number, to);
  return text === undefined ? "no-release" : { at: start + place.index, length: number.length, text };
}

/** Cycles whose names have a word before the number, `python3.12`, by their numbers. */
function withNumbers(from: Cycle, to: Cycle): Cycle {
  const [word, number] = [from, to].map(({ name }) => /^([a-z]+)(\d+(?:\.\d+)*)(\.x)?$/.exec(name));
  return word && number && word[1] === number[1] ? { ...to, name: number[2] ?? "" } : to;
}

/** The cycle with as many parts as the number has: `24` for `18`, `24.11.1` for `18.20.4`. */
function inWriting(number: string, { name, latest }: Cycle): string | undefined {
  if (!isNumeric(name)) return undefined;
  const parts = partsOf(number).length;
  if (parts === partsOf(name).length) return name;
  const release = latest?.name ?? "";
  if (parts < partsOf(name).length || !isNumeric(release) || !`${release}.`.startsWith(`${name}.`)) return undefined;
  const shown = release.split(".").slice(0, parts);
  return shown.length === parts ? shown.join(".") : undefined;
}

/** The lower bound of a range is raised where no other bound is below it, and there is no alternative. */
function rangeProblem(rest: string, bound: string): Obstacle | undefined {
  const others = rest.match(NUMBER) ?? [];
  return rest.includes("||") || others.some((other) => !isAbove(partsOf(other), partsOf(bound))) ? "range" : undefined;
}

function isAbove(one: readonly number[], other: readonly number[]): boolean {
  const index = one.findIndex((part, at) => part !== (other[at] ?? 0));
  return index >= 0 && (one[index] ?? 0) > (other[index] ?? 0);
}
