import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Tests of pages in a real browser. */
const BROWSER = [
  "test/report/html.test.ts",
  "test/service/follow-form.test.ts",
  "test/service/pages/{browser,journeys,account-journeys,check-journeys}.test.ts",
];

/**
 * Files that take more than about a second: they start processes, servers or stores, go through many inputs, or compare
 * whole catalogues. `npm run test:fast` leaves them and the browser out.
 */
const SLOW = [
  "test/catalogue/**/{check-update,hostile,reference-update}.test.ts",
  "test/api/validate.test.ts",
  "test/catalogue/{commands,format,openeox,update,written-purls,wrong-shape}.test.ts",
  "test/cli/{action-bundle,config-data,doctor,exit-codes,fleet,hosted,hostile-inputs,readme-guarantees,serve}.test.ts",
  "test/docs/{commands,operating,operators-commands}.test.ts",
  "test/end-to-end/**/*.test.ts",
  "test/enrich/properties.test.ts",
  "test/files/lockfiles/written-by-tools.test.ts",
  "test/fuzz/**/*.test.ts",
  "test/http/client.test.ts",
  "test/images/{command,languages,native-tools}.test.ts",
  "test/library/samples.test.ts",
  "test/pipelines/**/*.test.ts",
  "test/platform/{package-files,paged-file}.test.ts",
  "test/report/real-documents.test.ts",
  "test/resolve/purl/untracked.test.ts",
  "test/sbom/integrity.test.ts",
  "test/service/{account,cluster,mcp,operator,own-names,processes,sbom}.test.ts",
  "test/service/alerts/year.test.ts",
  "test/service/mail/mailer.test.ts",
  "test/service/site/*.test.ts",
  "test/service/store/**/*.test.ts",
  "test/signals/{cache,deps-dev,hosts,registries}.test.ts",
];

const ALL = ["test/**/*.test.ts"];

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
      { extends: true, test: { name: "slow", include: SLOW, globalSetup: "test/setup/postgres.ts" } },
      { extends: true, test: { name: "browser", include: BROWSER } },
    ],
  },
});
