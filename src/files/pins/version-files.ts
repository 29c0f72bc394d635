/**
 * Files that contain versions of tools: one version (`.nvmrc`), one for each line (`.tool-versions`), or a line in a
 * program or in properties (`go.mod`, `Gemfile`, wrappers, toolchains).
 */
import { found, type Pin, type PinReader } from "./pin.ts";
import { lowestPin, toolPin, versionsAt } from "./tools.ts";
import { linesOf } from "../tree/tree.ts";

/** The tokens of each line, without comments, with their positions. */
function tokensOf(
  text: string,
): readonly { readonly tokens: readonly { readonly text: string; readonly at: number }[] }[] {
  return linesOf(text).map((line) => {
    const code = line.text.replace(/(?:^|\s)#.*$/, "");
    return { tokens: [...code.matchAll(/\S+/g)].map((token) => ({ text: token[0], at: line.at + token.index })) };
  });
}

/** One version a line, of one tool. */
export const versionFile =
  (tool: string): PinReader =>
  (text) =>
    tokensOf(text).flatMap(({ tokens: [version] }) =>
      version ? [toolPin(tool, version.text, { at: version.at, length: version.text.length })] : [],
    );

/** `.nvmrc` and Terraform's file contain one version and nothing else. */
export const singleVersionFile =
  (tool: string): PinReader =>
  (text, related) =>
    versionFile(tool)(text, related).slice(0, 1);

/** asdf and mise: `nodejs 18.17.0 20.5.1`, the others are used if the first is not installed. */
export const toolVersions: PinReader = (text) =>
  tokensOf(text).flatMap(({ tokens: [tool, ...versions] }) =>
    tool === undefined
      ? []
      : versions
          .filter(({ text: version }) => !/^(?:path|ref):/.test(version))
          .map(({ text: version, at }) => toolPin(tool.text, version, { at, length: version.length })),
  );

/** Heroku's `runtime.txt`: `python-3.11.4`. */
export const runtimeTxt: PinReader = (text) =>
  tokensOf(text).flatMap(({ tokens: [token] }): readonly Pin[] => {
    const [, tool, version] = /^([a-z]+)-(\d.*)$/.exec(token?.text ?? "") ?? [];
    if (!token || tool === undefined || version === undefined) return [];
    return [toolPin(tool, version, { at: token.at, length: token.text.length })];
  });

/** SDKMAN: `java=17.0.8-tem`. */
export const sdkmanrc: PinReader = (text) =>
  linesOf(text).flatMap((line): readonly Pin[] => {
    const [, tool, version] = /^\s*([a-z]+)\s*=\s*([^\s#]+)/.exec(line.text) ?? [];
    if (tool === undefined || version === undefined) return [];
    return [toolPin(tool, version, { at: line.at + line.text.indexOf(version), length: version.length })];
  });

/** The toolchain builds the module; without one, the language version is the lowest that builds it, since Go 1.21. */
export const goMod: PinReader = (text) => {
  const toolchain = found(text, /^toolchain\s+go(\d\S*)/dgm, 1);
  if (toolchain.length > 0) return toolchain.map(({ matched, location }) => toolPin("go", matched, location));
  return found(text, /^go\s+(\d\S*)/dgm, 1).map(({ matched, location }) =>
    (isEnforced(matched) ? lowestPin : toolPin)("go", matched, location),
  );
};

/** Go 1.21 and later refuse a module that requires a newer version: https://go.dev/doc/toolchain. */
const isEnforced = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split(".").map((part) => Number.parseInt(part, 10));
  return major > 1 || minor >= 21;
};

/** `ruby "3.2.2"`; `ruby file: ".ruby-version"` names a file that is read separately. */
export const gemfile = versionsAt("ruby", /^[ \t]*ruby[\s(]+["']([^"']+)["']/dgm);
export const gradleWrapper = versionsAt("gradle", /^distributionUrl\s*=.*\/gradle-(\d[\w.-]*?)-(?:bin|all)\.zip/dgm);
export const mavenWrapper = versionsAt(
  "maven",
  /^distributionUrl\s*=.*\/apache-maven-(\d[\w.-]*?)-bin\.(?:zip|tar\.gz)/dgm,
);
const rustChannel = versionsAt("rust", /^(?:[ \t]*channel\s*=\s*)?["']?([\w.-]+)["']?[ \t]*$/dgm);
/** `rust-toolchain` contains a channel or TOML with one; `stable` names no version. */
export const rustToolchain: PinReader = (text, related) => rustChannel(text, related).slice(0, 1);
