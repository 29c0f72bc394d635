/** The commands that show, replace, verify, compare and export the catalogue. */
import { catalogueInfo } from "../../catalogue/info/info.ts";
import { EolgateError } from "../../messages/error.ts";
import {
  catalogueCard,
  changesCard,
  changesMarkdown,
  installedCard,
  updateCard,
} from "../../report/cards/catalogue.ts";
import { deliverAnswer, deliver } from "../../shell/output.ts";
import { currentCatalogueFile, installOptions, trustOf, namedFile, privateKey } from "../../shell/catalogue-file.ts";
import type { ProcessContext } from "../../shell/process-context.ts";
import type { IsoDate } from "../../text/ids.ts";
import type { CommandModule, Invocation, SettingsLayer } from "../../shell/command.ts";
import { flagValues, isEnabled, stringValue, listValue } from "../../shell/settings.ts";
import { locate } from "../../catalogue/channel/location.ts";
import { RELEASE_CHANNEL } from "../../catalogue/places.ts";
import { overdueNote, updateFrom, type UpdateFromResult } from "../../catalogue/channel/pull.ts";
import { openCatalogue, readContent, resignCatalogue } from "../../catalogue/file.ts";
import { parseCatalogue } from "../../catalogue/load.ts";
import { verifySignature, signDigest } from "../../catalogue/signature.ts";
import type { Product, Catalogue } from "../../model/index.ts";
import { escapeTerminal } from "../../report/escape.ts";
import { diffCatalogues } from "../../catalogue/info/diff.ts";
import { toCle } from "../../catalogue/own/cle.ts";
import { cycleTable } from "../../catalogue/own/cycle-table.ts";
import { toOpenEox } from "../../catalogue/own/openeox.ts";
import { acceptCatalogue, type CatalogueBytes } from "../../catalogue/update/install.ts";
import { changedAnswers } from "../../catalogue/update/weakened.ts";
import { findProduct } from "../../resolve/product.ts";
import {
  DIFF_FLAGS,
  EXPORT_FLAGS,
  IMPORT_FLAGS,
  INFO_FLAGS,
  PUBLISH_FLAGS,
  UPDATE_FLAGS,
  VERIFY_FLAGS,
} from "../flags/catalogue.ts";

async function runInfo(invocation: Invocation): Promise<number> {
  const values = flagValues(invocation);
  const { bytes, origin } = await currentCatalogueFile(invocation.io, values);
  const today = invocation.io.today();
  const info = catalogueInfo(bytes, origin, today);
  if (info.age_days < 0) throw EolgateError.of("catalogue-from-future", { date: info.date, today }).at(origin);
  return deliverAnswer(invocation.io, values, info, () => catalogueCard(info));
}

async function runUpdate(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const values = flagValues(invocation);
  const base = stringValue(values["sourceBase"]);
  if (isEnabled(values["fromSources"]) || (base !== undefined && invocation.flags["channel"] === undefined))
    return fromSources(io, values, base);
  const from = stringValue(values["channel"]) ?? RELEASE_CHANNEL;
  if (from === undefined) throw EolgateError.of("channel-not-configured", {}).at("--channel");
  const result = await updateFrom({
    ...(await installOptions(io, values)),
    origin: await locate(from, io.cwd, { env: io.env, signal: io.stop() }),
    trust: await trustOf(io, values),
  });
  if (result.kind === "installed" && result.overdueSince !== undefined)
    io.err(`eolgate: note: ${overdueNote(result.overdueSince)}\n`);
  return deliverAnswer(io, values, factsOf(result), () => cardOf(result));
}

function factsOf(result: UpdateFromResult) {
  const channel = result.metadata === undefined ? {} : { channel: result.metadata };
  if (result.kind === "up-to-date") return { status: result.kind, ...channel };
  const { bytes: _, ...installed } = result.installed;
  return { status: result.kind, ...installed, ...channel };
}

function cardOf(result: UpdateFromResult): string {
  if (result.kind === "installed") return installedCard(result.installed);
  const { version, catalogue } = result.metadata;
  return `up to date: version ${version} of the channel, content of ${catalogue.contentDate}\n`;
}

async function fromSources(io: ProcessContext, values: SettingsLayer, base: string | undefined): Promise<number> {
  const { updateFromSources } = await import("../../pipeline/index.ts");
  const report = await updateFromSources({
    ...(await installOptions(io, values)),
    env: io.env,
    signal: io.stop(),
    base,
    ...(io.terminal.err && {
      progress: (done, of) => io.err(`\rreading sources: ${done} of ${of}${done === of ? "\n" : ""}`),
    }),
  });
  const { bytes: _, ...facts } = report;
  const code = await deliverAnswer(io, values, facts, () => updateCard(report));
  const failed = report.sources.filter(({ outcome }) => outcome === "failed");
  if (failed.length === 0 || !isEnabled(values["strictSources"])) return code;
  throw EolgateError.of("vendors-unread", { failed: failed.length, all: report.sources.length }).at(
    failed.map(({ id }) => id).join(", "),
  );
}

async function runVerify(invocation: Invocation): Promise<number> {
  const values = flagValues(invocation);
  const [named] = invocation.args;
  const trust = await trustOf(invocation.io, values);
  const file = await (named === undefined
    ? currentCatalogueFile(invocation.io, values)
    : namedFile(invocation.io, named));
  const { head } = openCatalogue(file.bytes, file.origin);
  const isChecked = trust.keys.length > 0;
  if (isChecked) verifySignature(head, trust, file.origin);
  const facts = { origin: file.origin, digest: head.digest, signature: isChecked ? "ok" : "not checked" };
  return deliverAnswer(
    invocation.io,
    values,
    facts,
    () => `${escapeTerminal(file.origin)}: ${head.digest} ok, signature ${facts.signature}\n`,
  );
}

async function runDiff(invocation: Invocation): Promise<number> {
  const [older = "", newer = ""] = invocation.args;
  const values = flagValues(invocation);
  const today = invocation.io.today();
  const [before, after] = (await Promise.all([older, newer].map((name) => namedFile(invocation.io, name)))).map(
    ({ bytes, origin }) => ({ content: readContent(bytes, origin), catalogue: parseCatalogue(bytes, origin) }),
  );
  if (before === undefined || after === undefined) throw new TypeError("diff compares two files");
  const isSame = before.catalogue.metadata.digest === after.catalogue.metadata.digest;
  // Equal bytes answer alike.
  const answers = isSame ? [] : changedAnswers(before, after, today);
  const changes = { ...diffCatalogues(before.catalogue, after.catalogue, today), answers };
  const render = stringValue(values["format"]) === "markdown" ? changesMarkdown : changesCard;
  return deliverAnswer(invocation.io, values, changes, () => render(changes));
}

async function runExport(invocation: Invocation): Promise<number> {
  const values = flagValues(invocation);
  const file = await currentCatalogueFile(invocation.io, values);
  const output = stringValue(values["output"]);
  const format = stringValue(values["format"]) ?? "catalogue";
  const body =
    format === "catalogue"
      ? await signed(invocation.io, file, stringValue(values["signKey"]))
      : await otherFormat(file, format, { slugs: listValue(values["product"]), today: invocation.io.today() });
  await deliver(invocation.io, output, body);
  return 0;
}

async function signed(
  io: ProcessContext,
  { bytes, origin }: CatalogueBytes,
  keyFile: string | undefined,
): Promise<Uint8Array> {
  if (keyFile === undefined) {
    openCatalogue(bytes, origin);
    return bytes;
  }
  const key = await privateKey(io, keyFile);
  return resignCatalogue(bytes, origin, (digest) => signDigest(digest, key));
}

interface ExportedProducts {
  readonly slugs: readonly string[];
  readonly today: IsoDate;
}

async function otherFormat(file: CatalogueBytes, format: string, asked: ExportedProducts): Promise<string> {
  const { slugs, today } = asked;
  if (format !== "admission") return exchangeFormat(file, format, asked);
  if (slugs.length > 0)
    throw EolgateError.of("invalid-usage", { problem: "--product has no effect with --format admission" }).at(
      "--product",
    );
  const { admissionPolicies } = await import("../../api/admission-policies.ts");
  const catalogue = parseCatalogue(file.bytes, file.origin);
  return `${JSON.stringify(admissionPolicies(catalogue, today), null, 2)}\n`;
}

/** OpenEoX gives one document. CLE gives one document for each product; several are written one per line. */
function exchangeFormat({ bytes, origin }: CatalogueBytes, format: string, { slugs, today }: ExportedProducts): string {
  const catalogue = parseCatalogue(bytes, origin);
  const products =
    slugs.length === 0
      ? catalogue.slugs().flatMap((slug) => catalogue.product(slug) ?? [])
      : slugs.map((slug) => productNamed(catalogue, slug));
  if (format === "cycles") return cycleTable(products, today);
  if (format === "openeox")
    return `${JSON.stringify(toOpenEox(products, catalogue.facts.packageEvidence.makers), null, 2)}\n`;
  const [only] = products;
  if (products.length === 1 && only) return `${JSON.stringify(toCle(only), null, 2)}\n`;
  const documents = products.map(toCle).filter(({ events }) => events.length > 0);
  return documents.map((document) => `${JSON.stringify(document)}\n`).join("");
}

function productNamed(catalogue: Catalogue, slug: string): Product {
  const product = findProduct(catalogue, slug);
  if (product) return product;
  throw EolgateError.of("product-not-found", { name: slug, suggestions: "" }).at("--product");
}

async function runImport(invocation: Invocation): Promise<number> {
  const values = flagValues(invocation);
  const { bytes: _, ...installed } = await acceptCatalogue({
    ...(await installOptions(invocation.io, values)),
    offered: await namedFile(invocation.io, invocation.args[0] ?? ""),
    trust: await trustOf(invocation.io, values),
  });
  return deliverAnswer(invocation.io, values, installed, () => installedCard(installed));
}

export const commands: readonly CommandModule[] = [
  {
    name: "catalogue info",
    summary: "print which catalogue is in use, its age and its counts",
    flags: INFO_FLAGS,
    run: runInfo,
  },
  {
    name: "catalogue update",
    summary: "replace the catalogue from its channel, another server, a file, or the vendors' sources",
    flags: UPDATE_FLAGS,
    examples: [
      "eolgate catalogue update --from-sources",
      "eolgate catalogue update --channel https://eol.example.com --publisher-key publisher.pem",
    ],
    run: runUpdate,
  },
  {
    name: "catalogue publish",
    arguments: "<dir>",
    summary: "write the catalogue as a signed channel for a static host",
    flags: PUBLISH_FLAGS,
    examples: ["eolgate catalogue publish public --sign-key key.pem"],
    run: async (invocation) => (await (await import("../../pipeline/index.ts")).loadPublish()).run(invocation),
  },
  {
    name: "catalogue verify",
    arguments: "[file]",
    summary: "verify the digest and signature of a catalogue",
    flags: VERIFY_FLAGS,
    examples: ["eolgate catalogue verify catalogue.json --publisher-key public.pem"],
    run: runVerify,
  },
  {
    name: "catalogue diff",
    arguments: "<old> <new>",
    summary: "compare two catalogues: added cycles, moved dates and changed statuses",
    flags: DIFF_FLAGS,
    examples: ["eolgate catalogue diff old.json new.json --format markdown"],
    run: runDiff,
  },
  {
    name: "catalogue export",
    summary:
      "write the catalogue, optionally signed, in the CLE or OpenEoX format, as a table, or as policies of Kubernetes",
    flags: EXPORT_FLAGS,
    examples: ["eolgate catalogue export -o catalogue.json", "eolgate catalogue export --format cle --product nodejs"],
    run: runExport,
  },
  {
    name: "catalogue import",
    arguments: "<file>",
    summary: "install an exported catalogue",
    flags: IMPORT_FLAGS,
    run: runImport,
  },
];
