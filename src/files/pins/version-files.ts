/** Files that contain one version, or one a line: `.nvmrc`, `.python-version`, `.tool-versions` and similar files. */
import { sourceLines } from "./pin.ts";
import type { Pin, PinReader } from "./pin.ts";
import { javaPin, toolPin } from "./tools.ts";

/** The words of each line, without comments, with their positions. */
function words(text: string): readonly { readonly words: readonly { readonly text: string; readonly at: number }[] }[] {
  return sourceLines(text).map((line) => {
    const code = line.text.replace(/(?:^|\s)#.*$/, "");
    return { words: [...code.matchAll(/\S+/g)].map((word) => ({ text: word[0], at: line.at + word.index })) };
  });
}

/** One version a line, of one tool. */
export const versionFile =
  (tool: string): PinReader =>
  (text) =>
    words(text).flatMap(({ words: [version] }) =>
      version ? [toolPin(tool, version.text, { at: version.at, length: version.text.length })] : [],
    );

/** `.nvmrc` and Terraform's file contain one version and nothing else. */
export const singleVersionFile =
  (tool: string): PinReader =>
  (text) =>
    versionFile(tool)(text).slice(0, 1);

/** asdf and mise: `nodejs 18.17.0 20.5.1`, the others are used if the first is not installed. */
export const toolVersions: PinReader = (text) =>
  words(text).flatMap(({ words: [tool, ...versions] }) =>
    tool === undefined
      ? []
      : versions
          .filter(({ text: version }) => !/^(?:path|ref):/.test(version))
          .map(({ text: version, at }) => toolPin(tool.text, version, { at, length: version.length })),
  );

/** Heroku's `runtime.txt`: `python-3.11.4`. */
export const runtimeTxt: PinReader = (text) =>
  words(text).flatMap(({ words: [word] }): readonly Pin[] => {
    const [, tool, version] = /^([a-z]+)-(\d.*)$/.exec(word?.text ?? "") ?? [];
    if (!word || tool === undefined || version === undefined) return [];
    return [toolPin(tool, version, { at: word.at, length: word.text.length })];
  });

/** SDKMAN: `java=17.0.8-tem`. */
export const sdkmanrc: PinReader = (text) =>
  sourceLines(text).flatMap((line): readonly Pin[] => {
    const [, tool, version] = /^\s*([a-z]+)\s*=\s*([^\s#]+)/.exec(line.text) ?? [];
    if (tool === undefined || version === undefined) return [];
    const place = { at: line.at + line.text.indexOf(version), length: version.length };
    return [tool === "java" ? javaPin(version, undefined, place) : toolPin(tool, version, place)];
  });
