/** Versions older than the recorded cycles, in the answers of the API. */
import { expect, test } from "vitest";
import { createLocal } from "../../src/api/operations/local.ts";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { asIsoDate } from "../../src/text/ids.ts";
import { linksUnder } from "../../src/wire/links.ts";

const local = createLocal({
  catalogue: loadCatalogue(),
  asOf: asIsoDate("2026-11-22"),
  links: linksUnder("https://eolgate.example"),
});

test("score and status support a version older than the first recorded cycle", async () => {
  const older = { version: "7.2.16", requested_version: "7.2.16", version_matched_by: "older" };
  const score = await local.score({ slug: "angular", version: "7.2.16" });
  expect(score).toMatchObject({
    ...older,
    status: "eol",
    eol_date: null,
    eol_boolean: true,
    eol_no_later_than: "2021-08-06",
    older_than: "9",
    eol_date_source_url: expect.stringMatching(/^https:/),
  });
  const status = await local.status({ slug: "angular", version: "7.2.16" });
  expect(status).toMatchObject({ ...older, is_eol: true, is_supported: false, eol_date: null });
});

test("a batch supports a purl whose version is older than the first recorded cycle", async () => {
  const [answer] = await local.batch({ products: [{ purl: "pkg:gem/rails@4.1.1" }] });
  expect(answer).toMatchObject({ product: "rails", version: "4.1.1", version_matched_by: "older", status: "eol" });
});

test("reports a version that may not exist as not found", async () => {
  await expect(local.score({ slug: "angular", version: "0.0.0" })).rejects.toMatchObject({
    code: "version-not-tracked",
  });
});
