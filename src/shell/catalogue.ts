/** The catalogue that the settings of a command name, with the user's own entries. */
import { resolve } from "node:path";
import { catalogueMissing, loadCatalogue, parseOffered } from "../catalogue/load.ts";
import { contributedBy, withOwnEntries } from "../catalogue/own/with-own.ts";
import { updateCommand } from "../catalogue/places.ts";
import { daysBetween } from "../lifecycle/days.ts";
import { EolgateError } from "../messages/error.ts";
import type { Catalogue } from "../model/index.ts";
import { DEFAULT_CATALOGUE_AGE } from "../policy/fields.ts";
import type { IsoDate } from "../text/ids.ts";
import type { ProcessContext } from "./process-context.ts";
import { isEnabled, type Settings, stringValue } from "./settings.ts";

/** Age of the catalogue in days from which a note is printed. */
const NOTE_AGE = 30;

/** Opens the catalogue that the settings name, and checks its age. `notesAge`: an old one is noted on standard error. */
export async function openChosenCatalogue(
  io: ProcessContext,
  settings: Settings,
  { notesAge = false }: { readonly notesAge?: boolean } = {},
): Promise<Catalogue> {
  const named = stringValue(settings.values["catalogue"]);
  // The path as the user wrote it: reports contain it, and they are the same in every checkout.
  const where = { env: io.env, cwd: io.cwd };
  const loaded = named === undefined ? loadCatalogue(where) : await openNamed(named, io.cwd, settings);
  const { fields, found } = settings.contributed;
  const catalogue =
    named !== undefined && fields.includes("catalogue")
      ? contributedBy(loaded, { file: named, found }, loadCatalogue(where))
      : loaded;
  refuseEarlyDay(catalogue, settings);
  const age = checkedAge(catalogue, settings, io.today());
  const { quiet, knownAt } = settings.values;
  if (age > NOTE_AGE && notesAge && !isEnabled(quiet) && knownAt === undefined)
    io.err(`eolgate: note: the catalogue is ${age} days old; refresh it with: ${updateCommand(io.env)}\n`);
  return withOwnEntries(catalogue, {
    own: stringValue(settings.values["ownCatalogue"]),
    search: !settings.ignoresFiles,
    cwd: io.cwd,
    today: settings.asOf,
    files: settings.files,
  });
}

async function openNamed(path: string, cwd: string, { files }: Settings): Promise<Catalogue> {
  const bytes = await files.read(resolve(cwd, path), "catalogue", (cause) => catalogueMissing(path, cause));
  return parseOffered(bytes, path);
}

/**
 * The age of the catalogue in days on the day of the check, or today if that day is in the future.
 * @throws EolgateError `catalogue-too-old`
 */
function checkedAge({ metadata }: Catalogue, { policy, asOf }: Settings, today: IsoDate): number {
  const day = asOf < today ? asOf : today;
  const age = daysBetween(metadata.date, day);
  const limit = policy.maxCatalogueAge ?? DEFAULT_CATALOGUE_AGE;
  if (age > limit) throw EolgateError.of("catalogue-too-old", { age, asOf: day, limit }).at(metadata.origin);
  return age;
}

/**
 * The origins that may set an earlier day: the operator of the gate sets flags and variables. A configuration file is
 * part of the checked repository, which could use it to hide findings.
 */
const TRUSTED_ORIGINS: ReadonlySet<string> = new Set(["--as-of", "EOLGATE_AS_OF"]);

/** Refuses a day before the catalogue was read: everything that has ended since would look supported. */
function refuseEarlyDay({ metadata: { date, origin } }: Catalogue, { asOf, asOfOrigin }: Settings): void {
  if (asOf >= date || TRUSTED_ORIGINS.has(asOfOrigin)) return;
  throw EolgateError.of("clock-behind", { day: asOf, date, source: asOfOrigin }).at(origin);
}
