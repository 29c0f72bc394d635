import { availableParallelism } from "node:os";
import { matchesGlob } from "node:path";
import { defineConfig } from "vitest/config";
import { testFiles, testProjects } from "./test/setup/projects.ts";

/**
 * Files that take more than about a second: they start servers or stores, go through many inputs, or compare whole
 * catalogues. Files that can start a process or reach the build are recognized by their imports.
 */
const LONG = [
  "test/api/admission.test.ts",
  "test/api/every-surface.test.ts",
  "test/api/gate-word.test.ts",
  "test/api/remote/consistency.test.ts",
  "test/api/remote/remote.test.ts",
  "test/api/validate.test.ts",
  "test/api/validity.test.ts",
  "test/catalogue/bundled.test.ts",
  "test/catalogue/channel/pull.test.ts",
  "test/catalogue/format/format.test.ts",
  "test/catalogue/own/{cycle-table,openeox}.test.ts",
  "test/catalogue/update/*.test.ts",
  "test/catalogue/{purls,schema}.test.ts",
  "test/cli/action/action.test.ts",
  "test/cli/commands/{catalogue,doctor}.test.ts",
  "test/cli/contributions.test.ts",
  "test/cli/init/*.test.ts",
  "test/cli/inputs/github.test.ts",
  "test/cli/known-at.test.ts",
  "test/cli/printed-commands.test.ts",
  "test/cli/{hosted,update-before}.test.ts",
  "test/compare/forecast.test.ts",
  "test/compare/upgrade-targets.test.ts",
  "test/docs/leading-on.test.ts",
  "test/end-to-end/**/*.test.ts",
  "test/enrich/properties.test.ts",
  "test/examples/other-days.test.ts",
  "test/files/pins/services.test.ts",
  "test/fuzz/**/*.test.ts",
  "test/http/client.test.ts",
  "test/images/mutations.test.ts",
  "test/images/read.test.ts",
  "test/images/registry/client.test.ts",
  "test/json-rows/{graph,reader,scanner}.test.ts",
  "test/pipeline/citations.test.ts",
  "test/pipeline/reference-facts.test.ts",
  "test/pipeline/sources/malformed.test.ts",
  "test/pipeline/update/*.test.ts",
  "test/report/formats.test.ts",
  "test/report/kev.test.ts",
  "test/report/real-documents.test.ts",
  "test/report/support-that-counts.test.ts",
  "test/repository/type-names.test.ts",
  "test/resolution/resolution.test.ts",
  "test/resolve/image-surfaces.test.ts",
  "test/resolve/purl/untracked.test.ts",
  "test/sbom/cyclonedx/xml/document.test.ts",
  "test/sbom/integrity.test.ts",
  "test/sbom/pieces.test.ts",
  "test/sbom/read.test.ts",
  "test/sbom/spdx2/tag-value.test.ts",
  "test/service/alerts/watch.test.ts",
  "test/service/alerts/year.test.ts",
  "test/service/documents/check.test.ts",
  "test/service/every-surface.test.ts",
  "test/service/http/app.test.ts",
  "test/service/http/routes/account.test.ts",
  "test/service/http/routes/lookups.test.ts",
  "test/service/http/{admission,imitated,openapi}.test.ts",
  "test/service/keys/keys.test.ts",
  "test/service/mail/mailer.test.ts",
  "test/service/mcp/{budget,server}.test.ts",
  "test/service/pages/account.test.ts",
  "test/service/pages/pages.test.ts",
  "test/service/payments/payments.test.ts",
  "test/service/published-clients.test.ts",
  "test/service/same-answer.test.ts",
  "test/service/serve/ports.test.ts",
  "test/service/site/*.test.ts",
  "test/service/store/**/*.test.ts",
  "test/service/support-that-counts.test.ts",
  "test/service/{cluster,operator,own-names,processes}.test.ts",
  "test/signals/{cache,sources/*}.test.ts",
  "test/tools/bundled-layers.test.ts",
];

/** Files of processes, stores and whole catalogues that each run in a process of their own. The others share what they import. */
const APART = [
  "test/catalogue/update/*.test.ts",
  "test/cli/{exit-codes,readme-guarantees,update-before}.test.ts",
  "test/cli/commands/catalogue.test.ts",
  "test/docs/{operating,operators-commands,self-hosting}.test.ts",
  "test/end-to-end/**/*.test.ts",
  "test/fuzz/**/*.test.ts",
  "test/pipeline/update/reference-update.test.ts",
  "test/sbom/integrity.test.ts",
  "test/service/{cluster,operator,processes,restart}.test.ts",
  "test/service/alerts/watch.test.ts",
  "test/service/documents/check.test.ts",
  "test/service/http/openapi.test.ts",
  "test/service/mail/mailer.test.ts",
  "test/service/serve/serve.test.ts",
  "test/shell/config-file.test.ts",
  "test/service/store/**/*.test.ts",
];

const { browser: BROWSER, slow: SLOW, soaked: SOAKED } = testProjects(testFiles(), LONG);

const isApart = (file: string): boolean => APART.some((pattern) => matchesGlob(file, pattern));
const isSoak = process.env["EOLGATE_SOAK"] === "1";
/** `npm run soak:tests` runs the files that do more then, and no others. */
const inRun = (files: readonly string[]): string[] => files.filter((file) => !isSoak || SOAKED.includes(file));
const ALL = isSoak ? [...SOAKED] : ["test/**/*.test.ts"];

export default defineConfig({
  test: {
    reporters: [["default", { summary: false }], "./test/setup/counts.ts"],
    // The default leaves one processor free, which halves the speed on two.
    maxWorkers: availableParallelism(),
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A missing snapshot fails here as it does in CI; "vitest -u" writes it.
    update: "none",
    // Another zone than UTC on purpose: a day computed in local time fails somewhere.
    env: { TZ: "Pacific/Kiritimati" },
    projects: [
      // Without isolation the files of one worker share what they import, which halves the time of this project.
      { extends: true, test: { name: "unit", include: ALL, exclude: [...SLOW, ...BROWSER], isolate: false } },
      {
        extends: true,
        test: {
          name: "slow",
          include: inRun(SLOW),
          exclude: APART,
          isolate: false,
          globalSetup: "test/setup/postgres.ts",
        },
      },
      {
        extends: true,
        test: { name: "apart", include: inRun(SLOW.filter(isApart)), globalSetup: "test/setup/postgres.ts" },
      },
      { extends: true, test: { name: "browser", include: inRun(BROWSER) } },
    ],
  },
});
