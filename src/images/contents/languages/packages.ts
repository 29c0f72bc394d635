/**
 * Packages of languages in an image, by the files that their package managers install. A table decides by the path
 * which files are read; programs of Go and Rust are recognised by their content. Nothing is executed.
 */
import { asList, asRecord, percentEncode } from "../../../text/values.ts";
import { EolgateError } from "../../../messages/error.ts";
import type { LanguagePackage } from "../package.ts";
import { readProgram } from "./programs.ts";
import { type JarBudget, readJar } from "./jars.ts";
import { INSTALLED, installedProgram, readInstalled } from "./installed.ts";

/** What a file lists; `unread` states why nothing is known about it. */
export type LanguageFile = { readonly packages: readonly LanguagePackage[] } | { readonly unread: string };

interface LanguageRow {
  readonly path: RegExp;
  /** Largest size in bytes; a larger file is listed as not read. */
  readonly limit: number;
  readonly read: (bytes: Uint8Array, path: string, budget: JarBudget) => readonly LanguagePackage[];
}

const MEBIBYTE = 1024 * 1024;
const text = (bytes: Uint8Array): string => new TextDecoder("utf-8", { fatal: true }).decode(bytes);
const json = (bytes: Uint8Array): Readonly<Record<string, unknown>> =>
  asRecord(JSON.parse(text(bytes).replace(/^\uFEFF/, "")));
const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

const found = (type: string, name: unknown, version: unknown, path = name): readonly LanguagePackage[] => {
  if (!isText(name) || !isText(version) || !isText(path)) return [];
  const encoded = path.split("/").map(percentEncode).join("/");
  return [{ name, version, purl: `pkg:${type}/${encoded}@${percentEncode(version)}` }];
};

/** `METADATA` and `PKG-INFO` have headers as in mail, up to the first empty line. */
function pythonPackage(bytes: Uint8Array): readonly LanguagePackage[] {
  const [head = ""] = text(bytes).split(/\r?\n\r?\n/, 1);
  const field = (name: string): string | undefined =>
    new RegExp(`^${name}:[ \\t]*(.+?)[ \\t]*\\r?$`, "m").exec(head)?.[1];
  const name = field("Name");
  // https://packaging.python.org/en/latest/specifications/name-normalization/
  return found("pypi", name, field("Version"), name?.toLowerCase().replaceAll(/[-_.]+/g, "-"));
}

function gemPackage(bytes: Uint8Array): readonly LanguagePackage[] {
  const field = (name: string) => new RegExp(`\\.${name}\\s*=\\s*["']([^"']+)["']`).exec(text(bytes))?.[1];
  return found("gem", field("name"), field("version"));
}

function composerPackages(bytes: Uint8Array): readonly LanguagePackage[] {
  const value: unknown = JSON.parse(text(bytes));
  return asList(Array.isArray(value) ? value : asRecord(value)["packages"]).flatMap((row) => {
    const { name, version } = asRecord(row);
    return found("composer", name, isText(version) ? version.replace(/^v(?=\d)/, "") : version);
  });
}

/** `Name/1.2.3` of libraries that are packages; the runtime itself is a project of Microsoft's build. */
function depsJson(bytes: Uint8Array, path: string): readonly LanguagePackage[] {
  const [, runtime] = /\/shared\/Microsoft\.(?:NETCore|AspNetCore)\.App\/(\d[^/]*)\//.exec(path) ?? [];
  if (runtime !== undefined) return [{ name: "dotnet", version: runtime }];
  return Object.entries(asRecord(json(bytes)["libraries"])).flatMap(([key, library]) => {
    const [name, version] = key.split("/");
    return asRecord(library)["type"] === "package" ? found("nuget", name, version) : [];
  });
}

function runtimeConfig(bytes: Uint8Array): readonly LanguagePackage[] {
  const options = asRecord(json(bytes)["runtimeOptions"]);
  const frameworks = [options["framework"], ...asList(options["frameworks"]), ...asList(options["includedFrameworks"])];
  const versions = frameworks
    .map(asRecord)
    .flatMap(({ name, version }) =>
      isText(name) && isText(version) && /^Microsoft\.(?:NETCore|AspNetCore)\.App$/.test(name) ? [version] : [],
    );
  return [...new Set(versions)].map((version) => ({ name: "dotnet", version }));
}

const ROWS: readonly LanguageRow[] = [
  {
    path: /(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/@.][^/]*\/package\.json$/,
    limit: 4 * MEBIBYTE,
    read: (bytes) => {
      const { name, version } = json(bytes);
      return found("npm", name, version);
    },
  },
  { path: /\.dist-info\/METADATA$|\.egg-info(?:\/PKG-INFO)?$/, limit: 4 * MEBIBYTE, read: pythonPackage },
  { path: /\/specifications\/(?:default\/)?[^/]+\.gemspec$/, limit: 4 * MEBIBYTE, read: gemPackage },
  { path: /(?:^|\/)vendor\/composer\/installed\.json$/, limit: 32 * MEBIBYTE, read: composerPackages },
  { path: /\.deps\.json$/, limit: 32 * MEBIBYTE, read: depsJson },
  { path: /\.runtimeconfig\.json$/, limit: MEBIBYTE, read: runtimeConfig },
  { path: /\.(?:jar|war|ear)$/, limit: 256 * MEBIBYTE, read: readJar },
  { path: INSTALLED, limit: 4 * MEBIBYTE, read: readInstalled },
];

/** Files that can contain build information; smaller ones are scripts and wrappers. */
const PROGRAM_BYTES = 256 * 1024;
const PROGRAM: LanguageRow = { path: /(?:)/, limit: 512 * MEBIBYTE, read: (bytes) => readProgram(bytes) };

/** Most files of an image are none of these. */
const ANY_ROW =
  /(?:\.json|METADATA|PKG-INFO|\.egg-info|\.gemspec|\.[jwe]ar|\/(?:[a-z]+_?version|patchlevel|opensslv|pg_config|ap_release)\.h|\.pc|rbconfig\.rb|OTP_VERSION|elixir\.app|VERSION|RELEASE|release|[vV]ersion\.php|Drupal\.php|bootstrap\.inc|Defines\.php|pyvenv\.cfg)$/;
const rowOf = (path: string): LanguageRow | undefined =>
  ANY_ROW.test(path) ? ROWS.find(({ path: pattern }) => pattern.test(path)) : undefined;
export const isLanguageFile = (path: string): boolean => rowOf(path) !== undefined;

/** Whether a file may be a program with build information, or of a known name, by its mode, size and name. */
export const mayBeProgram = (path: string, { mode = 0, size }: { mode?: number; size: number }): boolean =>
  (mode & 0o111) !== 0 &&
  ((size >= PROGRAM_BYTES && !/\.so(?:\.[\d.]+)?$/.test(path)) || installedProgram(path) !== undefined);

/**
 * Reads one file whose size is within its limit.
 * @param content The whole content; the file is a program if its path is of no other kind.
 * @throws EolgateError `image-limit` above the budget
 */
export function readLanguageFile(path: string, content: Uint8Array, budget: JarBudget): LanguageFile {
  try {
    return { packages: (rowOf(path) ?? PROGRAM).read(content, path, budget) };
  } catch (cause) {
    if (cause instanceof EolgateError) throw cause;
    return { unread: cause instanceof Error ? cause.message.slice(0, 200) : "it is damaged" };
  }
}

/** The largest size in bytes of a file at a path. */
export const languageLimit = (path: string): number => (rowOf(path) ?? PROGRAM).limit;
