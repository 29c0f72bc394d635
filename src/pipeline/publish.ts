/** `eolgate catalogue publish DIR`: writes the catalogue in use as a signed channel for a static host. */
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { EolgateError } from "../messages/error.ts";
import { METADATA_PATH } from "../catalogue/channel/envelope.ts";
import { parseEnvelope, parseMetadata } from "../catalogue/channel/metadata.ts";
import { readHistory } from "../catalogue/channel/history.ts";
import { folderLocation } from "../catalogue/channel/location.ts";
import { deliverAnswer } from "../shell/output.ts";
import { currentCatalogueFile, privateKey } from "../shell/catalogue-file.ts";
import type { Invocation, SettingsLayer } from "../shell/command.ts";
import { flagValues, listValue, stringValue } from "../shell/settings.ts";
import { noSignKey, type Publication, type Published, type PublishOptions, writePublication } from "./publication.ts";

/** @throws EolgateError `catalogue-from-future`, `catalogue-older`, `channel-damaged` for the folder; `output`. */
export async function publishChannel(options: PublishOptions): Promise<Publication> {
  return writePublication(options, await readPublished(options.folder));
}

/** Only read for its version and names: the folder is the publisher's own, its signature is not needed. */
async function readPublished(folder: string): Promise<Published | undefined> {
  const path = join(folder, METADATA_PATH);
  const bytes = await readFile(path).catch(() => undefined);
  if (bytes === undefined) return undefined;
  const metadata = parseMetadata(parseEnvelope(bytes, path), path);
  return { metadata, past: await readHistory(metadata, folderLocation(folder)) };
}

const NEXT_HOURS = 72;
const EXPIRY_HOURS = 336;
const MAX_HOURS = 24 * 366;
const MAX_DAYS = 36_600;

export async function run(invocation: Invocation): Promise<number> {
  const { io, args } = invocation;
  const values = flagValues(invocation);
  const files = listValue(values["signKey"]);
  if (files.length === 0) throw noSignKey();
  const { metadata, path } = await publishChannel({
    folder: resolve(io.cwd, args[0] ?? ""),
    catalogue: await currentCatalogueFile(invocation.io, values),
    keys: await Promise.all(files.map((file) => privateKey(io, file))),
    now: io.now(),
    today: io.today(),
    nextHours: hours(values, "nextIn", "--next-in", NEXT_HOURS),
    expiryHours: hours(values, "expiresIn", "--expires-in", EXPIRY_HOURS),
    revokedKeys: listValue(values["revokeKey"]).map(keyIdOf),
    historyDays: given(values, "keepHistory", "--keep-history", { unit: "days", max: MAX_DAYS }),
  });
  const { version, expires, catalogue } = metadata;
  const card = [
    `version ${version} in ${path}, expires ${expires}`,
    `content of ${catalogue.contentDate}, ${catalogue.size} bytes compressed, ${catalogue.digest}`,
  ];
  return deliverAnswer(invocation.io, values, metadata, () => `${card.join("\n")}\n`);
}

function hours(values: SettingsLayer, key: string, flag: string, otherwise: number): number {
  return given(values, key, flag, { unit: "hours", max: MAX_HOURS }) ?? otherwise;
}

function given(
  values: SettingsLayer,
  key: string,
  flag: string,
  { unit, max }: { readonly unit: string; readonly max: number },
): number | undefined {
  const text = stringValue(values[key]);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (Number.isInteger(number) && number > 0 && number <= max) return number;
  throw EolgateError.of("invalid-value", {
    problem: `"${text}" is not a whole number of ${unit} from 1 to ${max}`,
  }).at(flag);
}

function keyIdOf(given: string): string {
  if (/^[0-9a-f]{16}$/.test(given)) return given;
  throw EolgateError.of("invalid-value", {
    problem: `"${given}" is not the id of a key`,
    advice: "An id has 16 hexadecimal digits; catalogue info shows it as signed_by.",
  }).at("--revoke-key");
}
