/** POST /v1/sbom/watch with `follow`: packages on a watch list besides release cycles, with deps.dev on loopback. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Message } from "../../src/service/mail/message.ts";
import type { WatchResponse } from "../../src/wire/schemas.ts";
import { loopback, noReply, type Loopback, type Reply } from "../signals/loopback.ts";
import { AFTER_CUT_OFF, startService, stopServices } from "./service.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "eolgate-watch-packages-"));
});
afterEach(async () => {
  await stopServices();
  rmSync(folder, { recursive: true, force: true });
});

const COMPONENTS = [
  { type: "library", name: "express", version: "3.1.0", purl: "pkg:npm/express@3.1.0" },
  { type: "library", name: "left-pad", version: "1.0.0", purl: "pkg:npm/left-pad@1.0.0?checksum=sha1:abc#lib" },
  { type: "library", name: "left-pad", version: "1.0.0", purl: "pkg:npm/left-pad@1.0.0" },
  { type: "library", name: "@acme/c", version: "1.0.0", purl: "pkg:npm/%40acme/c@1.0.0" },
  { type: "library", name: "openssl", version: "3.0.0", purl: "pkg:deb/debian/zzz@3.0.0?distro=zzz" },
  { type: "library", name: "elsewhere", version: "1.0.0", purl: "pkg:npm/x@1.0.0?repository_url=npm.example" },
];
const bom = (components: readonly object[] = COMPONENTS) => ({
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  components,
});

async function start(withSources = true, address = "http://127.0.0.1:9/") {
  const mails: Message[] = [];
  const signals = {
    policy: { signals: "deps.dev" as const, privatePackages: ["pkg:npm/@acme/*"] },
    env: { HOME: folder, EOLGATE_DEPSDEV_URL: address },
    folder,
    execPath: process.execPath,
    cachePath: join(folder, "signals.db"),
  };
  const service = await startService({
    at: AFTER_CUT_OFF,
    settings: { open: true },
    pool: withSources ? { signals } : {},
    store: { transport: { send: async (mail) => void mails.push(mail), close: () => undefined } },
  });
  const watch = (follow: unknown, sbom: object = bom()) =>
    service.post("/v1/sbom/watch", { email: "ann@example.org", sbom, follow });
  return { service, watch, mails };
}

describe("request that follows packages", () => {
  test("lists each public package without a release cycle once, without qualifiers", async () => {
    const { watch } = await start();
    const answer = await watch(["deprecated"]);
    expect(answer.statusCode, answer.body).toBe(202);
    const { lines, follow, packages, package_limit, not_watched } = answer.json<WatchResponse>();
    expect(lines).toEqual(["express:3"]);
    expect({ follow, packages, package_limit }).toEqual({
      follow: ["deprecated"],
      packages: ["pkg:npm/left-pad@1.0.0"],
      package_limit: 1000,
    });
    expect(not_watched.map(({ component }) => component)).toEqual(["@acme/c", "openssl", "elsewhere"]);
  });

  test("stores the packages with the list and shows them on the confirmation page", async () => {
    const { service, watch, mails } = await start();
    await watch(["unmaintained", "deprecated", "deprecated"]);
    await service.over.jobs.wake("mails");
    expect(mails[0]?.text).toContain(
      "requested mails about the end of life of 1 release cycle and the support level of 1 package:",
    );
    const link = /\/v1\/watch\/confirm\?token=[\w%-]+/.exec(mails[0]?.text ?? "")?.[0] ?? "";
    const page = await service.get(link);
    expect(page.body).toContain("pkg:npm/left-pad@1.0.0");
    expect(page.body).toContain("1 package");
    await service.inject({ method: "POST", url: link });
    expect(await service.fixture.store.watch.confirmedOf("ann@example.org")).toMatchObject({
      follow: ["deprecated", "unmaintained"],
      packages: ["pkg:npm/left-pad@1.0.0"],
    });
    await service.over.jobs.wake("mails");
    expect(mails[1]?.subject).toBe("Your watch list: 1 release cycle and 1 package");
    expect(mails[1]?.text).toContain("when the maintainers of a package on the list (1) deprecate or archive it");
  });

  test("requires no release cycle", async () => {
    const { service, watch, mails } = await start();
    const answer = await watch(["deprecated"], bom([{ ...COMPONENTS[1] }]));
    expect([answer.statusCode, answer.json<WatchResponse>().lines]).toEqual([202, []]);
    await service.over.jobs.wake("mails");
    expect(mails[0]?.text).toContain("requested mails about the support level of 1 package.");
  });

  test("keeps at most 1,000 packages and returns the others with a reason", async () => {
    const { service, watch } = await start();
    const components = Array.from({ length: 1003 }, (_, index) => ({
      type: "library",
      name: `p${index}`,
      version: "1.0.0",
      purl: `pkg:npm/zz-p${index}@1.0.0`,
    }));
    const { packages, not_watched } = (await watch(["deprecated"], bom(components))).json<WatchResponse>();
    expect(packages).toHaveLength(1000);
    expect(not_watched).toEqual(
      [1000, 1001, 1002].map((index) => ({ component: `pkg:npm/zz-p${index}@1.0.0`, reason: "limit" })),
    );
    const [pending] = await service.fixture.store.outbox.claim("test", service.clock(), service.clock() + 1, 1);
    expect(JSON.parse(pending?.facts ?? "{}")).toMatchObject({ packages: 1000 });
  });

  test("returns 501 on a server without sources and stores nothing", async () => {
    const { service, watch } = await start(false);
    const answer = await watch(["deprecated"]);
    expect([answer.statusCode, answer.json().code]).toEqual([501, "signals-not-offered"]);
    expect((await service.fixture.store.outbox.counts()).queued).toBe(0);
  });

  test.each([["soon"], [["deprecated", "soon"]], [{}], [true], [null], [[["deprecated"]]]])(
    "%j returns 400",
    async (follow) => {
      const { watch } = await start();
      const answer = await watch(follow);
      expect([answer.statusCode, answer.json().code]).toEqual([400, "invalid-request"]);
      expect(answer.body).toContain("deprecated and unmaintained");
    },
  );
});

test("a request without packages is answered normally, also without sources", async () => {
  const { watch } = await start(false);
  for (const follow of [undefined, []]) {
    const answer = await watch(follow);
    expect(answer.statusCode, answer.body).toBe(202);
    expect(answer.json()).not.toHaveProperty("packages");
  }
});

describe("background job", () => {
  let server: Loopback;
  let queried: string[] = [];
  let deprecated = false;
  beforeEach(async () => {
    queried = [];
    deprecated = false;
    const purlbatch: Reply = ({ body }) => {
      const { requests } = JSON.parse(body) as { requests: readonly { purl: string }[] };
      queried.push(...requests.map(({ purl }) => purl));
      const version = {
        publishedAt: "2026-11-01T00:00:00Z",
        isDeprecated: deprecated,
        deprecatedReason: "use String.padStart",
      };
      return { responses: requests.map(({ purl }) => ({ request: { purl }, result: { version } })) };
    };
    server = await loopback({ "/v3alpha/purlbatch": purlbatch });
  });
  afterEach(() => server.close());

  const confirm = async ({ service, watch, mails }: Awaited<ReturnType<typeof start>>, follow: readonly string[]) => {
    await watch(follow);
    await service.over.jobs.wake("mails");
    const link = /\/v1\/watch\/confirm\?token=[\w%-]+/.exec(mails.at(-1)?.text ?? "")?.[0] ?? "";
    expect((await service.inject({ method: "POST", url: link })).statusCode).toBe(200);
    await service.over.jobs.wake("packages");
    await service.over.jobs.wake("mails");
  };

  test("queries only packages of confirmed lists, and mails a deprecation with its evidence once", async () => {
    const started = await start(true, server.url.href);
    const { service, mails, watch } = started;
    await watch(["deprecated"]);
    await service.over.jobs.wake("packages");
    expect(queried).toEqual([]);

    await confirm(started, ["deprecated"]);
    expect(queried).toEqual(["pkg:npm/left-pad@1.0.0"]);
    expect(mails.map(({ subject }) => subject)).not.toContain("left-pad 1.0.0 (npm) is deprecated by its maintainers");

    deprecated = true;
    // The cached answer is used for a week.
    service.clock.add(8 * 24 * 60 * 60_000);
    for (let turn = 0; turn < 2; turn += 1) {
      await service.over.jobs.wake("packages");
      await service.over.jobs.wake("mails");
    }
    const alerts = mails.filter(({ subject }) => subject === "left-pad 1.0.0 (npm) is deprecated by its maintainers");
    expect(alerts).toHaveLength(1);
    expect(alerts[0]?.text).toContain(
      'Evidence: version deprecated by its maintainers: "use String.padStart" (deps.dev, checked on 2026-12-09)',
    );
    expect(alerts[0]?.unsubscribe).toContain("/v1/watch/unsubscribe?token=");
  });

  test("processes a list as soon as it is confirmed", async () => {
    deprecated = true;
    const started = await start(true, server.url.href);
    await confirm(started, ["unmaintained"]);
    expect(started.mails.map(({ subject }) => subject)).toContain(
      "left-pad 1.0.0 (npm) is deprecated by its maintainers",
    );
  });

  test("is not registered on a server without sources", async () => {
    const { service } = await start(false, server.url.href);
    await service.over.jobs.wake("packages");
    expect(server.received).toEqual([]);
  });

  test("stops with the server even if a source never answers", async () => {
    const never = await loopback({ "/v3alpha/purlbatch": noReply });
    const started = await start(true, never.url.href);
    const { service, watch, mails } = started;
    await watch(["deprecated"]);
    await service.over.jobs.wake("mails");
    const link = /\/v1\/watch\/confirm\?token=[\w%-]+/.exec(mails.at(-1)?.text ?? "")?.[0] ?? "";
    await service.inject({ method: "POST", url: link });
    while (never.received.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await stopServices();
    await never.close();
  });
});
