/**
 * `npm run catalogue:refresh`: updates the bundled catalogue from its sources, for the scheduled workflow. Prints the
 * changes as Markdown.
 *
 *     node tools/catalogue-refresh.ts [--current FILE] [--source-base URL]
 *
 * `--current` is the catalogue that was published last: a source that cannot be read keeps the state in it.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { refreshedSourcesPage } from "../src/catalogue/compile/sources-page.ts";
import { readContent } from "../src/catalogue/file.ts";
import { BUNDLED } from "../src/catalogue/places.ts";
import { updateCatalogue } from "../src/catalogue/update.ts";
import { EolgateError } from "../src/core/errors.ts";
import { asIsoDate } from "../src/core/ids.ts";
import { changesMarkdown } from "../src/report/cards/catalogue.ts";

const folder = mkdtempSync(join(tmpdir(), "eolgate-refresh-"));
const { values } = parseArgs({ options: { current: { type: "string" }, "source-base": { type: "string" } } });
try {
  const { bytes, changes, sources, quarantined } = await updateCatalogue({
    folder,
    base: values["source-base"],
    env: process.env,
    current: { bytes: readFileSync(values.current ?? BUNDLED), origin: values.current ?? "bundled" },
    today: asIsoDate(new Date().toISOString().slice(0, 10)),
    now: Date.now(),
  });
  writeFileSync(BUNDLED, bytes);
  const content = readContent(bytes, "bundled");
  writeFileSync(new URL("SOURCES.md", BUNDLED), refreshedSourcesPage(content, changes.to.digest));
  const failed = sources.filter(({ outcome }) => outcome === "failed");
  console.log(changesMarkdown(changes));
  if (failed.length > 0)
    console.log(`## Not read\n\n${failed.map(({ id, why = "" }) => `- ${id}: ${why}`).join("\n")}\n`);
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
