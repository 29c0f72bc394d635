/** `eolgate fix`: moves version pins that fail to the nearest supported release cycle. Prints a diff, or writes it. */
import { join, resolve } from "node:path";
import { checkDocument, reportSupplements, type DocumentContext } from "../../api/check.ts";
import { collectFailure, expandFiles, readInput, type FolderInput, type InventoryInput } from "../../api/input.ts";
import { readInventoryFile, RelatedReader } from "../../api/inventory/file.ts";
import { diskTree } from "../../api/inventory/file-tree.ts";
import { readTree } from "../../api/inventory/folder.ts";
import { edited } from "../../enrich/edits.ts";
import { inventoryKindOf, readInventory, type PinFacts } from "../../files/read.ts";
import { planFixes, type FixTargets } from "../../fix/plan.ts";
import { verifyFixes } from "../../fix/verify.ts";
import { EolgateError } from "../../messages/error.ts";
import type { Catalogue, FailedDocument, Finding } from "../../model/index.ts";
import { isFolder } from "../../platform/file-status.ts";
import { replaceFile } from "../../platform/replace-file.ts";
import { worstExit } from "../../policy/exit.ts";
import { toFindings } from "../../policy/rows.ts";
import { fixCard, type FileFixes } from "../../report/cards/fix.ts";
import { openBackend } from "../backend.ts";
import type { CommandModule, Invocation } from "../command.ts";
import { FIX_FLAGS } from "../flags/check.ts";
import { checkTargets, readingFacts, type CheckTargets } from "../inputs/targets.ts";
import { isEnabled, openCatalogue, readSettings, type Settings } from "../settings/config.ts";
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
  const catalogue = await openCatalogue(invocation, settings);
  const { exclude, mirrors, names } = checkTargets(invocation, settings);
  const facts = readingFacts(catalogue, mirrors);
  const found = await pinFiles(names, io.cwd, { exclude, facts });
  const fixer = await createFixer(invocation, settings, catalogue, facts);
  const isWriting = isEnabled(invocation.flags["write"]);
  const failed: FailedDocument[] = found.filter((input) => "error" in input);
  const fixes: FileFixes[] = [];
  for (const input of found) {
    if (!("document" in input)) continue;
    const done = await collectFailure(input.file, () => fixer(input, isWriting));
    if ("error" in done) failed.push(done);
    else fixes.push(done);
  }
  io.err(fixCard(fixes, isWriting));
  for (const each of failed) io.err(formatFailedDocument(each));
  return worstExit(failed.map(() => EXIT_INPUT));
}

const EXIT_INPUT = 3;

/** The files with version pins among the targets; a folder's lockfiles and SBOMs are left to their tools. */
async function pinFiles(
  names: readonly string[],
  cwd: string,
  { exclude, facts }: { readonly exclude: CheckTargets["exclude"]; readonly facts: PinFacts },
): Promise<readonly (FolderInput | FailedDocument)[]> {
  const { files, failed } = await expandFiles(names, cwd);
  const found: (FolderInput | FailedDocument)[] = [...failed];
  for (const name of files) {
    if (isFolder(resolve(cwd, name)))
      found.push(...(await readTree(diskTree(name, cwd, exclude), { facts, pinsOnly: true })).inputs);
    else found.push(await collectFailure(name, () => pinFile(name, cwd, facts)));
  }
  return found;
}

async function pinFile(name: string, cwd: string, facts: PinFacts): Promise<InventoryInput> {
  const kind = inventoryKindOf(name.replaceAll("\\", "/"));
  const input = kind?.pins === undefined ? undefined : await readInventoryFile(name, cwd, facts);
  if (input !== undefined) return input;
  // A missing file is an error of its own.
  await readInput(name, cwd, () => Promise.reject(new TypeError("not standard input")));
  throw EolgateError.of("invalid-usage", {
    problem: "the file is none that contains version pins",
    advice: "docs/inputs.md lists the files; packages of lockfiles are updated by their package manager.",
  }).at(name);
}

type Fixer = (input: InventoryInput, isWriting: boolean) => Promise<FileFixes>;

async function createFixer(
  invocation: Invocation,
  settings: Settings,
  catalogue: Catalogue,
  facts: PinFacts,
): Promise<Fixer> {
  const { io } = invocation;
  const { policy, asOf } = settings;
  const { assess } = await openBackend(invocation, settings, catalogue);
  const context: DocumentContext = { catalogue, policy, asOf, assess };
  const targets: FixTargets = {
    advice: (releaseCycle) => reportSupplements([], { catalogue, policy, asOf }).advice?.(releaseCycle),
    cycle: ({ product, cycle }) => catalogue.product(product)?.cycles.find(({ name }) => name === cycle),
  };
  return async (input, isWriting) => {
    const { file, digest } = input;
    const path = resolve(io.cwd, file);
    const { bytes } = await readInput(file, io.cwd, io.stdin);
    const related = new RelatedReader(join(path, "..")).of(path);
    const pins = inventoryKindOf(file.replaceAll("\\", "/"))?.pins;
    const recheck = async (text: Uint8Array): Promise<readonly Finding[]> => {
      const document = await readInventory({ pins, lockfile: undefined }, text, facts, related);
      const isEmpty = [...document.components].length === 0;
      return isEmpty ? [] : toFindings((await checkDocument({ file, digest, document }, context)).rows);
    };
    const before = await recheck(bytes);
    const plan = await verifyFixes(bytes, before, planFixes(bytes, before, targets), recheck);
    const edits = plan.changes.map(({ edit }) => edit);
    if (!isWriting) await deliverDiff(io, { bytes, edits }, file);
    else if (edits.length > 0) await replaceFile(path, edited(bytes, edits));
    return { file, plan, lineOf: (byte) => input.document.position(byte).line };
  };
}
