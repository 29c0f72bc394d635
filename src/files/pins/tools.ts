/**
 * The names of tools in pin files. The catalogue maps a name to a package URL, by which the resolver finds the product;
 * tools without a package URL resolve by their exact name. Unknown names are kept, so that they are reported as not
 * recognised.
 */
import type { NamedTool, ToolNames } from "../../model/index.ts";
import { getOwn } from "../../text/values.ts";
import { actionComponent } from "./actions.ts";
import { imageParts } from "../../resolve/image-parts.ts";
import { found, type NamedPin, type Pin, type PinReader, type RunnerPin, type ToolPin } from "./pin.ts";
import type { TextLocation } from "../tree/tree.ts";

/** Words that mean the newest or the installed version. */
const NO_VERSION =
  /^(?:|\*|x|latest|stable|oldstable|lts|lts\/\*|lts\/-\d+|node|iojs|current|system|nightly|min-required|default)$/i;

/**
 * Normalizes a version: removes quotes, `v` and a trailing `.x`, which names a whole release cycle. Undefined if the
 * text names no version.
 */
export function versionOf(written: string): string | undefined {
  const unquoted = written.trim().replace(/^(["'])(.*)\1$/, "$2");
  if (NO_VERSION.test(unquoted)) return undefined;
  const bare = unquoted.replace(/^v(?=\d)/, "").replace(/^latest:/, "");
  return /^\d+(?:\.\d+)*(?:\.[x*])+$/i.test(bare) ? bare.replace(/(?:\.[x*])+$/i, "") : bare;
}

/** Creates the pin of a tool, with the name and the version as a pin file writes them. */
export const toolPin = (tool: string, written: string, location: TextLocation): ToolPin => ({
  tool,
  written,
  location,
});

/** Reads the versions of a tool that the first group of a pattern matches. */
export const versionsAt =
  (tool: string, pattern: RegExp): PinReader =>
  (text) =>
    found(text, pattern, 1).map(({ matched, location }) => toolPin(tool, matched, location));

/** Creates the pin of the lowest version of a tool that a file supports. */
export const lowestPin = (tool: string, written: string, location: TextLocation): ToolPin => ({
  ...toolPin(tool, written, location),
  minimum: true,
});

/** Whether a version admits several ones. A plain version in `engines` is the only one that is supported. */
const isRange = (written: string): boolean => !/^v?\d[\w.]*$/.test(written.trim());

/** Creates the pin of a version or range that a file requires: a range states the lowest version that it supports. */
export const requiredPin = (tool: string, written: string, location: TextLocation): ToolPin =>
  (isRange(written) ? lowestPin : toolPin)(tool, written, location);

/** Creates the pin of a Java version, with the vendor if the file states it separately: `distribution: zulu`. */
export const javaPin = (written: string, vendor: string | undefined, location: TextLocation): ToolPin => ({
  tool: "java",
  written,
  ...(vendor !== undefined && { vendor }),
  location,
});

/** Finds the products of a pin by the names of the catalogue. */
export function namedPins(pin: Pin, names: ToolNames): readonly NamedPin[] {
  if ("tool" in pin) return [{ ...namedTool(pin, names), ...(pin.minimum && { minimum: true }) }];
  if ("action" in pin) return [actionComponent(pin)];
  if ("runner" in pin) return namedRunner(pin, names);
  if ("known" in pin)
    return pin.known
      .filter((each) => isKnown(each, names))
      .slice(0, 1)
      .flatMap((each) => namedPins(each, names));
  return "repository" in pin
    ? imageParts(pin, names).map((part) => ({ ...part, isPart: true as const, location: pin.location }))
    : [pin];
}

/** Whether the catalogue lists the tool, or an image of that name. */
function isKnown(pin: Pin, { tools, images }: ToolNames): boolean {
  if ("repository" in pin) return getOwn(images, pin.repository) !== undefined;
  return "tool" in pin && getOwn(tools, pin.tool.toLowerCase()) !== undefined;
}

/** An image that has a day of removal. */
const namedRunner = ({ runner, host, location }: RunnerPin, { runners }: ToolNames): readonly NamedPin[] =>
  getOwn(runners, host)?.includes(runner) === true
    ? [{ name: runner, purl: `pkg:generic/${host}`, version: runner, location }]
    : [];

function namedTool({ tool: toolName, written, vendor, location }: ToolPin, names: ToolNames): NamedPin {
  const key = toolName.trim().toLowerCase();
  if (key === "java") return java(written, vendor, { names, location });
  const [backend, packageName] = /^([a-z]+):(.+)$/.exec(key)?.slice(1) ?? [];
  const registry = backend === undefined ? undefined : getOwn(names.registries, backend);
  if (registry !== undefined && packageName !== undefined) {
    const purl = `pkg:${registry}/${packageName.replace(/^@/, "%40")}`;
    return { name: packageName, purl, version: versionOf(written), location };
  }
  const tool = getOwn(names.tools, key) ?? { name: toolName.trim() };
  return { ...engine(tool, written), location };
}

/** `jruby-9.4.0`, `pypy3.10-7.3`, `ruby-3.2.2`, `go1.22.3`: the version may name another implementation of the tool. */
function engine(tool: NamedTool, written: string): Pick<NamedPin, "name" | "purl" | "version"> {
  const normalized = versionOf(written);
  const [, other, version] = /^([a-z]+)-?(\d.*)$/i.exec(normalized ?? "") ?? [];
  if (other === undefined || version === undefined) return { ...tool, version: normalized?.replace(/-dev$/, "") };
  const name = other.toLowerCase();
  return { ...(name === tool.name ? tool : { name }), version: versionOf(version) };
}

/** A Java version, with the vendor if the version names it: `temurin-17.0.8+7`, `17.0.8-tem`. */
function java(
  written: string,
  vendor: string | undefined,
  { names, location }: { readonly names: ToolNames; readonly location: TextLocation },
): NamedPin {
  const normalized = versionOf(written);
  const [, before, number = normalized, after] =
    /^(?:([a-z][a-z0-9_-]*?)-)?(\d[\w.+]*?)(?:-([a-z]+))?$/i.exec(normalized ?? "") ?? [];
  const slug = [vendor, before, after]
    .map((name) => name && getOwn(names.javaVendors, name.toLowerCase()))
    .find((name) => name !== undefined);
  return { name: slug ?? vendor ?? "java", version: number, location };
}
