/**
 * `npm run catalogue:refresh`: updates the bundled catalogue from its sources, for the scheduled workflow. Prints the
 * changes as Markdown.
 *
 *     node tools/catalogue-refresh.ts [--current FILE] [--source-base URL]
 *
 * `--current` is the catalogue that was published last. If a source cannot be read, its state in that catalogue is
 * kept.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findStaleProducts } from "./stale-products.ts";
import type { KevRefreshReport } from "../src/pipeline/kev-ranges/refresh.ts";
import { escapeMarkdown } from "../src/report/escape.ts";
import { refreshFigures } from "./refresh-figures.ts";
import { refreshedSourcesPage } from "./sources-page.ts";
import { readContent } from "../src/catalogue/file.ts";
import { parseCatalogue } from "../src/catalogue/load.ts";
import { BUNDLED } from "../src/catalogue/places.ts";
import { updateCatalogue } from "../src/pipeline/update/update.ts";
import { EolgateError } from "../src/messages/error.ts";
import { asIsoDate } from "../src/text/ids.ts";
import { createSignalsClient } from "../src/signals/http.ts";
import { DEPS_DEV_BASE } from "../src/signals/sources.ts";
import { depsDevHistory } from "../src/signals/sources/deps-dev.ts";
import { changesMarkdown } from "../src/report/cards/catalogue.ts";

/** What the last refresh from the sources read and did not read. */
const LAST_REFRESH = new URL("last-refresh.json", BUNDLED);

const today = asIsoDate(new Date().toISOString().slice(0, 10));
const folder = mkdtempSync(join(tmpdir(), "eolgate-refresh-"));
const { values } = parseArgs({ options: { current: { type: "string" }, "source-base": { type: "string" } } });
try {
  const report = await updateCatalogue({
    folder,
    base: values["source-base"],
    env: process.env,
    current: { bytes: readFileSync(values.current ?? BUNDLED), origin: values.current ?? "bundled" },
    today,
    now: Date.now(),
  });
  const { bytes, changes, sources, quarantined, kev } = report;
  writeFileSync(BUNDLED, bytes);
  const content = readContent(bytes, "bundled");
  writeFileSync(new URL("SOURCES.md", BUNDLED), refreshedSourcesPage(content, changes.to.digest));
  const failed = sources.filter(({ outcome }) => outcome === "failed");
  const outcome = {
    on: today,
    sources: sources.length,
    failed: failed.map(({ id, why = "" }) => ({ id, why })),
    without_versions: kev?.unread ?? [],
    unmapped: kev?.unmapped ?? [],
  };
  writeFileSync(LAST_REFRESH, `${JSON.stringify(outcome, null, 2)}\n`);
  console.log(`${refreshFigures(report, today)}\n\n${changesMarkdown(changes)}`);
  if (failed.length > 0)
    console.log(`## Not read\n\n${failed.map(({ id, why = "" }) => `- ${id}: ${why}`).join("\n")}\n`);
  const added = sources.flatMap(({ id, newKeys = [] }) => (newKeys.length > 0 ? [`${id}: ${newKeys.join(", ")}`] : []));
  if (added.length > 0) console.log(list("New keys in answers, which are not read", added).join("\n\n"));
  if (kev) console.log(kevMarkdown(kev));
  if (values["source-base"] === undefined) console.log(await staleMarkdown(bytes));
  if (quarantined.length > 0) {
    const rows = quarantined.map(({ product, cycle, kept, moved }) => `- ${product} ${cycle}: ${kept} → ${moved}`);
    console.log(
      `## Quarantined: moved too far, and kept as they were until another source confirms them\n\n${rows.join("\n")}\n`,
    );
  }
} catch (error) {
  if (!(error instanceof EolgateError)) throw error;
  console.error(`${error.message} (${error.where ?? ""})`);
  process.exitCode = error.exit;
} finally {
  rmSync(folder, { recursive: true });
}

/** Asks deps.dev for the newest release of each product whose newest recorded cycle has ended. */
async function staleMarkdown(bytes: Buffer): Promise<string> {
  const client = createSignalsClient({ env: process.env });
  try {
    const { asked, unanswered, stale } = await findStaleProducts(
      parseCatalogue(bytes, "bundled"),
      depsDevHistory(new URL(DEPS_DEV_BASE)),
      { client, today },
    );
    const rows = stale.map(
      ({ product, ended, released, url }) =>
        `${product}: recorded until ${ended ?? "an unknown day"}, released on ${released} (${url})`,
    );
    return list(`Records that may be out of date (${asked} asked, ${unanswered} not answered)`, rows).join("\n\n");
  } finally {
    await client.close();
  }
}

function kevMarkdown({ read, unread, unmapped }: KevRefreshReport): string {
  return [
    ...list("Exploited vulnerabilities: affected versions read", read),
    ...list(
      "Exploited vulnerabilities without affected versions",
      unread.map(({ pair, why }) => `${pair}: ${why}`),
    ),
    ...list(
      "New vendors and products of CISA that no product stands for (curated/kev.json)",
      unmapped.map(({ vendor, product, cves }) => `${escapeMarkdown(`${vendor} ${product}`)}: ${cves.join(", ")}`),
    ),
  ].join("\n\n");
}

function list(title: string, rows: readonly string[]): readonly string[] {
  return rows.length === 0 ? [] : [`## ${title}`, rows.map((row) => `- ${row}`).join("\n")];
}
