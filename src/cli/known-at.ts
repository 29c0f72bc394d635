/**
 * `check --known-at`: the catalogue that was valid on a day, or the one that a statement names by its digest. The channel
 * is read only with `--update`, and the catalogue in use is not replaced.
 */
import { join } from "node:path";
import { openCatalogue } from "../catalogue/file.ts";
import { RELEASE_CHANNEL } from "../catalogue/places.ts";
import { type KnownAt, notKnown, openHistory } from "../catalogue/channel/history.ts";
import { locate } from "../catalogue/channel/location.ts";
import { readState } from "../catalogue/channel/pull.ts";
import { EolgateError } from "../messages/error.ts";
import { writeCached } from "../platform/replace-file.ts";
import type { CatalogueBytes } from "../catalogue/update/install.ts";
import { bundledFile, cacheOf, currentCatalogueFile, namedFile, trustOf } from "../shell/catalogue-file.ts";
import type { ProcessContext } from "../shell/process-context.ts";
import { isEnabled, type Settings, stringValue } from "../shell/settings.ts";
import { isIsoDate } from "../text/ids.ts";
import { noChannel, TIMEOUT } from "./update-before.ts";

/**
 * The file of the catalogue to use; undefined if it is the one in use.
 * @throws EolgateError `catalogue-not-known`, and those of the channel
 */
export async function catalogueKnownAt(
  io: ProcessContext,
  { values }: Settings,
  text: string,
): Promise<string | undefined> {
  const asked = parse(text, io.today());
  if (stringValue(values["api"]) !== undefined)
    throw EolgateError.of("invalid-usage", {
      problem: "--known-at has no effect with --api: a service answers with its own catalogue",
    }).at("--known-at");
  const named = stringValue(values["catalogue"]);
  if (named !== undefined) {
    await requireFit(io, named, asked);
    return undefined;
  }
  if ("digest" in asked) {
    const local = await localFile(io, asked.digest);
    if (local !== undefined) return local.path;
  }
  if (!isEnabled(values["update"]) && values["update"] !== "try")
    throw notKnown(
      "--known-at",
      "digest" in asked
        ? `neither the cache nor this release has the catalogue ${asked.digest}`
        : `which catalogue was valid on ${asked.day} is stated by the history of the channel, which was not read`,
      "Add --update to read the channel that EOLGATE_CHANNEL names, or name the file of the catalogue with --catalogue.",
    );
  const from = stringValue(io.env["EOLGATE_CHANNEL"]) ?? RELEASE_CHANNEL;
  if (from === undefined) throw noChannel();
  return fromChannel(io, from, asked);
}

function parse(text: string, today: string): KnownAt {
  if (/^sha256:[0-9a-f]{64}$/.test(text)) return { digest: text };
  if (isIsoDate(text) && text <= today) return { day: text };
  throw EolgateError.of("invalid-value", {
    problem: isIsoDate(text) ? `${text} is after today` : `"${text}" is neither a date nor a digest`,
    advice: "Write a day that has passed as YYYY-MM-DD, or the digest of a catalogue as sha256:….",
  }).at("--known-at");
}

async function fromChannel(io: ProcessContext, from: string, asked: KnownAt): Promise<string | undefined> {
  const { kind, location } = await locate(from, io.cwd, { env: io.env, timeout: TIMEOUT });
  if (kind === "file") throw notKnown(location.address, "this is a single catalogue, which has no history");
  const trust = await trustOf(io, { publisherKey: io.env["EOLGATE_PUBLISHER_KEY"] });
  const history = await openHistory({ location, trust, state: await readState(cacheOf(io)), now: io.now() });
  const publication = history.find(asked);
  const { digest } = publication.catalogue;
  const local = await localFile(io, digest);
  return local === undefined ? keep(io, digest, await history.read(publication)) : local.path;
}

/** The catalogue with a digest in the cache or in the package. Without a path, it is the one in use. */
async function localFile(io: ProcessContext, digest: string): Promise<{ readonly path?: string } | undefined> {
  const inUse = await currentCatalogueFile(io, {});
  if (digestOfFile(inUse) === digest) return {};
  const path = keptPath(io, digest);
  const kept = await namedFile(io, path).catch(() => undefined);
  if (kept !== undefined && digestOfFile(kept) === digest) return { path };
  if (inUse.origin === "bundled") return undefined;
  const bundled = bundledFile();
  return digestOfFile(bundled) === digest ? { path: await keep(io, digest, bundled.bytes) } : undefined;
}

const keptPath = (io: ProcessContext, digest: string): string =>
  join(cacheOf(io), "known", `${digest.slice("sha256:".length)}.json`);

/** So that the next run with the same digest needs no network. */
async function keep(io: ProcessContext, digest: string, bytes: Uint8Array): Promise<string> {
  const path = keptPath(io, digest);
  await writeCached(path, bytes);
  return path;
}

/** Undefined for a damaged file or one of another format: it is none of those that can be used. */
function digestOfFile({ bytes, origin }: CatalogueBytes): string | undefined {
  try {
    return openCatalogue(bytes, origin).head.digest;
  } catch {
    return undefined;
  }
}

/** @throws EolgateError `catalogue-not-known` for a file with another digest, or with content after the day */
async function requireFit(io: ProcessContext, named: string, asked: KnownAt): Promise<void> {
  const { head, sections } = openCatalogue((await namedFile(io, named)).bytes, named);
  const { date } = sections.value("metadata");
  if ("digest" in asked && head.digest !== asked.digest)
    throw notKnown(named, `the digest of this catalogue is ${head.digest}, and not ${asked.digest}`);
  if ("day" in asked && date > asked.day)
    throw notKnown(named, `this catalogue is dated ${date}, after ${asked.day}: it was not known on that day`);
}
