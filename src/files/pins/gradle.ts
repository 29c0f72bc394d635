/** Gradle build files: toolchains and compatibility levels of Java, and plugins with the version of a framework. */
import { own } from "../../text/own.ts";
import { FRAMEWORK_PLUGINS } from "../framework-plugins.ts";
import { found } from "./pin.ts";
import type { Pin, PinReader } from "./pin.ts";
import { javaPin, versionOf } from "./tools.ts";

/** Replaces comments by blanks, so that offsets stay the same. */
const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\/|(?<![:"'])\/\/.*$/gm, (comment) => comment.replace(/[^\n]/g, " "));

const TOOLCHAIN = /JavaLanguageVersion\.of\(\s*["']?(\d+)["']?\s*\)|jvmToolchain\(\s*(\d+)\s*\)/dg;
const COMPATIBILITY =
  /(?:source|target)Compatibility\s*(?:=|\.set\(|\s)\s*(?:JavaVersion\.(?:VERSION_|toVersion\()?)?["']?(\d+(?:[._]\d+)*)["']?/dg;
const VENDOR = /JvmVendorSpec\.([A-Z_]+)/;
const PLUGIN = /id[\s(]+["']([\w.-]+)["']\)?\s+version\s+["']([^"']+)["']/g;

export const buildGradle: PinReader = (text) => {
  const code = withoutComments(text);
  const vendor = VENDOR.exec(code)?.[1];
  const toolchains = [...found(code, TOOLCHAIN, 1), ...found(code, TOOLCHAIN, 2)];
  // A toolchain decides which Java runs, so compatibility levels are used only without one.
  const levels = toolchains.length > 0 ? toolchains : found(code, COMPATIBILITY, 1).slice(0, 1);
  return [
    ...levels.map(({ words, place }) => javaPin(words.replace("_", "."), vendor, place)),
    ...[...code.matchAll(PLUGIN)].flatMap(pluginPin),
  ];
};

function pluginPin(match: RegExpMatchArray): readonly Pin[] {
  const [whole, id = "", written = ""] = match;
  const purl = own(FRAMEWORK_PLUGINS, id);
  const version = versionOf(written);
  if (purl === undefined || version === undefined) return [];
  return [
    { name: id, purl, version, place: { at: (match.index ?? 0) + whole.lastIndexOf(written), length: written.length } },
  ];
}
