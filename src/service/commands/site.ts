/** `eolgate site export DIR`: the answers of the service as files for a static host. */
import { resolve } from "node:path";
import { parseCatalogue } from "../../catalogue/load.ts";
import { EolgateError } from "../../messages/error.ts";
import { formatCount, formatNumber } from "../../messages/format.ts";
import { VERSION } from "../../platform/version.ts";
import { createSiteApp } from "../site/app.ts";
import { SITE_PARTS, siteEntries, type SitePart } from "../site/entries.ts";
import { exportSite, type ExportedSite } from "../site/export.ts";
import type { Invocation } from "../../cli/command.ts";
import { listValue, isEnabled, stringValue } from "../../cli/settings/config.ts";
import { answer, currentCatalogueFile } from "../../cli/catalogue/current.ts";
import { publicUrlOf } from "../serve/settings.ts";
import { asOfDay } from "../../cli/settings/settings.ts";
import { flagValues } from "../../cli/settings/value-origins.ts";

export async function run(invocation: Invocation): Promise<number> {
  const { io, args } = invocation;
  const values = flagValues(invocation);
  const parts = partsOf(listValue(values["part"]));
  const publicUrl = publicUrlOf(stringValue(values["publicUrl"]));
  if (publicUrl === undefined)
    throw EolgateError.of("invalid-value", {
      problem: "--public-url is required, because pages and answers contain their own address",
    });
  const asOf = asOfDay(values["asOf"], io.today());
  const file = await currentCatalogueFile(invocation, values);
  const catalogue = parseCatalogue(file.bytes, file.origin);
  const app = createSiteApp({
    version: VERSION,
    served: { catalogue, bytes: () => file.bytes },
    clock: () => Date.parse(asOf),
    publicUrl,
    withServer: isEnabled(values["withServer"]),
  });
  const { date, digest } = catalogue.metadata;
  const site = await exportSite({
    app,
    entries: siteEntries(catalogue, parts),
    folder: resolve(io.cwd, args[0] ?? ""),
    about: {
      generator: "eolgate site export",
      version: VERSION,
      public_url: publicUrl,
      as_of: asOf,
      catalogue: { date, digest },
    },
  });
  await app.close();
  return answer(invocation, values, summary(site), () => formatSummary(site, args[0] ?? ""));
}

function partsOf(names: readonly string[]): readonly SitePart[] {
  if (names.length === 0) return SITE_PARTS;
  return names.map((name) => {
    const part = SITE_PARTS.find((each) => each === name);
    if (part !== undefined) return part;
    throw EolgateError.of("invalid-value", { problem: `--part is one of ${SITE_PARTS.join(", ")}, not ${name}` });
  });
}

const summary = ({ files, bytes, written, unchanged, removed, notFound }: ExportedSite) => ({
  files,
  bytes,
  written,
  unchanged,
  removed,
  not_found: notFound,
});

function formatSummary({ files, bytes, written, unchanged, removed, notFound }: ExportedSite, folder: string): string {
  const counts = [
    `${formatNumber(written)} written`,
    `${formatNumber(unchanged)} unchanged`,
    `${formatNumber(removed)} removed`,
  ];
  const left = notFound.length === 0 ? [] : [`${formatCount(notFound.length, "ambiguous version")} without a file`];
  return `${formatCount(files, "file")} in ${folder}, ${formatNumber(bytes)} bytes: ${[...counts, ...left].join(", ")}\n`;
}
