/** `eolgate fix`: moves version pins that fail to the nearest supported release cycle. Prints a diff, or writes it. */
import { resolve } from "node:path";
import { checkDocument, reportSupplements, type DocumentContext } from "../../api/check.ts";
import {
  collectFailure,
  expandFiles,
  readInput,
  type FolderContents,
  type FolderInput,
  type InventoryInput,
} from "../../api/input.ts";
import { kindOfFile, readInventoryFile } from "../../api/inventory/file.ts";
import { diskTree } from "../../api/inventory/file-tree.ts";
import { readTree, type FolderOptions } from "../../api/inventory/folder.ts";
import { edited } from "../../enrich/edits.ts";
import type { PinFacts } from "../../files/read.ts";
import { planFixes, type FixTargets } from "../../fix/plan.ts";
import { verifyFixes } from "../../fix/verify.ts";
import { ERROR_KINDS, EolgateError } from "../../messages/error.ts";
import type { Catalogue, FailedDocument, Finding, UnreadFiles } from "../../model/index.ts";
import { isFolder } from "../../platform/file-status.ts";
import { replaceFile } from "../../platform/replace-file.ts";
import { worstExit } from "../../policy/exit.ts";
import { toFindings } from "../../policy/rows.ts";
import { pageAddress } from "../../messages/pages.ts";
import { fixCard, type FileFixes } from "../../report/cards/fix.ts";
import { openBackend } from "../../shell/backend.ts";
import type { CommandModule, Invocation } from "../../shell/command.ts";
import { FIX_FLAGS } from "../flags/check.ts";
import { isEnabled, readSettings, type Settings } from "../../shell/settings.ts";
import { openChosenCatalogue } from "../../shell/catalogue.ts";
import { checkTargets, readingFacts, shownPath } from "../inputs/targets.ts";
import { formatFailedDocument } from "../start/format-error.ts";
import { deliverDiff } from "./enrich.ts";

export const commands: readonly CommandModule[] = [
  {
    name: "fix",
    arguments: "[targets...]",
    summary: "move version pins that fail to the nearest supported release cycle, and print the changes as a diff",
    flags: FIX_FLAGS,
    examples: ["eolgate fix", "eolgate fix Dockerfile .github/workflows --write"],
    run,
  },
];

async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const settings = await readSettings(invocation);
  const catalogue = await openChosenCatalogue(invocation.io, settings);
  const { exclude, mirrors, names } = checkTargets(invocation, settings);
  const { inputs, unread } = await pinFiles(names, io.cwd, { exclude, facts: readingFacts(catalogue, mirrors) });
  const fixer = await createFixer(invocation, settings, catalogue);
  const isWriting = isEnabled(invocation.flags["write"]);
  const failed: FailedDocument[] = inputs.filter((input) => "error" in input);
  const fixes: FileFixes[] = [];
  for (const input of inputs) {
    if (!("document" in input)) continue;
    const done = await collectFailure(input.file, () => fixer(input, isWriting));
    if ("error" in done) failed.push(done);
    else fixes.push(done);
  }
  if (fixes.length > 0 || failed.length === 0) io.err(fixCard(fixes, unread, isWriting));
  for (const each of failed) io.err(formatFailedDocument(each));
  // A file that was not read may have pins that fail.
  return worstExit([...failed, ...unread].map(() => ERROR_KINDS.input.exit));
}

interface PinFiles {
  readonly inputs: readonly FolderInput[];
  readonly unread: readonly UnreadFiles[];
}

/** The files with version pins among the targets; a folder's lockfiles and SBOMs are left to their tools. */
async function pinFiles(names: readonly string[], cwd: string, options: FolderOptions): Promise<PinFiles> {
  const { files, failed } = await expandFiles(names, cwd);
  const inputs: FolderInput[] = [...failed];
  const unread: UnreadFiles[] = [];
  for (const name of files.map((file) => shownPath(file, cwd))) {
    const found = await collectFailure(name, () => pinFilesOf(name, cwd, options));
    if ("error" in found) inputs.push(found);
    else inputs.push(...found.inputs);
    if ("coverage" in found) unread.push(...found.coverage.notRead.filter(({ reason }) => reason !== "omitted"));
  }
  return { inputs, unread };
}

async function pinFilesOf(
  name: string,
  cwd: string,
  { facts, exclude }: FolderOptions,
): Promise<FolderContents | { readonly inputs: readonly InventoryInput[] }> {
  if (name !== "-" && isFolder(resolve(cwd, name)))
    return readTree(diskTree(name, cwd, exclude), { facts, pinsOnly: true });
  return { inputs: [await pinFile(name, cwd, facts)] };
}

async function pinFile(name: string, cwd: string, facts: PinFacts): Promise<InventoryInput> {
  if (name === "-") throw notFixable("standard input cannot be changed", "Name a file or a folder.", name);
  const pins = kindOfFile(name, cwd)?.pins;
  const input = pins && (await readInventoryFile(name, cwd, facts, { pins, lockfile: undefined }));
  if (input !== undefined) return input;
  // Throws for a file that cannot be read.
  await readInput(name, cwd, () => Promise.reject(new TypeError("not standard input")));
  throw notFixable(
    "the file has no version pins that can be read",
    `${pageAddress("inputs.md#version-pins")} lists the files with version pins; packages of lockfiles are updated by their package manager.`,
    name,
  );
}

const notFixable = (problem: string, advice: string, where: string): EolgateError =>
  EolgateError.of("invalid-usage", { problem, advice }).at(where);

type Fixer = (input: InventoryInput, isWriting: boolean) => Promise<FileFixes>;

async function createFixer(invocation: Invocation, settings: Settings, catalogue: Catalogue): Promise<Fixer> {
  const { io } = invocation;
  const { policy, asOf } = settings;
  const { assess } = await openBackend(invocation, settings, catalogue);
  const context: DocumentContext = { catalogue, policy, asOf, assess };
  const targets: FixTargets = {
    advice: (releaseCycle) => reportSupplements([], { catalogue, policy, asOf }).advice?.(releaseCycle),
    cycle: ({ product, cycle }) => catalogue.product(product)?.cycles.find(({ name }) => name === cycle),
  };
  return async ({ file, digest, document: read, reread = () => Promise.resolve(read) }, isWriting) => {
    const bytes = (await readInput(file, io.cwd, io.stdin)).bytes();
    const recheck = async (text: Uint8Array): Promise<readonly Finding[]> => {
      const document = await reread(text);
      const isEmpty = [...document.components].length === 0;
      return isEmpty ? [] : toFindings((await checkDocument({ file, digest, document }, context)).rows);
    };
    const before = await recheck(bytes);
    const plan = await verifyFixes(bytes, before, planFixes(bytes, before, targets), recheck);
    const edits = plan.changes.map(({ edit }) => edit);
    if (!isWriting) await deliverDiff(io, { bytes, edits }, file);
    else if (edits.length > 0) await replaceFile(resolve(io.cwd, file), edited(bytes, edits));
    return { file, plan, lineOf: (byte) => read.position(byte).line };
  };
}
