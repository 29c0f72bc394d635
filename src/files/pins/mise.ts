/** `mise.toml`: the table `[tools]`, with a version, several, or a table with one. */
import { parse } from "smol-toml";
import type { Pin, PinLocation, PinReader } from "./pin.ts";
import { sourceLines } from "./pin.ts";
import { toolPin } from "./tools.ts";

function versions(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(versions);
  return typeof value === "object" && value !== null && "version" in value ? versions(value.version) : [];
}

function toolsOf(text: string): Readonly<Record<string, unknown>> {
  const { tools } = parse(text);
  return typeof tools === "object" && !Array.isArray(tools) && !(tools instanceof Date) ? tools : {};
}

/** The parser returns no locations, so the version is searched for from the line of its tool. */
function placeOf(text: string, tool: string, version: string): PinLocation {
  const start = sourceLines(text).find((line) => {
    const key = line.text.trim().replace(/^\[tools\.(.*)\]$/, "$1");
    return key.startsWith(tool) || key.startsWith(`"${tool}"`) || key.startsWith(`'${tool}'`);
  });
  const at = text.indexOf(version, start?.at ?? 0);
  return { at: Math.max(at, 0), length: version.length };
}

export const miseToml: PinReader = (text) =>
  Object.entries(toolsOf(text)).flatMap(([tool, value]): readonly Pin[] =>
    versions(value).map((version) => toolPin(tool, version, placeOf(text, tool, version))),
  );
