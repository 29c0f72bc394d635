/** Reads the targets of `check`: folders, files of a known kind, glob patterns, `-`, and container images. */
import { BEGINNING } from "../../platform/bounded-file.ts";
import { isFolder } from "../../platform/file-status.ts";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import type { CheckInput } from "../../api/check.ts";
import { collectFailure, expandFiles, readInput } from "../../api/input.ts";
import { type OwnerTarget, type RepositoryTarget, parseGithubTarget } from "../../api/github/target.ts";
import { isSbomName, showsWorkloads } from "../../api/inventory/names.ts";
import type { PinFacts } from "../../files/read.ts";
import type { FolderOptions } from "../../api/inventory/folder.ts";
import type { Exclusion } from "../../api/inventory/walk.ts";
import type { IsoDate } from "../../text/ids.ts";
import type { Catalogue, FolderCoverage, ImageCoverage } from "../../model/index.ts";
import { asList, asRecord } from "../../text/values.ts";
import type { Invocation } from "../../shell/command.ts";
import { type Settings, listValue, stringValue } from "../../shell/settings.ts";
import { flagKey, longName } from "../../shell/flag.ts";
import { IMAGE_OPTION_FLAGS } from "../flags/check.ts";
import { EolgateError } from "../../messages/error.ts";
import type { ImageReading } from "../../images/read.ts";
import type { ImageContext } from "../../images/targets.ts";

export interface CheckTargets {
  /** Files, glob patterns and folders as given; the working directory if none is given. */
  readonly names: readonly string[];
  readonly stack: string | undefined;
  readonly asOf: IsoDate;
  readonly images: ImageTargets;
  /** A repository of GitHub, or all those of an owner. */
  readonly github?: RepositoryTarget | OwnerTarget | undefined;
  readonly exclude: Exclusion;
  /** Starts of image repositories, and what they mirror. */
  readonly mirrors: readonly (readonly [mirror: string, of: string])[];
  /** A report shows the digests of documents. */
  readonly needsDigests?: boolean;
}

export interface CollectedInputs {
  readonly inputs: readonly CheckInput[];
  readonly folders: readonly FolderCoverage[];
  readonly images: readonly ImageCoverage[];
}

export function checkTargets(invocation: Invocation, settings: Settings): CheckTargets {
  const { io, args, flags } = invocation;
  const { values, config } = settings;
  const named = args;
  const stack = stringValue(values["stack"]);
  const images = imageTargets(invocation, settings);
  const github = githubTarget(values);
  const isTyped = flags["exclude"] !== undefined || stringValue(io.env["EOLGATE_EXCLUDE"]) !== undefined;
  const isAlone =
    [...named, ...images.names, ...images.rootFolders].length === 0 && stack === undefined && github === undefined;
  return {
    names: isAlone ? ["."] : named,
    stack,
    asOf: settings.asOf,
    images,
    github,
    exclude: {
      base: isTyped || config === undefined ? io.cwd : dirname(config.path),
      patterns: listValue(values["exclude"]),
    },
    mirrors: asList(values["imageMirrors"]).flatMap((row): CheckTargets["mirrors"] => {
      const { mirror, of } = asRecord(row);
      return typeof mirror === "string" && typeof of === "string" ? [[withSlash(mirror), withSlash(of)]] : [];
    }),
  };
}

const withSlash = (start: string): string => (start.endsWith("/") ? start : `${start}/`);

/** The facts by which inputs are read, with the mirrors of the configuration. */
export const readingFacts = ({ facts }: Catalogue, mirrors: CheckTargets["mirrors"]): ImageContext["facts"] => ({
  get tools() {
    const { tools } = facts;
    return { ...tools, imageMirrors: { ...tools.imageMirrors, ...Object.fromEntries(mirrors) } };
  },
  get imageVariables() {
    return facts.imageVariables;
  },
});

/** Undefined without `--github`. @throws EolgateError `invalid-value` */
function githubTarget(values: Settings["values"]): CheckTargets["github"] {
  const written = stringValue(values["github"]);
  return written === undefined ? undefined : parseGithubTarget(written);
}

/** Reads every target in order; one that cannot be read is among the inputs with its error. */
export async function collectInputs(
  invocation: Invocation,
  { names, stack, asOf, images, github, exclude, mirrors, needsDigests = false }: CheckTargets,
  catalogue: Catalogue,
): Promise<CollectedInputs> {
  const { io } = invocation;
  const facts = readingFacts(catalogue, mirrors);
  const { files, failed } = await expandFiles(names, io.cwd);
  const inputs: CheckInput[] = [...failed];
  const folders: FolderCoverage[] = [];
  for (const name of files) {
    const target = await collectFailure(name, async () => {
      if (name !== "-" && isFolder(resolve(io.cwd, name))) return readFolderTarget(name, io.cwd, { exclude, facts });
      return { inputs: await readFile(name, io, { facts, needsDigest: needsDigests }) };
    });
    if ("error" in target) inputs.push(target);
    else inputs.push(...target.inputs);
    if ("coverage" in target) folders.push(target.coverage);
  }
  if (stack !== undefined) inputs.push(await readStack(stack, catalogue, asOf));
  if (github?.name !== undefined) {
    const { readGithubRepository } = await import("./github.ts");
    const { inputs: found, coverage } = await readGithubRepository(invocation, github, {
      exclude: exclude.patterns,
      facts,
    });
    inputs.push(...found);
    folders.push(coverage);
  }
  const read = await readImages(images, io, { facts, purl: (key) => catalogue.purl(key) });
  return { inputs: [...inputs, ...read.inputs], folders, images: read.coverage };
}

/** A file of a project, what runs in a cluster, or an SBOM. */
async function readFile(
  name: string,
  { cwd, stdin }: Invocation["io"],
  { facts, needsDigest }: { readonly facts: PinFacts; readonly needsDigest: boolean },
): Promise<readonly CheckInput[]> {
  const read = () => readInput(name, cwd, stdin, { needsDigest });
  if (name === "-") {
    const input = await read();
    if (!showsWorkloads(textOf(input.bytes().subarray(0, BEGINNING)))) return [input];
    const { readCluster, readManifest } = await import("../../api/inventory/file.ts");
    return (await readCluster(input, facts)) ?? [await readManifest(input, facts)];
  }
  if (isSbomName(name)) return [await read()];
  const { beginningOf, readCluster, readInventoryFile } = await import("../../api/inventory/file.ts");
  const running = showsWorkloads(beginningOf(resolve(cwd, name)) ?? "")
    ? await readCluster(await read(), facts)
    : undefined;
  return running ?? [(await readInventoryFile(name, cwd, facts)) ?? (await read())];
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");

async function readFolderTarget(name: string, cwd: string, options: FolderOptions) {
  const { readFolder } = await import("../../api/inventory/folder.ts");
  return readFolder(shownPath(name, cwd), cwd, options);
}

/** A path as reports and differences show it: relative to the working directory if it is in it. */
export function shownPath(name: string, cwd: string): string {
  const inside = relative(cwd, resolve(cwd, name));
  return isAbsolute(name) && !inside.startsWith("..") && !isAbsolute(inside) ? inside || "." : name;
}

async function readStack(stack: string, catalogue: Catalogue, asOf: IsoDate): Promise<CheckInput> {
  const { readStackInput } = await import("../../api/inventory/file.ts");
  return readStackInput(stack, catalogue, asOf);
}

export interface ImageTargets {
  readonly names: readonly string[];
  /** Folders with a root file system. */
  readonly rootFolders: readonly string[];
  readonly platform: string | undefined;
  readonly insecure: readonly string[];
  /** Files with public keys. */
  readonly keys: readonly string[];
}

/** @throws EolgateError `invalid-usage` for a flag about images without one */
export function imageTargets({ flags }: Invocation, { values }: Settings): ImageTargets {
  const names = listValue(values["image"]);
  const alone = IMAGE_OPTION_FLAGS.find((flag) => names.length === 0 && flags[flagKey(flag)] !== undefined);
  if (alone !== undefined)
    throw EolgateError.of("invalid-usage", {
      problem: `${longName(alone)} has no effect without an image`,
      advice: "Add --image NAME:TAG.",
    }).at("check");
  const rootFolders = listValue(values["rootfs"]);
  if (rootFolders.includes(""))
    throw EolgateError.of("invalid-value", {
      problem: "the name of the folder is empty",
      advice: "Name the root of a file system, such as / or build/rootfs.",
    }).at("--rootfs");
  return {
    names,
    rootFolders,
    platform: stringValue(values["platform"]),
    insecure: listValue(values["insecureRegistry"]),
    keys: listValue(values["imageKey"]),
  };
}

/**
 * Reads the images and root file systems. One that cannot be read is among the inputs with its error; a failing registry
 * ends the run.
 */
export async function readImages(
  { names, rootFolders, platform, insecure, keys }: ImageTargets,
  io: Invocation["io"],
  { facts, purl }: Pick<ImageContext, "facts" | "purl">,
): Promise<{ readonly inputs: readonly CheckInput[]; readonly coverage: readonly ImageCoverage[] }> {
  const inputs: CheckInput[] = [];
  const coverage: ImageCoverage[] = [];
  if (names.length + rootFolders.length === 0) return { inputs, coverage };
  const { readImage, readRootFolder } = await import("../../images/read.ts");
  const { cwd, env } = io;
  const verify = await openVerifier(io, keys);
  const context = { cwd, env, facts, purl, insecure, verify, architecture: process.arch };
  const add = async (name: string, read: () => Promise<ImageReading>): Promise<void> => {
    const found = await collectFailure(name, read);
    if ("error" in found) inputs.push(found);
    else {
      const subject = { name, ...(found.coverage.digest !== null && { imageDigest: found.coverage.digest }) };
      inputs.push(...found.inputs.map((input) => ({ ...input, digest: () => input.digest, subject })));
      coverage.push(found.coverage);
    }
  };
  for (const image of names) await add(image, () => readImage({ image, platform }, context));
  for (const folder of rootFolders) await add(folder, () => readRootFolder(folder, context));
  return { inputs, coverage };
}

/** Undefined without a key: then no signature is verified, and the verifier is not loaded. */
async function openVerifier(io: Invocation["io"], files: readonly string[]): Promise<ImageContext["verify"]> {
  if (files.length === 0) return undefined;
  const [{ publicKey }, { VERDICT_KEYS }, { attachmentVerifier }] = await Promise.all([
    import("../../shell/catalogue-file.ts"),
    import("../../attest/sign.ts"),
    import("../../attest/attached.ts"),
  ]);
  return attachmentVerifier(await Promise.all(files.map((file) => publicKey(io, file, VERDICT_KEYS))));
}
