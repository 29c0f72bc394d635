/** Adds a waiver to the text of a configuration file, and leaves everything else in it unchanged. */
import { Document, type YAMLMap, type YAMLSeq, isMap, isSeq, parseDocument, stringify } from "yaml";
import { EolgateError } from "../messages/error.ts";
import { readConfig } from "../policy/policy.ts";
import type { Waiver } from "../model/index.ts";
import { asList, isRecord } from "../text/values.ts";
import { yamlProblem } from "../messages/yaml-problem.ts";

/**
 * Adds or replaces the waiver. `text` is empty for a file that does not exist yet. The result is validated like every
 * configuration file.
 * @throws EolgateError `config-not-editable`, `bad-policy`
 */
export function withWaiver(text: string, file: string, waiver: Waiver): EditedFile {
  const refuse = (why: string): EolgateError => broken(file, why);
  const fields = fieldsOf(waiver);
  const edited = file.endsWith(".json") ? editJson(text, fields, refuse) : editYaml(text, fields, refuse);
  // Throws on aliases that would expand a small file to gigabytes.
  const settings = orRefuse(() => parseDocument(edited.text).toJS(), refuse);
  readConfig(settings, file);
  return edited;
}

/** A failure of `parse` as the error of a file that cannot be edited. */
function orRefuse(parse: () => unknown, refuse: (why: string) => EolgateError): unknown {
  try {
    return parse();
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : String(error));
  }
}

/** The fields in the order in which they are written. */
function fieldsOf({ target, reason, expires, approvedBy }: Waiver): WaiverFields {
  return { target, reason, expires, ...(approvedBy !== undefined && { approvedBy }) };
}

/** Order, indentation and the end of the file are kept; JSON has no comments. */
function editJson(text: string, fields: WaiverFields, refuse: (why: string) => EolgateError): EditedFile {
  const value = text.trim() === "" ? {} : orRefuse(() => JSON.parse(text), refuse);
  if (!isRecord(value)) throw refuse("it must be an object of settings");
  const given = value["waivers"] ?? [];
  if (!Array.isArray(given)) throw refuse("waivers must be a list");
  const waivers = asList(given);
  const at = waivers.findIndex((each) => isRecord(each) && each["target"] === fields["target"]);
  const list: readonly unknown[] = at < 0 ? [...waivers, fields] : waivers.with(at, fields);
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? 2;
  const written = JSON.stringify({ ...value, waivers: list }, null, indent);
  return { text: text === "" || text.endsWith("\n") ? `${written}\n` : written, replaced: at >= 0 };
}

const broken = (file: string, why: string): EolgateError =>
  EolgateError.of("config-not-editable", { reason: why }).at(file);

export interface EditedFile {
  readonly text: string;
  /** True if the file already had a waiver for the same target, which was replaced. */
  readonly replaced: boolean;
}

export type WaiverFields = Readonly<Record<string, string>>;

/** `refuse` makes the error for a file that cannot be edited. */
export function editYaml(text: string, fields: WaiverFields, refuse: (why: string) => Error): EditedFile {
  const document = text.trim() === "" ? new Document({}) : parseDocument(text);
  const [error] = document.errors;
  if (error) throw refuse(yamlProblem(error));
  if (document.contents === null) document.contents = document.createNode({});
  if (!isMap(document.contents)) throw refuse("it must be a mapping of settings");
  const list = waiverList(document, refuse);
  const at = indexOfTarget(list, fields["target"]);
  const placed = editInPlace(text, document, list, at)?.(fields);
  const whole = writeAnew(document, list, at, fields);
  return { text: placed !== undefined && isEquivalent(placed, whole) ? placed : whole, replaced: at >= 0 };
}

function waiverList(document: Document, refuse: (why: string) => Error): YAMLSeq | undefined {
  const found: unknown = document.get("waivers");
  if (isSeq(found)) return found;
  if (found !== undefined && found !== null) throw refuse("waivers must be a list");
  return undefined;
}

const indexOfTarget = (list: YAMLSeq | undefined, target: string | undefined): number =>
  list?.items.findIndex((each) => isMap(each) && each.get("target") === target) ?? -1;

/** Undefined if the position cannot be determined. */
type WaiverEdit = ((fields: WaiverFields) => string) | undefined;

/** `at`: the index of the waiver that is replaced, or -1. */
function editInPlace(text: string, document: Document, list: YAMLSeq | undefined, at: number): WaiverEdit {
  if (list === undefined) return appendList(text, document);
  return at < 0 ? appendItem(text, list) : replaceItem(text, list.items[at]);
}

function appendList(text: string, document: Document): WaiverEdit {
  if (text.trim() === "" || document.has("waivers") || (isMap(document.contents) && document.contents.flow))
    return undefined;
  const end = text.endsWith("\n") ? "" : "\n";
  return (fields) => `${text}${lines(text, `${end}waivers:\n${indented(`- ${mapText(fields, 2)}`, 2)}`)}`;
}

function appendItem(text: string, list: YAMLSeq): WaiverEdit {
  const last = list.items.at(-1);
  const indent = itemIndent(text, last);
  if (indent === undefined || list.flow || !isMap(last) || !last.range) return undefined;
  const [, end] = last.range;
  const newline = text[end - 1] === "\n" ? end - 1 : text.indexOf("\n", end);
  const at = newline < 0 ? text.length : newline + 1;
  return (fields) => {
    const item = indented(`- ${mapText(fields, 2)}`, indent);
    return `${text.slice(0, at)}${lines(text, newline < 0 ? `\n${item}` : item)}${text.slice(at)}`;
  };
}

function replaceItem(text: string, item: unknown): WaiverEdit {
  const indent = itemIndent(text, item);
  if (indent === undefined || !isMap(item) || item.flow || !item.range) return undefined;
  const [start, end] = item.range;
  const column = start - (text.lastIndexOf("\n", start - 1) + 1);
  const closing = text[end - 1] === "\n" ? "\n" : "";
  return (fields) =>
    `${text.slice(0, start)}${lines(text, mapText(fields, column).trimEnd() + closing)}${text.slice(end)}`;
}

/** The indentation of an item's dash; undefined if anything else precedes the item on its line. */
function itemIndent(text: string, item: unknown): number | undefined {
  if (!isMap(item) || !item.range) return undefined;
  const [start] = item.range;
  return /^( *)-[ \t]+$/.exec(text.slice(text.lastIndexOf("\n", start - 1) + 1, start))?.[1]?.length;
}

/** The fields as they follow a dash; further lines are indented. */
function mapText(fields: WaiverFields, column: number): string {
  return stringify(fields, { lineWidth: 0 }).replaceAll(/\n(?!$)/g, `\n${" ".repeat(column)}`);
}

const indented = (item: string, by: number): string => item.replaceAll(/^(?=.)/gm, " ".repeat(by));
/** Converts the added text to the line ends of the file. */
const lines = (text: string, added: string): string => (text.includes("\r\n") ? added.replaceAll("\n", "\r\n") : added);

function writeAnew(document: Document, found: YAMLSeq | undefined, at: number, fields: WaiverFields): string {
  const list = found ?? document.createNode([]);
  // An empty `[]` is in flow style, which would make one long line.
  if (list.items.length === 0) list.flow = false;
  const entry = document.createNode(fields);
  if (at < 0) list.items.push(entry);
  else list.items[at] = withComments(list.items[at], entry);
  document.set("waivers", list);
  return document.toString({ lineWidth: 0 });
}

/** Comments before and next to the old entry stay with the new one. */
function withComments(old: unknown, entry: YAMLMap): YAMLMap {
  if (!isMap(old)) return entry;
  const { comment, commentBefore, spaceBefore } = old;
  return Object.assign(entry, { comment, commentBefore, spaceBefore });
}

function isEquivalent(a: string, b: string): boolean {
  const [left, right] = [parseDocument(a), parseDocument(b)];
  return left.errors.length === 0 && JSON.stringify(left.toJS()) === JSON.stringify(right.toJS());
}
