/**
 * Plans the changes of the version pins of one file: each pin that fails moves to the nearest supported release cycle.
 * Nothing is written here. `verify.ts` reads the changed text again before a change counts.
 */
import type { Edit } from "../enrich/edits.ts";
import { isPlace } from "../lifecycle/assess.ts";
import type { Advice, Assessment, CycleRef, Finding, ReleaseCycle, UpgradeTarget } from "../model/index.ts";
import { duplicates, type ListEntry } from "./lists.ts";
import { type Move, type Obstacle, type Replacement, rewrite } from "./writing.ts";

export interface PinChange {
  /** The release cycle that fails, with its sources. */
  readonly from: Assessment;
  readonly to: ReleaseCycle;
  /** The word that contains the version, before and after. */
  readonly before: string;
  /** Empty for an entry that is removed, because its list has the new version already. */
  readonly after: string;
  readonly edit: Edit;
  /** Bytes at which the pins begin that this change is for. */
  readonly pins: readonly number[];
}

/** A pin that fails and is not changed. */
export interface UnchangedPin {
  readonly from: Assessment;
  readonly written: string;
  /** The byte at which it begins. */
  readonly at: number;
  readonly obstacle: Obstacle | "model" | "no-target" | "not-verified";
  readonly to?: ReleaseCycle;
  readonly successor?: string;
}

export interface FixPlan {
  readonly changes: readonly PinChange[];
  readonly unchanged: readonly UnchangedPin[];
}

/** What a plan needs of the catalogue. */
export interface FixTargets {
  readonly advice: (releaseCycle: CycleRef) => Advice | undefined;
  readonly cycle: (releaseCycle: CycleRef) => ReleaseCycle | undefined;
}

/** The findings of one pin: an image tag can name several products, and a variable can be used several times. */
interface PinGroup {
  readonly start: number;
  readonly end: number;
  readonly findings: readonly Finding[];
}

/** Plans the changes of a file of version pins, from the findings of all of its pins. */
export function planFixes(bytes: Uint8Array, findings: readonly Finding[], targets: FixTargets): FixPlan {
  const source = new SourceText(bytes);
  const unchanged: UnchangedPin[] = [];
  const changes: { readonly group: PinGroup; readonly move: Planned }[] = [];
  const groups = groupsOf(findings);
  for (const group of groups) {
    const failing = group.findings.find(isFailing);
    if (failing === undefined) continue;
    const move = planned(source, group, failing, targets);
    if ("obstacle" in move) unchanged.push(move);
    else changes.push({ group, move });
  }
  return { changes: withoutDuplicates(source, groups, changes), unchanged };
}

const isFailing = ({ outcome, assessment }: Finding): boolean =>
  outcome.severity === "fail" && outcome.waived === undefined && (outcome.assessment ?? assessment) !== undefined;

function groupsOf(findings: readonly Finding[]): readonly PinGroup[] {
  const byPlace = Map.groupBy(findings, ({ component: { span } }) => `${span.start} ${span.end}`);
  return [...byPlace.values()]
    .flatMap((same) => {
      const span = same[0]?.component.span;
      return span === undefined ? [] : [{ ...span, findings: same }];
    })
    .toSorted((a, b) => a.start - b.start);
}

/** A replacement in the text of the file, in UTF-16 units. */
interface Planned {
  readonly from: Assessment;
  readonly to: ReleaseCycle;
  readonly replacement: Replacement;
}

/** No version is written into a place that has ended: what replaces the place is named. */
function decidingOf({ outcome, assessment, distroAssessment }: Finding): Assessment {
  const from = isPlace(distroAssessment) ? distroAssessment : (outcome.assessment ?? assessment);
  if (from === undefined) throw new TypeError("a failing pin has an assessment");
  return from;
}

function planned(
  source: SourceText,
  group: PinGroup,
  finding: Finding,
  { advice, cycle }: FixTargets,
): Planned | UnchangedPin {
  const from = decidingOf(finding);
  const written = source.text(group.start, group.end);
  const left = { from, written, at: group.start };
  const { nearest, longest, successor } = advice(from.releaseCycle) ?? {};
  const to = targetOf(nearest ?? longest, cycle);
  if (to === undefined) return { ...left, obstacle: "no-target", ...(successor !== undefined && { successor }) };
  // Prompts and limits depend on the model, and no vendor names this one as the successor.
  if (finding.component.kind === "model") return { ...left, obstacle: "model", to };
  if (versionsOf(group, written).size > 1) return { ...left, obstacle: "several", to };
  const move = { component: finding.component, from: from.cycle, to };
  const replacement = replacementIn(source, group.start, written, move);
  return typeof replacement === "string" ? { ...left, obstacle: replacement, to } : { from, to, replacement };
}

const targetOf = (target: UpgradeTarget | undefined, cycle: FixTargets["cycle"]): ReleaseCycle | undefined =>
  target && cycle(target.releaseCycle);

/** In the text of the pin, or in the value of a variable that it uses. */
function replacementIn(source: SourceText, start: number, written: string, move: Move): Replacement | Obstacle {
  const at = source.unitOf(start);
  const found = rewrite(written, move);
  if (typeof found !== "string") return { ...found, at: at + found.at };
  const declared = found === "variable" ? declaration(source.whole, written, at) : undefined;
  const inValue = declared === undefined ? found : rewrite(declared.text, move);
  return declared === undefined || typeof inValue === "string" ? found : { ...inValue, at: declared.at + inValue.at };
}

/**
 * The versions that one pin states. What the catalogue knows of the text as a whole moves with it: the label of a runner
 * image (`ubuntu-20.04`), and the runtime of an action (`actions/cache@v1`).
 */
const versionsOf = ({ findings }: PinGroup, written: string): ReadonlySet<string> =>
  new Set(
    findings.flatMap(({ component: { name, version } }) =>
      version === undefined || name === written.replaceAll(/["']/g, "") ? [] : [`${name} ${version}`],
    ),
  );

/** Where a file sets a variable, by the name that a text uses. Group 1 of the pattern is the value. */
const DECLARATIONS: readonly {
  readonly use: RegExp;
  readonly pattern: (name: string) => string;
  /** Only values above the use count. */
  readonly isAbove?: true;
}[] = [
  // `ARG NODE=18`, `NODE: "18"`
  {
    use: /\$\{?(\w+)/g,
    pattern: (name) => `^[ \\t]*(?:ARG[ \\t]+)?${name}[ \\t]*[=:][ \\t]*["']?([^"'\\s#]+)`,
    isAbove: true,
  },
  // A block of Terraform ends with a brace at the start of a line.
  {
    use: /\bvar\.(\w+)/g,
    pattern: (name) => `^variable[ \\t]+"${name}"[ \\t]*\\{(?:(?!^\\})[^])*?\\bdefault[ \\t]*=[ \\t]*"([^"\\n]*)"`,
  },
  { use: /\blocal\.(\w+)/g, pattern: (name) => `^[ \\t]+${name}[ \\t]*=[ \\t]*"([^"\\n]*)"` },
];

/** The value of a variable that the text uses, where the file sets it. */
function declaration(
  whole: string,
  written: string,
  before: number,
): { readonly text: string; readonly at: number } | undefined {
  for (const { use, pattern, isAbove } of DECLARATIONS)
    for (const [, name = ""] of written.matchAll(use)) {
      const found = new RegExp(pattern(name), "dm").exec(isAbove ? whole.slice(0, before) : whole);
      const [start, end] = found?.indices?.[1] ?? [];
      if (start !== undefined) return { text: whole.slice(start, end), at: start };
    }
  return undefined;
}

/** Changes at the same place are one; a changed entry whose list has the new text already is removed. */
function withoutDuplicates(
  source: SourceText,
  groups: readonly PinGroup[],
  planned: readonly { readonly group: PinGroup; readonly move: Planned }[],
): readonly PinChange[] {
  const byGroup = new Map(planned.map((each) => [each.group, each.move]));
  const entries = new Map(groups.map((group) => [group, entryOf(source, group, byGroup.get(group))]));
  const removed = duplicates(source.whole, [...entries.values()]);
  const changes = new Map<number, PinChange>();
  for (const { group, move } of planned) {
    const entry = entries.get(group);
    const gone = entry && removed.get(entry);
    const { at, length, text } = gone ? { ...gone, text: "" } : move.replacement;
    const known = changes.get(at);
    const [left, right] = source.around(at, at + length);
    const old = source.whole.slice(at, at + length);
    changes.set(at, {
      from: move.from,
      to: move.to,
      before: gone ? source.text(group.start, group.end) : left + old + right,
      after: gone ? "" : left + text + right,
      edit: { start: source.byteOf(at), end: source.byteOf(at + length), text: Buffer.from(text) },
      pins: [...(known?.pins ?? []), ...(gone ? [] : [group.start])],
    });
  }
  return [...changes.values()].toSorted((a, b) => a.edit.start - b.edit.start);
}

function entryOf(source: SourceText, { start, end }: PinGroup, move: Planned | undefined): ListEntry {
  const [at, text] = [source.unitOf(start), source.text(start, end)];
  const place = { at, length: text.length };
  if (move === undefined) return { ...place, text, isChanged: false };
  const { replacement } = move;
  const inside = replacement.at - at;
  const isInside = inside >= 0 && inside < text.length;
  const changed = text.slice(0, inside) + replacement.text + text.slice(inside + replacement.length);
  return { ...place, text: isInside ? changed : text, isChanged: isInside };
}

const LONGEST_WORD = 100;

/** The text of a file, by bytes and by UTF-16 units. */
class SourceText {
  readonly whole: string;
  private readonly bytes: Buffer;

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.whole = this.bytes.toString("utf8");
  }

  text(start: number, end: number): string {
    return this.bytes.toString("utf8", start, end);
  }

  /** The rest of the word on both sides of a range. */
  around(start: number, end: number): readonly [left: string, right: string] {
    const left = /[^\s"'`,;<>[\]{}()]*$/.exec(this.whole.slice(Math.max(0, start - LONGEST_WORD), start));
    const right = /^[^\s"'`,;<>[\]{}()]*/.exec(this.whole.slice(end, end + LONGEST_WORD));
    return [left?.[0] ?? "", right?.[0] ?? ""];
  }

  unitOf(byte: number): number {
    return this.text(0, byte).length;
  }

  byteOf(unit: number): number {
    return Buffer.byteLength(this.whole.slice(0, unit));
  }
}
