/** Readers of single lines in programs and properties: `go.mod`, `Gemfile`, wrappers, toolchains. */
import { found } from "./pin.ts";
import type { PinReader } from "./pin.ts";
import { toolPin } from "./tools.ts";

/** The toolchain builds the module; without one, the language version is the minimum. */
export const goMod: PinReader = (text) => {
  const toolchain = found(text, /^toolchain\s+go(\d\S*)/dgm, 1);
  const pins = toolchain.length > 0 ? toolchain : found(text, /^go\s+(\d\S*)/dgm, 1);
  return pins.map(({ words, place }) => toolPin("go", words, place));
};

/** `ruby "3.2.2"`; `ruby file: ".ruby-version"` names a file that is read separately. */
export const gemfile: PinReader = (text) =>
  found(text, /^\s*ruby[\s(]+["']([^"']+)["']/dgm, 1).map(({ words, place }) => toolPin("ruby", words, place));

export const gradleWrapper: PinReader = (text) =>
  found(text, /^distributionUrl\s*=.*\/gradle-(\d[\w.-]*?)-(?:bin|all)\.zip/dgm, 1).map(({ words, place }) =>
    toolPin("gradle", words, place),
  );

export const mavenWrapper: PinReader = (text) =>
  found(text, /^distributionUrl\s*=.*\/apache-maven-(\d[\w.-]*?)-bin\.(?:zip|tar\.gz)/dgm, 1).map(({ words, place }) =>
    toolPin("maven", words, place),
  );

/** `rust-toolchain` contains a channel or TOML with one; `stable` names no version. */
export const rustToolchain: PinReader = (text) =>
  found(text, /^(?:\s*channel\s*=\s*)?["']?([\w.-]+)["']?\s*$/dgm, 1)
    .slice(0, 1)
    .map(({ words, place }) => toolPin("rust", words, place));
