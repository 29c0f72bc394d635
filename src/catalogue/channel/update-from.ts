/** Updates the catalogue in use from a channel, or from a server or file that has one catalogue. */
import type { IsoDate } from "../../text/ids.ts";
import { EolgateError } from "../../messages/error.ts";
import { join } from "node:path";
import { acceptCatalogue } from "../accept.ts";
import { openCatalogue } from "../file.ts";
import { CATALOGUE_FILE, type InstalledCatalogue, installCatalogue, type InstallOptions } from "../install.ts";
import type { Trust } from "../signature.ts";
import type { Location, Origin } from "./location.ts";
import type { ChannelMetadata } from "./metadata.ts";
import { type AcceptedVersion, pullChannel } from "./pull.ts";
import { readState, writeState } from "./state.ts";

/** Bytes of a catalogue that is not compressed. */
const CATALOGUE_LIMIT = 64 * 1024 * 1024;

export interface UpdateFromOptions extends InstallOptions {
  readonly origin: Origin;
  readonly trust: Trust;
}

export type UpdateFromResult =
  | { readonly kind: "up-to-date"; readonly metadata: ChannelMetadata }
  | { readonly kind: "installed"; readonly installed: InstalledCatalogue; readonly metadata?: ChannelMetadata };

/** @throws EolgateError `catalogue` or `network`. The catalogue in use stays. */
export async function updateFrom(options: UpdateFromOptions): Promise<UpdateFromResult> {
  const { origin, trust, folder, current, now, today } = options;
  if (origin.kind === "file") return fromFile(origin.location, origin.path, options);
  const { location } = origin;
  const state = await readState(folder);
  // The bundled catalogue in place of a cached one that is missing or damaged is not an installed one.
  const isCached = current.origin === join(folder, CATALOGUE_FILE);
  const installed = isCached ? openCatalogue(current.bytes, current.origin).head.digest : undefined;
  const pulled = await pullChannel({ location, trust, state, installed, now });
  if (pulled.kind === "no-channel") return fromFile(location, "catalogue.json", options);
  const { metadata, accepted } = pulled;
  if (pulled.kind === "up-to-date") {
    await remember(folder, accepted, pulled.installed, today);
    return { kind: "up-to-date", metadata };
  }
  const offered = { bytes: pulled.bytes, origin: `${location.address}/v1/${metadata.catalogue.path}` };
  const result = await installCatalogue(offered, options);
  await remember(folder, accepted, openCatalogue(result.bytes, result.path).head.digest, today);
  return { kind: "installed", installed: result, metadata };
}

function remember(folder: string, accepted: AcceptedVersion, installed: string, checkedOn: IsoDate): Promise<void> {
  return writeState(folder, { ...accepted, installed, checkedOn });
}

async function fromFile(location: Location, path: string, options: UpdateFromOptions): Promise<UpdateFromResult> {
  const bytes = await location.read(path, CATALOGUE_LIMIT);
  const origin = `${location.address}/${path}`;
  if (bytes === undefined) throw EolgateError.of("source-unread", { why: "there is no catalogue" }, { where: origin });
  return { kind: "installed", installed: await acceptCatalogue({ ...options, offered: { bytes, origin } }) };
}
