/** `eolgate waive`: accepts a finding until a date, by a waiver in the configuration file, where reviewers see it. */
import { EolgateError } from "../../messages/error.ts";
import { parsePolicy } from "../../policy/policy.ts";
import type { Waiver, Catalogue } from "../../model/index.ts";
import { findProduct, suggest } from "../../resolve/product.ts";
import { cycleByName } from "../../resolve/version/resolve.ts";
import { type IsoDate, parseCycleKey } from "../../text/ids.ts";
import { withWaiver } from "../../api/waive.ts";
import { writeOutput } from "../../platform/replace-file.ts";
import { escapeTerminal } from "../../report/escape.ts";
import type { CommandModule, Invocation } from "../../shell/command.ts";
import { dayOf } from "../periods.ts";
import { NEW_CONFIG } from "../../shell/config-file.ts";
import { openChosenCatalogue } from "../../shell/catalogue.ts";
import { stringValue, readSettings, type Settings } from "../../shell/settings.ts";
import { WAIVE_FLAGS } from "../flags/check.ts";
import { resolve } from "node:path";
import { readTextIfPresent } from "../../platform/bounded-file.ts";

async function runWaive(invocation: Invocation): Promise<number> {
  const { io, args, flags } = invocation;
  const { settings, path: file } = await configurationFile(invocation);
  const expires = dayOf(required(flags, "expires"), settings.asOf, "--expires");
  if (expires < settings.asOf)
    throw badWaiver("--expires", `${expires} is in the past, so the waiver would have no effect`);
  const approvedBy = stringValue(flags["approvedBy"]);
  const [waiver] = parsePolicy(
    { waivers: [{ target: args[0], reason: required(flags, "reason"), expires, ...(approvedBy && { approvedBy }) }] },
    "eolgate waive",
  ).waivers;
  if (waiver === undefined) throw new TypeError("a policy with one waiver holds none");
  checkTarget(waiver, await openChosenCatalogue(invocation.io, settings), settings.asOf);
  const { text: written, replaced } = withWaiver(textOfFile(file), file, waiver);
  await writeOutput(file, written);
  const words = `${replaced ? "renewed" : "written"} in ${file}: ${waiver.target} is accepted until ${waiver.expires}`;
  await io.out(`${escapeTerminal(words)}\n`);
  return 0;
}

function required(flags: Invocation["flags"], name: string): string {
  const value = stringValue(flags[name])?.trim();
  if (value) return value;
  throw badWaiver(`--${name}`, `--${name} is required`);
}

const badWaiver = (where: string, message: string, hint?: string): EolgateError =>
  EolgateError.of("bad-waiver", { problem: message, advice: hint }).at(where);

/**
 * Refuses an unknown product or cycle: such a waiver would have no effect. Purls are not checked, because any name may
 * be valid.
 */
function checkTarget({ target }: Waiver, catalogue: Catalogue, asOf: IsoDate): void {
  if (target.startsWith("pkg:")) return;
  const { product: slug, cycle } = parseCycleKey(target);
  const product = catalogue.product(slug);
  if (product === undefined) {
    const near = findProduct(catalogue, slug)?.slug ?? suggest(catalogue, slug, 1)[0];
    throw badWaiver("<target>", `there is no product "${slug}"`, near && `Did you mean ${near}?`);
  }
  if (cycle === undefined || cycleByName(product, cycle, asOf)) return;
  const lines = product.cycles.slice(0, 8).map(({ name }) => name);
  throw badWaiver("<target>", `${slug} has no release cycle "${cycle}"`, `Its latest cycles: ${lines.join(", ")}.`);
}

/** `--config`, else the nearest configuration file here or in a parent folder, else a new file here. */
async function configurationFile(invocation: Invocation): Promise<{ settings: Settings; path: string }> {
  const { io } = invocation;
  const { config: named, ...flags } = invocation.flags;
  // The named file may not exist yet, so it is not read as settings.
  const settings = await readSettings({
    ...invocation,
    flags,
    io: { ...io, env: { ...io.env, EOLGATE_CONFIG: "", EOLGATE_CONFIG_FROM: "" } },
  });
  const given = stringValue(named) ?? stringValue(io.env["EOLGATE_CONFIG"]);
  const found = given === undefined ? settings.config?.path : undefined;
  return { settings, path: found ?? resolve(io.cwd, given ?? NEW_CONFIG) };
}

/** Empty for a file that does not exist yet. */
const textOfFile = (file: string): string =>
  readTextIfPresent(file, "configuration file", (cause) =>
    EolgateError.of(
      "config-unreadable",
      { problem: "the configuration file cannot be read", advice: "Check --config or EOLGATE_CONFIG." },
      { where: file, cause },
    ),
  );

export const commands: readonly CommandModule[] = [
  {
    name: "waive",
    arguments: "<target>",
    summary: "accept a finding until a date: write a waiver for a purl, slug or slug:cycle to the configuration file",
    flags: WAIVE_FLAGS,
    examples: ['eolgate waive nodejs:18 --reason "moves in spring" --expires 6m --approved-by "Platform team"'],
    run: runWaive,
  },
];
