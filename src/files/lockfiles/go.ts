/** `go.mod` and `go.sum`. Formats: https://go.dev/ref/mod#go-mod-file, https://go.dev/ref/mod#go-sum-files */
import { lockfileError } from "../errors.ts";
import { type LockedPackage, type LockfileReader, purlOf, uniqueById } from "./lockfile.ts";
import { linesOf, type TextLocation } from "../tree/tree.ts";

interface Directive {
  readonly verb: string;
  readonly args: readonly string[];
  readonly comment: string;
  readonly at: number;
}

const unquote = (text: string): string => text.replace(/^(["`])(.*)\1$/, "$2");

/** The directives of the file; lines in a block get the verb of the block. */
function directives(text: string): readonly Directive[] {
  const found: Directive[] = [];
  let block: { verb: string; at: number } | undefined;
  for (const { args, comment, at } of codeLines(text)) {
    const [first = ""] = args;
    if (block && first === ")") block = undefined;
    else if (!block && args[1] === "(") block = { verb: first, at };
    else if (block) found.push({ verb: block.verb, args, comment, at });
    else found.push({ verb: first, args: args.slice(1), comment, at });
  }
  if (block) throw lockfileError("lockfile-incomplete", `the block "${block.verb} (" does not end`, text, block.at);
  return found;
}

/** The words and the comment of each line with code. */
function codeLines(text: string): readonly Omit<Directive, "verb">[] {
  return linesOf(text).flatMap(({ text: line, at }) => {
    const [, code = "", comment = ""] = /^(.*?)(?:\/\/(.*))?$/.exec(line) ?? [];
    const args = code.trim().split(/\s+/).map(unquote).filter(Boolean);
    return args.length === 0 ? [] : [{ args, comment, at }];
  });
}

export const goModules: LockfileReader = (text) => {
  const all = directives(text);
  if (!all.some(({ verb }) => verb === "module")) {
    throw lockfileError("lockfile-broken", "the file has no module directive", text);
  }
  const replaced = new Map(all.filter(({ verb }) => verb === "replace").map((each) => [each.args[0] ?? "", each]));
  const required = all.filter(({ verb }) => verb === "require");
  const packages = required.flatMap((each) => requirement(each, replaced, text));
  const indirect = new Set(required.filter(({ comment }) => /\bindirect\b/.test(comment)).map(({ args }) => args[0]));
  return {
    formatVersion: all.find(({ verb }) => verb === "go")?.args[0] ?? "",
    packages,
    direct: packages.map(({ id }) => id).filter((id) => !indirect.has(id)),
  };
};

function requirement(
  { args, at }: Directive,
  replaced: ReadonlyMap<string, Directive>,
  text: string,
): readonly LockedPackage[] {
  const [module = "", version] = args;
  if (version === undefined)
    throw lockfileError("lockfile-broken", `the requirement of ${module} has no version`, text, at);
  const replacement = replacementOf(module, version, replaced);
  if (replacement === "folder") return []; // code of the project, with a go.mod of its own
  const [name, used] = replacement ?? [module, version];
  return [{ id: module, name, purl: purlOf("golang", name), version: used, location: locationIn(text, at, version) }];
}

/** `old [v1] => new v2`, or a folder. */
function replacementOf(module: string, version: string, replaced: ReadonlyMap<string, Directive>) {
  const args = replaced.get(module)?.args ?? [];
  const arrow = args.indexOf("=>");
  const [target, used] = args.slice(arrow + 1);
  if (arrow === -1 || target === undefined || (arrow === 2 && args[1] !== version)) return undefined;
  return used === undefined ? ("folder" as const) : ([target, used] as const);
}

function locationIn(text: string, at: number, version: string): TextLocation {
  return { at: Math.max(text.indexOf(version, at), at), length: version.length };
}

/** From Go 1.17 on, go.mod lists every module of the build; before, the indirect ones are only in go.sum. */
const listsAllModules = (text: string): boolean => {
  const [, major = 0, minor = 0] = /^go\s+(\d+)\.(\d+)/m.exec(text) ?? [];
  return Number(major) > 1 || Number(minor) >= 17;
};

const SUM_LINE = /^(?<module>\S+) (?<version>v[^\s/]+)(?<mod>\/go\.mod)? h\d+:[A-Za-z0-9+/]{43}=$/;

/** The modules whose code is hashed. The hash of only a `go.mod` does not show that the module was built. */
function summedModules(text: string): readonly LockedPackage[] {
  return linesOf(text).flatMap(({ text: line, at }): readonly LockedPackage[] => {
    if (line === "") return [];
    const { module, version = "", mod } = SUM_LINE.exec(line)?.groups ?? {};
    if (module === undefined) {
      throw lockfileError("lockfile-broken", "not a line of go.sum: module, version and hash are expected", text, at);
    }
    const location = locationIn(text, at, version);
    return mod === undefined ? [{ id: module, name: module, purl: purlOf("golang", module), version, location }] : [];
  });
}

export const goSum: LockfileReader = (text, related) => {
  const packages = summedModules(text);
  const manifest = related("go.mod");
  if (manifest === undefined) return { formatVersion: "", packages: newest(packages) };
  if (listsAllModules(manifest)) return { formatVersion: "", packages: [] };
  const known = new Set(goModules(manifest, related).packages.map(({ id }) => id));
  return { formatVersion: "", packages: newest(packages).filter(({ id }) => !known.has(id)), direct: [] };
};

/** Go uses the highest required version; lines of lower ones stay in the file. */
function newest(packages: readonly LockedPackage[]): readonly LockedPackage[] {
  const keyed = packages.map((each) => ({ each, key: sortKey(each.version ?? "") }));
  keyed.sort((one, other) => (one.key < other.key ? 1 : one.key > other.key ? -1 : 0));
  return uniqueById(keyed.map(({ each }) => each));
}

/** Numbers of equal width, so that texts compare like versions; a release sorts above its pre-releases. */
const sortKey = (version: string): string =>
  version.replace(/\d+/g, (digits) => digits.padStart(20, "0")) + (version.includes("-") ? "" : "~");
