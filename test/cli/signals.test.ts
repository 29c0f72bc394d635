/** `check --signals` as a user runs it, with deps.dev on loopback. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type RecordedRequest, type Loopback, loopback, type Reply, status } from "../signals/loopback.ts";
import { configured, runCommand } from "./fake-io.ts";
import { singleReport } from "../single-report.ts";

const catalogue = fileURLToPath(new URL("../fixtures/catalogue.json", import.meta.url));
let folder = "";
let server: Loopback | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "eolgate-cli-signals-"));
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  rmSync(folder, { recursive: true, force: true });
});

const COMPONENTS = [
  ["old-lib-of-ours", "2.88.2", "pkg:npm/old-lib-of-ours@2.88.2"],
  ["left-pad", "1.3.0", "pkg:npm/left-pad@1.3.0"],
  ["vite", "7.1.0", "pkg:npm/vite@7.1.0"],
  ["@acme/secret", "1.0.0", "pkg:npm/%40acme/secret@1.0.0"],
  ["curl", "7.88.1", "pkg:deb/debian/curl@7.88.1?arch=amd64&distro=debian-12"],
  ["nodejs", "18.20.4", "pkg:generic/node@18.20.4"],
] as const;

function document(components: readonly (readonly string[])[] = COMPONENTS): string {
  const path = join(folder, "bom.json");
  const bom = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    metadata: {
      component: { type: "application", name: "ours", version: "1.0.0", purl: "pkg:npm/ours@1.0.0", "bom-ref": "root" },
    },
    components: components.map(([name, version, purl]) => ({ type: "library", name, version, purl, "bom-ref": purl })),
  };
  writeFileSync(path, JSON.stringify(bom));
  return path;
}

const VERSIONS: Readonly<Record<string, object>> = {
  "pkg:npm/old-lib-of-ours@2.88.2": {
    isDeprecated: true,
    deprecatedReason: "deprecated by us",
    publishedAt: "2020-02-11T00:00:00Z",
  },
  "pkg:npm/left-pad@1.3.0": { isDefault: true, publishedAt: "2018-04-09T00:00:00Z" },
  "pkg:npm/vite@7.1.0": { isDefault: true, publishedAt: "2026-08-07T00:00:00Z" },
};
const purlbatch: Reply = ({ body }: RecordedRequest) => {
  const { requests } = JSON.parse(body) as { requests: readonly { purl: string }[] };
  return {
    responses: requests.map(({ purl }) => ({
      request: { purl },
      result: VERSIONS[purl] ? { version: VERSIONS[purl] } : {},
    })),
  };
};

async function check(
  args: readonly string[],
  reply: Reply = purlbatch,
  env: Readonly<Record<string, string>> = {},
  components?: Parameters<typeof document>[0],
) {
  await server?.close();
  server = await loopback({ "/v3alpha/purlbatch": reply });
  return runCommand(["check", document(components), "--as-of", "2026-11-21", ...args], {
    cwd: folder,
    env: {
      HOME: folder,
      EOLGATE_CATALOGUE: catalogue,
      EOLGATE_CACHE: join(folder, "cache"),
      EOLGATE_DEPSDEV_URL: server.url.href,
      ...env,
    },
  });
}

interface Entry {
  readonly bom_ref: string;
  readonly support_level?: string;
  readonly support_reason?: string;
  readonly support_evidence?: readonly {
    readonly source: string;
    readonly statement: string;
    readonly url: string;
    readonly retrieved_at: string;
  }[];
}
interface JsonReport {
  readonly findings: readonly Entry[];
  readonly unmatched: readonly Entry[];
  readonly results: readonly { readonly components: readonly Entry[] }[];
  readonly coverage: { readonly percent: number; readonly support_level?: { readonly percent: number } };
  readonly exit: { readonly code: number; readonly name: string; readonly why: string };
}
const levels = (out: string): Readonly<Record<string, string | undefined>> => {
  const { findings, unmatched } = singleReport(out) as JsonReport;
  return Object.fromEntries(
    [...findings, ...unmatched].map(({ bom_ref, support_level, support_reason }) => [
      bom_ref,
      support_reason === undefined ? support_level : `${support_level}: ${support_reason}`,
    ]),
  );
};

describe("check --signals", () => {
  test("states a level with evidence for each component, with one request", async () => {
    const { out } = await check([
      "--signals",
      "deps.dev",
      ...configured({ privatePackages: ["pkg:npm/@acme/*"] }),
      "--format",
      "json",
    ]);
    expect(levels(out)).toMatchObject({
      "pkg:npm/old-lib-of-ours@2.88.2": "no-longer-maintained",
      "pkg:npm/left-pad@1.3.0": "inactive",
      "pkg:npm/vite@7.1.0": "maintained",
      "pkg:npm/%40acme/secret@1.0.0": "unknown: private",
    });
    const report = singleReport(out) as JsonReport;
    const request = report.unmatched.find(({ bom_ref }) => bom_ref === "pkg:npm/old-lib-of-ours@2.88.2");
    expect(request?.support_evidence?.[0]).toMatchObject({
      source: "deps.dev",
      statement: "version-deprecated",
      retrieved_at: "2026-11-21",
    });
    expect(request?.support_evidence?.[0]?.url).toBe(
      `${server?.url.href}v3/systems/npm/packages/old-lib-of-ours/versions/2.88.2`,
    );
    for (const { components } of report.results)
      for (const each of components) expect(each.support_level).toBeDefined();
    expect(report.coverage.support_level?.percent).toBeGreaterThan(0);
  });

  test("sends the bare purls of public types and nothing else", async () => {
    await check(["--signals", "deps.dev", ...configured({ privatePackages: ["pkg:npm/@acme/*"] })]);
    const sent = server?.received.map(({ path, body }) => `${path} ${body}`) ?? [];
    expect(sent).toEqual([
      `/v3alpha/purlbatch ${JSON.stringify({ requests: COMPONENTS.slice(0, 3).map(([, , purl]) => ({ purl })) })}`,
    ]);
    for (const header of server?.received.map(({ headers }) => headers) ?? []) {
      expect(Object.keys(header).toSorted()).toEqual([
        "accept",
        "accept-encoding",
        "connection",
        "content-length",
        "content-type",
        "host",
        "user-agent",
      ]);
    }
  });

  test("warns about packages that are no longer maintained, and fails when the policy requires it", async () => {
    const warned = await check(["--signals", "deps.dev", "--fail-on", "kev"]);
    expect(warned.exit).toBe(0);
    expect(warned.out).toContain("old-lib-of-ours 2.88.2");
    const failed = await check(["--signals", "deps.dev", "--fail-on", "unmaintained"]);
    expect(failed.exit).toBe(1);
    const inactive = await check(["--signals", "deps.dev", "--fail-on", "inactive", "--format", "json"]);
    expect((singleReport(inactive.out) as JsonReport).exit.why).toContain(
      "1 component has no recent release or commit",
    );
    expect(
      (await check(["--signals", "deps.dev", "--fail-on", "inactive", ...configured({ inactiveMonths: 120 })])).exit,
    ).toBe(0);
  });

  test.each(["outdated>=1", "inactive"])("is needed for --fail-on %s", async (condition) => {
    const { exit, err } = await check(["--fail-on", condition]);
    expect(exit).toBe(2);
    expect(err).toContain("--signals");
    expect(server?.received).toEqual([]);
  });

  test("exits with code 5 when a source that the policy depends on is unavailable", async () => {
    const { exit, out } = await check(
      ["--signals", "deps.dev", "--fail-on", "unmaintained", "--format", "json"],
      status(403),
    );
    expect(exit).toBe(5);
    expect((singleReport(out) as JsonReport).exit.why).toMatch(
      /support level of 4 components could not be determined \(HTTP 403\)/,
    );
    expect((await check(["--signals", "deps.dev", "--fail-on", "kev"], status(403))).exit).toBe(0);
  });

  test("uses the cache without a network connection", async () => {
    const first = await check(["--signals", "deps.dev", "--format", "json"]);
    const second = await check(["--signals", "cache", "--format", "json"]);
    expect(server?.received).toEqual([]);
    expect(levels(second.out)).toEqual(levels(first.out));
  });

  test("gives no verdict offline with an empty cache when the policy fails on a level", async () => {
    const { exit } = await check(["--signals", "cache", "--fail-on", "unmaintained"]);
    expect(exit).toBe(5);
  });

  test("reads its settings from the configuration file", async () => {
    writeFileSync(
      join(folder, "eolgate.config.yaml"),
      'inactiveMonths: 200\nprivatePackages: ["pkg:npm/@acme/*", "pkg:npm/vite"]\n',
    );
    const { out } = await check(["--signals", "deps.dev", "--format", "json"]);
    expect(levels(out)).toMatchObject({
      "pkg:npm/left-pad@1.3.0": "maintained",
      "pkg:npm/vite@7.1.0": "unknown: private",
    });
  });

  test("refuses an invalid pattern", async () => {
    const { exit, err } = await check(["--signals", "deps.dev", ...configured({ privatePackages: ["@acme/*"] })]);
    expect(exit).toBe(2);
    expect(err).toContain("pkg:npm/@acme/*");
  });

  test("continues without an unusable cache and prints a warning", async () => {
    writeFileSync(join(folder, "file"), "");
    const { out, err } = await check(["--signals", "deps.dev", "--format", "json"], purlbatch, {
      EOLGATE_CACHE: join(folder, "file"),
    });
    expect(levels(out)["pkg:npm/old-lib-of-ours@2.88.2"]).toBe("no-longer-maintained");
    expect(err).toContain("the signal cache cannot be used");
    expect((await check(["--signals", "cache"], purlbatch, { EOLGATE_CACHE: join(folder, "file") })).exit).toBe(5);
  });
});

describe("reports with support levels", () => {
  const cells = (line: string): readonly string[] =>
    [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell = ""]) => cell.replaceAll(/^"|"$/g, ""));

  test("--format fda has a row with evidence or a reason for each component", async () => {
    const { out } = await check([
      "--signals",
      "deps.dev",
      ...configured({ privatePackages: ["pkg:npm/@acme/*"] }),
      "--format",
      "fda",
    ]);
    const [header = "", ...lines] = out.trimEnd().split("\r\n");
    const names = cells(header);
    const rows = lines.map((line) => new Map(cells(line).map((cell, at) => [names[at] ?? "", cell])));
    expect(rows.map((row) => row.get("unique_identifier"))).toEqual(COMPONENTS.map(([, , purl]) => purl));
    for (const row of rows) {
      if (row.get("support_level") === "unknown") expect(row.get("justification")).not.toBe("");
      else expect([row.get("evidence"), row.get("evidence_url"), row.get("evidence_checked_on")]).not.toContain("");
    }
    expect(rows.map((row) => row.get("level_of_support")).slice(0, 4)).toEqual([
      "no longer maintained",
      "no recent activity",
      "actively maintained",
      "unknown",
    ]);
    expect(rows[3]?.get("justification")).toBe("private package, not sent to any source");
  });

  test("JSON, FDA and enrichment evidence contain the replacement that the maintainers name, with its page", async () => {
    const components = [["vuex", "4.1.0", "pkg:npm/vuex@4.1.0"]] as const;
    const reply: Reply = ({ body }) => {
      const { requests } = JSON.parse(body) as { requests: readonly { purl: string }[] };
      const version = { isDefault: true, publishedAt: "2022-10-14T00:00:00Z" };
      return { responses: requests.map((request) => ({ request, result: { version } })) };
    };
    const json = await check(["--signals", "deps.dev", "--format", "json"], reply, {}, components);
    const [entry] = (singleReport(json.out) as JsonReport).findings.concat(
      (singleReport(json.out) as JsonReport).unmatched,
    );
    expect(entry).toMatchObject({ support_level: "inactive", replacement: "pkg:npm/pinia" });
    expect(entry?.support_evidence).toContainEqual({
      source: "catalogue",
      statement: "replacement-named",
      url: "https://github.com/vuejs/vuex/blob/bd907467b8392d6671bb115738285ff7f63d0cf6/README.md",
      retrieved_at: "2026-11-22",
      replacement: "pkg:npm/pinia",
    });
    const fda = await check(["--signals", "deps.dev", "--format", "fda"], reply, {}, components);
    expect(fda.out).toContain("pkg:npm/pinia");
    expect(fda.out).toContain("replacement named by its maintainers");
    const offline = await check(["--format", "json"], reply, {}, components);
    expect(offline.out).not.toContain("pinia");
  });

  test("each row of the example has evidence or a reason", () => {
    const file = fileURLToPath(new URL("../../examples/web-shop.fda.csv", import.meta.url));
    const [header = "", ...lines] = readFileSync(file, "utf8").trimEnd().split("\r\n");
    const names = cells(header);
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines) {
      const row = new Map(cells(line).map((cell, at) => [names[at] ?? "", cell]));
      const traced = /^https?:/.test(row.get("evidence_url") ?? "") && row.get("evidence_checked_on") !== "";
      expect(traced || (row.get("support_level") === "unknown" && row.get("justification") !== "")).toBe(true);
    }
  });

  test("--format fda without --signals uses the catalogue and the list of newest versions, and makes no requests", async () => {
    // The bundled catalogue: the one of the tests lists no newest versions.
    const bundled = fileURLToPath(new URL("../../src/data/catalogue.json", import.meta.url));
    const { out } = await check(["--format", "fda-markdown", "--catalogue", bundled], purlbatch, {}, [
      ["semver", "5.7.2", "pkg:npm/semver@5.7.2"],
      ["vite", "7.1.0", "pkg:npm/vite@7.1.0"],
      ["@acme/secret", "1.0.0", "pkg:npm/%40acme/secret@1.0.0"],
    ]);
    expect(out).toContain("no source was queried");
    expect(out).toMatch(/\| `semver` \| 5\.7\.2 .* newer major versions exist .* \d major versions ahead \(bundled/);
    expect(out).toMatch(/release cycle (?:ended|supported)/);
    expect(server?.received).toEqual([]);
  });

  test.each(["table", "markdown", "html"])("%s states the coverage by support signals", async (format) => {
    const { out } = await check(["--signals", "deps.dev", "--format", format]);
    expect(out.replaceAll(/\s+/g, " ")).toMatch(/\d of \d components have a support level/);
    expect(out).toContain("deprecated by us");
  });

  const LEVEL = "support level: ";
  test.each(["table", "markdown"] as const)("%s has the support level of a row", async (format) => {
    const args = ["--signals", "deps.dev", "--format", format, "--verbose"];
    const { out } = await check(args, purlbatch, { COLUMNS: "140" });
    expect(out).toContain(LEVEL);
    // In the row or in the lines below it.
    const rowOf = (name: string) => out.slice(out.indexOf(name), out.indexOf(name) + 400);
    expect(rowOf("old-lib-of-ours 2.88.2")).toContain("no longer maintained");
    expect(rowOf("nodejs 18.20.4")).toMatch(/end of support/);
    // Components without a release cycle are listed with their level.
    expect(out).toMatch(/vite 7\.1\.0[^\n]*maintained/);
    const without = await check(["--format", format, "--verbose"], purlbatch, { COLUMNS: "140" });
    expect(without.out).not.toContain(LEVEL);
  });

  test("a narrow table states the level below the row", async () => {
    const { out } = await check(["--signals", "deps.dev", "--verbose"], purlbatch, { COLUMNS: "80" });
    expect(out).not.toContain("SUPPORT LEVEL");
    expect(out.replaceAll(/\s+/g, " ")).toContain("support level: end of support");
  });

  test("csv has the level, its reason, the last release and the evidence of each component", async () => {
    const { out } = await check([
      "--signals",
      "deps.dev",
      ...configured({ privatePackages: ["pkg:npm/@acme/*"] }),
      "--format",
      "csv",
    ]);
    const [header = "", ...lines] = out.trimEnd().split("\r\n");
    const names = cells(header);
    const rows = lines.map((line) => new Map(cells(line).map((cell, at) => [names[at] ?? "", cell])));
    const rowOf = (name: string) => Object.fromEntries(rows.find((row) => row.get("component") === name) ?? []);
    expect(rowOf("left-pad")).toMatchObject({ support_level: "inactive", last_release: "2018-04-09" });
    expect(rowOf("left-pad")["support_evidence"]).toContain("default version released 2018-04-09");
    expect(rowOf("left-pad")["support_evidence_url"]).toMatch(/^http/);
    const secret = Object.fromEntries(
      rows.find((row) => [...row.values()].includes("pkg:npm/%40acme/secret@1.0.0")) ?? [],
    );
    expect(secret).toMatchObject({ support_level: "unknown", support_reason: "private" });
  });

  test("sarif has a rule and a result for packages that are no longer maintained", async () => {
    const { out } = await check(["--signals", "deps.dev", "--format", "sarif"]);
    interface Sarif {
      readonly runs: readonly {
        readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
        readonly results: readonly { readonly ruleId: string; readonly message: { readonly text: string } }[];
      }[];
    }
    const [run] = (JSON.parse(out) as Sarif).runs;
    const result = run?.results.find(({ message }) => message.text.includes("old-lib-of-ours"));
    expect(result?.message.text).toContain("deprecated by us");
    expect(run?.tool.driver.rules.map(({ id }) => id)).toContain(result?.ruleId);
    expect(result?.ruleId).toMatch(/unmaintained/);
  });

  test("html names the level of a component that is no longer maintained, and escapes the maintainers' text", async () => {
    const hostile: Reply = ({ body }) => {
      const { requests } = JSON.parse(body) as { requests: readonly { purl: string }[] };
      const version = { isDeprecated: true, deprecatedReason: "<img src=x onerror=alert(1)>" };
      return { responses: requests.map((request) => ({ request, result: { version } })) };
    };
    const { out } = await check(["--signals", "deps.dev", "--format", "html"], hostile);
    expect(out).toContain("no longer maintained");
    expect(out).not.toContain("<img src=x");
  });

  test("json contains both coverage figures", async () => {
    const { out } = await check(["--signals", "deps.dev", "--format", "json"]);
    const { coverage } = JSON.parse(out) as { coverage: Record<string, unknown> };
    expect(coverage["percent"]).toEqual(expect.any(Number));
    expect(coverage["support_level"]).toMatchObject({ determined: expect.any(Number), unknown: expect.any(Number) });
  });

  test("enrich writes the level, the last release and the address of the evidence", async () => {
    server = await loopback({ "/v3alpha/purlbatch": purlbatch });
    const { out } = await runCommand(["enrich", document(), "--as-of", "2026-11-21", "--signals", "deps.dev"], {
      cwd: folder,
      env: {
        HOME: folder,
        EOLGATE_CATALOGUE: catalogue,
        EOLGATE_CACHE: join(folder, "cache"),
        EOLGATE_DEPSDEV_URL: server.url.href,
      },
    });
    const bom = JSON.parse(out) as {
      components: readonly { name: string; properties: readonly { name: string; value: string }[] }[];
    };
    const left = bom.components.find(({ name }) => name === "left-pad")?.properties ?? [];
    expect(Object.fromEntries(left.map(({ name, value }) => [name, value]))).toMatchObject({
      "lifecycle:support_level": "inactive",
      "lifecycle:last_release": "2018-04-09",
      "lifecycle:support_evidence_url": `${server.url.href}v3/systems/npm/packages/left-pad/versions/1.3.0`,
    });
  });
});

describe("eolgate signals", () => {
  const run = (args: readonly string[], cache: string) =>
    runCommand(["signals", ...args], { cwd: folder, env: { HOME: folder, EOLGATE_CACHE: join(folder, cache) } });

  test("exports answers for use on a machine without a network", async () => {
    const first = await check(["--signals", "deps.dev", "--format", "json"]);
    expect((await run(["export", "-o", "signals.ndjson"], "cache")).exit).toBe(0);
    expect((await run(["import", "signals.ndjson"], "other")).err).toMatch(/\d answers imported/);
    const again = await check(["--signals", "cache", "--format", "json"], purlbatch, {
      EOLGATE_CACHE: join(folder, "other"),
    });
    expect(levels(again.out)).toEqual(levels(first.out));
    expect(server?.received).toEqual([]);
    const info = await run(["info", "--format", "json"], "other");
    expect(JSON.parse(info.out)).toMatchObject({ oldest: "2026-11-21", newest: "2026-11-21" });
  });

  test("refuses another file", async () => {
    writeFileSync(join(folder, "x"), "no export");
    expect((await run(["import", "x"], "cache")).exit).toBe(3);
    expect((await run(["import", "absent"], "cache")).exit).toBe(3);
  });
});

test("check without --signals makes no requests and reports no level", async () => {
  const { out } = await check(["--format", "json"]);
  expect(server?.received).toEqual([]);
  expect(out).not.toContain("support_level");
});

test("--signals bundled states levels without network and without a cache", async () => {
  const path = document([
    ["uuid", "3.4.0", "pkg:npm/uuid-of-nobody@3.4.0"],
    ["semver", "5.7.2", "pkg:npm/semver@5.7.2"],
    ["requests", "2.31.0", "pkg:pypi/requests@2.31.0"],
  ]);
  const env = { EOLGATE_CACHE: join(folder, "cache"), https_proxy: "http://127.0.0.1:9" };
  const { exit, out } = await runCommand(
    ["check", path, "--signals", "bundled", "--fail-on", "outdated>=2", "--format", "json"],
    { cwd: folder, env, today: "2026-11-22" },
  );
  expect(exit).toBe(1);
  expect(out.match(/"support_level": ?"[^"]+"/g)).toEqual(
    ["unknown", "outdated", "maintained"].map((level) => `"support_level":"${level}"`),
  );
  expect(out).toMatch(/"newest_version":"[78]\.\d+\.\d+","majors_behind":[23]/);
  expect(existsSync(join(folder, "cache", "signals.db"))).toBe(false);
});
