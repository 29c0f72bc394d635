/** `eolgate catalogue publish DIR`: writes the catalogue in use as a signed channel for a static host. */
import { resolve } from "node:path";
import { publishChannel } from "../publish.ts";
import { EolgateError } from "../../messages/error.ts";
import { answer, currentCatalogueFile, privateKey } from "../../cli/current-catalogue.ts";
import type { Invocation } from "../../cli/command.ts";
import { flagValues } from "../../cli/value-origins.ts";
import type { SettingsLayer } from "../../cli/settings.ts";
import { list, text } from "../../cli/config.ts";

const NEXT_HOURS = 72;
const EXPIRY_HOURS = 336;
const MAX_HOURS = 24 * 366;

export async function run(invocation: Invocation): Promise<number> {
  const { io, args } = invocation;
  const values = flagValues(invocation);
  const files = list(values["signKey"]);
  if (files.length === 0) throw EolgateError.of("publish-unsigned", {}, { where: "--sign-key" });
  const { metadata, path } = await publishChannel({
    folder: resolve(io.cwd, args[0] ?? ""),
    catalogue: await currentCatalogueFile(invocation, values),
    keys: await Promise.all(files.map((file) => privateKey(invocation, file))),
    now: io.now(),
    today: io.today(),
    nextHours: hours(values, "nextIn", "--next-in", NEXT_HOURS),
    expiryHours: hours(values, "expiresIn", "--expires-in", EXPIRY_HOURS),
    revokedKeys: list(values["revokeKey"]).map(keyIdOf),
  });
  const { version, expires, catalogue } = metadata;
  const card = [
    `version ${version} in ${path}, expires ${expires}`,
    `content of ${catalogue.contentDate}, ${catalogue.size} bytes compressed, ${catalogue.digest}`,
  ];
  return answer(invocation, values, metadata, () => `${card.join("\n")}\n`);
}

function hours(values: SettingsLayer, key: string, flag: string, otherwise: number): number {
  const given = text(values[key]);
  if (given === undefined) return otherwise;
  const number = Number(given);
  if (Number.isInteger(number) && number > 0 && number <= MAX_HOURS) return number;
  throw EolgateError.of("bad-hours", { given, most: MAX_HOURS }, { where: flag });
}

function keyIdOf(given: string): string {
  if (/^[0-9a-f]{16}$/.test(given)) return given;
  throw EolgateError.of("bad-key-id", { given }, { where: "--revoke-key" });
}
