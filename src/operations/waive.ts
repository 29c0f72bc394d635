/** Writes a waiver into the text of a configuration file and leaves everything else of it as it is, comments included. */
import { Document, isMap, isSeq, parseDocument, type YAMLMap, type YAMLSeq } from "yaml";
import { Fault } from "../core/errors.ts";
import { readConfig } from "../core/gate/policy.ts";
import { isRecord } from "../core/gate/shape.ts";
import type { Waiver } from "../core/model.ts";

export interface Edited {
  readonly text: string;
  /** A waiver for the same target stood there and was replaced. */
  readonly replaced: boolean;
}

/** `text` is empty for a file that does not exist yet. The result was read back as the gate reads it. */
export function withWaiver(text: string, file: string, waiver: Waiver): Edited {
  const edited = file.endsWith(".json") && text.trim() !== "" ? inJson(text, file, waiver) : inYaml(text, file, waiver);
  readConfig(parseDocument(edited.text).toJS(), file);
  return edited;
}

/** In the order in which people read it. */
function fieldsOf({ target, reason, expires, approvedBy }: Waiver): Readonly<Record<string, string>> {
  return { target, reason, expires, ...(approvedBy !== undefined && { approvedBy }) };
}

function inYaml(text: string, file: string, waiver: Waiver): Edited {
  const document = text.trim() === "" ? new Document({}) : parseDocument(text);
  const [error] = document.errors;
  if (error) throw broken(file, error.message.split("\n")[0] ?? "not YAML");
  const waivers = waiverList(document, file);
  const entry = document.createNode(fieldsOf(waiver));
  const at = waivers.items.findIndex((each) => isMap(each) && each.get("target") === waiver.target);
  if (at < 0) waivers.items.push(entry);
  else waivers.items[at] = keepComments(waivers.items[at], entry);
  // A file that was made for JSON readers stays one.
  return {
    text: file.endsWith(".json") ? jsonOf(document.toJS(), 2) : document.toString({ lineWidth: 0 }),
    replaced: at >= 0,
  };
}

function waiverList(document: Document, file: string): YAMLSeq {
  if (document.contents === null) document.contents = document.createNode({});
  if (!isMap(document.contents)) throw broken(file, "it has to be a mapping of settings");
  const found = document.get("waivers", true);
  if (isSeq(found)) {
    // An empty `[]` would go on in flow style, one long line.
    if (found.items.length === 0) found.flow = false;
    return found;
  }
  if (found !== undefined && document.get("waivers") !== null) throw broken(file, "waivers has to be a list");
  const made = document.createNode([]);
  made.flow = false;
  document.set("waivers", made);
  return made;
}

/** Comments before and beside the old entry stay with the new one. */
function keepComments(old: unknown, entry: YAMLMap): YAMLMap {
  if (!isMap(old)) return entry;
  const { comment, commentBefore, spaceBefore } = old;
  return Object.assign(entry, { comment, commentBefore, spaceBefore });
}

/** JSON has no comments to keep; order, indentation and the end of the file are kept. */
function inJson(text: string, file: string, waiver: Waiver): Edited {
  const value = parseJson(text, file);
  const waivers = value["waivers"] ?? [];
  if (!Array.isArray(waivers)) throw broken(file, "waivers has to be a list");
  const at = waivers.findIndex((each) => isRecord(each) && each["target"] === waiver.target);
  const list: readonly unknown[] = at < 0 ? [...waivers, fieldsOf(waiver)] : waivers.with(at, fieldsOf(waiver));
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? 2;
  const written = jsonOf({ ...value, waivers: list }, indent);
  return { text: text.endsWith("\n") ? written : written.trimEnd(), replaced: at >= 0 };
}

function parseJson(text: string, file: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw broken(file, error instanceof Error ? error.message : "not JSON");
  }
  if (isRecord(value)) return value;
  throw broken(file, "it has to be an object of settings");
}

const jsonOf = (value: unknown, indent: string | number): string => `${JSON.stringify(value, null, indent)}\n`;

const broken = (file: string, why: string): Fault =>
  new Fault("config", {
    code: "config-syntax",
    message: `no waiver can be written into this file: ${why}`,
    where: file,
    hint: "Mend the file first; nothing was changed.",
  });
