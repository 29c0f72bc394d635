/**
 * The names by which inputs become components: variables and repositories of images, tools in files with pins. A question
 * to a catalogue starts with a component, so its answer does not show that an input became another one, or none. These rows
 * are compared themselves: rows in use stay, and a new row is accepted where it takes no input from a row in use.
 */
import { isDeepStrictEqual } from "node:util";
import { runtimeOf } from "../../resolve/action.ts";
import { EolgateError } from "../../messages/error.ts";
import { formatList } from "../../messages/format.ts";
import type { Catalogue, Component, NamedTool, ToolNames } from "../../model/index.ts";
import { createAssessContext } from "../../resolve/answer.ts";
import { NO_COMPONENT } from "../../resolve/resolve.ts";
import { asPurl, type IsoDate, type Purl } from "../../text/ids.ts";
import { getOwn, keysOf } from "../../text/values.ts";
import type { ComparedContent } from "../load.ts";
import type { StoredContent } from "../schema.ts";

export interface HeldName {
  readonly section: "tools" | "imageVariables";
  readonly row: string;
  readonly version: "";
  /** An added row is left out; of a lost or changed one, the row in use is kept. */
  readonly change: "added" | "changed";
}

/** More lost or changed rows than this are not single corrections. */
const ACCEPTED = 20;

type NameTable<Row> = Readonly<Record<string, Row>>;
/** Whether the catalogue in use finds no product for a component. */
type UnknownTest = (component: Partial<Component>) => boolean;
/** Whether a row may replace the one in use, which it does not equal, or be added where there is none. */
type Acceptance<Row> = (after: Row, before: Row | undefined, key: string, isUnknown: UnknownTest) => boolean;

type PinTableName = Exclude<keyof ToolNames, "serviceActions">;
type ToolTables = { readonly [Name in PinTableName]: NameTable<ToolNames[Name][string]> };
const TOOLS: { readonly [Name in PinTableName]: Acceptance<ToolNames[Name][string]> } = {
  // A tool without a row is looked up by its name.
  tools: (_, before, name, isUnknown) => before === undefined && isUnknown({ name }),
  // A row of these decides before other rows and names, for inputs that cannot be listed.
  javaVendors: () => false,
  registries: () => false,
  systemCodeNames: () => false,
  imageMirrors: () => false,
  streamImages: () => false,
  // A further stream is one whose image was listed as not assessed.
  streamPackages: (_, before) => before === undefined,
  images: (after, before, repository, isUnknown) => {
    const { also = [], ...row } = before ?? {};
    const { also: alsoAfter = [], ...rowAfter } = after;
    // Of two patterns that match the same part of a tag, the first decides.
    if (!isDeepStrictEqual(alsoAfter.slice(0, also.length), also)) return false;
    return isDeepStrictEqual(rowAfter, row) || (before === undefined && isUnknown({ purls: [purlOf(repository)] }));
  },
  actions: (after, before = {}) =>
    [...Object.keys(before), ...Object.keys(after)].every((ref) => {
      const runtime = runtimeOf(before, ref);
      return runtime === undefined || runtime === runtimeOf(after, ref);
    }),
  runners: (after, before = []) => before.every((label) => after.includes(label)),
};
/** A name that begins with a digit could come before the rows in use. */
const isNewVariable: Acceptance<NamedTool> = (_, before, name) => before === undefined && !/^\d/.test(name);

const purlOf = (repository: string): Purl =>
  asPurl(`pkg:oci/${repository.slice(repository.lastIndexOf("/") + 1)}?repository_url=${repository}`);

interface HoldNamesOptions {
  readonly origin: string;
  readonly today: IsoDate;
  /** The catalogue of this release. Default: the older one. */
  readonly trusted?: StoredContent | undefined;
}

/**
 * The newer content with the rows of the older one that it lacks or changes, and without new rows that decide about inputs
 * of older ones.
 * @throws EolgateError `catalogue`, code `update-shrunken`.
 */
export function holdInputNames(
  { content: older, catalogue }: ComparedContent,
  newer: StoredContent,
  { origin, today, trusted = older }: HoldNamesOptions,
): { readonly content: StoredContent; readonly held: readonly HeldName[] } {
  const held: HeldName[] = [];
  const isUnknown = unknownTest(catalogue, today);
  const hold = (section: HeldName["section"], row: string, change: HeldName["change"] = "changed") =>
    held.push({ section, row, version: "", change });
  function keep<Row>(
    section: HeldName["section"],
    accepts: Acceptance<Row>,
    [before, after, known]: readonly [NameTable<Row>, NameTable<Row>, NameTable<Row>],
  ): NameTable<Row> {
    const kept = new Map(Object.entries(after));
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const [was, is] = [getOwn(before, key), getOwn(after, key)];
      // To return to the catalogue of this release is no change, and no loss.
      if (isDeepStrictEqual(was, is) || (trusted !== older && isDeepStrictEqual(getOwn(known, key), is))) continue;
      if (is !== undefined && accepts(is, was, key, isUnknown)) continue;
      hold(section, key, was === undefined ? "added" : "changed");
      if (was === undefined) kept.delete(key);
      else kept.set(key, was);
    }
    return Object.fromEntries(kept);
  }
  const tables: readonly [ToolTables, ToolTables, ToolTables] = [older.tools, newer.tools, trusted.tools];
  const keepTools = <Name extends PinTableName>(name: Name) =>
    keep("tools", TOOLS[name], [tables[0][name], tables[1][name], tables[2][name]]);
  const variables = keep("imageVariables", isNewVariable, [
    older.imageVariables,
    newer.imageVariables,
    trusted.imageVariables,
  ]);
  const remaining = Object.fromEntries(Object.entries(older.imageVariables).filter(([name]) => name in variables));
  for (const variable of overtaken(remaining, variables)) hold("imageVariables", variable);
  const tools = Object.fromEntries(keysOf(TOOLS).map((name) => [name, keepTools(name)]));
  const { serviceActions } = newer.tools;
  const known = older.tools.serviceActions.filter((name) => trusted.tools.serviceActions.includes(name));
  for (const name of known) if (!serviceActions.includes(name)) hold("tools", name);
  refuseTooMany(held, origin);
  if (held.length === 0) return { content: newer, held };
  const content = {
    ...newer,
    imageVariables: { ...remaining, ...variables },
    tools: {
      ...newer.tools,
      ...tools,
      serviceActions: [...new Set([...known, ...serviceActions])],
    },
  };
  return { content, held };
}

function unknownTest(catalogue: Catalogue, asOf: IsoDate): UnknownTest {
  const { resolve } = createAssessContext(catalogue, { strict: false, asOf });
  return (component) => {
    const resolution = resolve({ ...NO_COMPONENT, ...component });
    return resolution.kind === "unmatched" && NOT_TRACKED.has(resolution.reason);
  };
}

const NOT_TRACKED: ReadonlySet<string> = new Set(["name-not-recognised", "purl-not-tracked"]);

/** Of the variables of one name, the first decides: those in use that come after another one now. */
function overtaken(before: StoredContent["imageVariables"], after: StoredContent["imageVariables"]): readonly string[] {
  const variablesOf = (table: typeof before, name: string) =>
    Object.entries(table).flatMap(([variable, row]) => (row.name === name ? [variable] : []));
  return [...new Set(Object.values(before).map(({ name }) => name))].flatMap((name) => {
    const order = variablesOf(after, name);
    return variablesOf(before, name).filter((variable, at) => order[at] !== variable);
  });
}

function refuseTooMany(held: readonly HeldName[], where: string): void {
  const lost = held.flatMap(({ row, change }) => (change === "added" ? [] : [row]));
  if (lost.length <= ACCEPTED) return;
  const problem = `${lost.length} names of tools and images would be lost or changed (${formatList(lost.slice(0, 3))}, …), more than ${ACCEPTED}`;
  throw EolgateError.of("update-shrunken", { problem }).at(where);
}
