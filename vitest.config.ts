import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    reporters: [["default", { summary: false }], "./test/setup/counts.ts"],
    globalSetup: "test/setup/postgres.ts",
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A missing snapshot fails here as it does in CI; "vitest -u" writes it.
    update: "none",
    // Another zone than UTC on purpose: a day computed in local time fails somewhere.
    env: { TZ: "Pacific/Kiritimati" },
  },
});
