import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { goproxySource, isRetracted, readGoMod } from "../../../src/signals/sources/goproxy.ts";
import { mavenSource } from "../../../src/signals/sources/maven.ts";
import { npmSource } from "../../../src/signals/sources/npm.ts";
import { nugetSource } from "../../../src/signals/sources/nuget.ts";
import { packagistSource } from "../../../src/signals/sources/packagist.ts";
import { pypiSource } from "../../../src/signals/sources/pypi.ts";
import { rubygemsSource } from "../../../src/signals/sources/rubygems.ts";
import type { SignalSource } from "../../../src/signals/source.ts";
import { query, formatOutcome, subjectOf } from "../harness.ts";
import {
  type RecordedRequest,
  truncated,
  isFunction,
  type Loopback,
  loopback,
  page,
  type Reply,
  noReply,
  status,
  text,
} from "../loopback.ts";

let server: Loopback | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** The formatted outcomes of a source for each purl, with the given replies of the registry. */
async function queryRegistry(
  create: (url: URL) => SignalSource,
  replies: (url: URL) => Readonly<Record<string, Reply>>,
  purls: readonly string[],
  options: Parameters<typeof query>[2] = {},
): Promise<readonly (readonly string[])[]> {
  let rows: Readonly<Record<string, Reply>> = {};
  server = await loopback({ "/": (request: RecordedRequest, response) => dispatch(request, response, rows) });
  rows = replies(server.url);
  const outcomes = await query(create(server.url), purls.map(subjectOf), options);
  return purls.map((purl) => formatOutcome(outcomes.get(subjectOf(purl).key)));
}

function dispatch(request: RecordedRequest, response: ServerResponse, rows: Readonly<Record<string, Reply>>): unknown {
  const reply = Object.entries(rows).find(([start]) => request.path.startsWith(start))?.[1];
  if (reply === undefined) return response.writeHead(404).end();
  return isFunction(reply) ? reply(request, response) : reply;
}

const npm = (url: URL): SignalSource => npmSource(() => ({ base: url, authorization: "Bearer secret" }));

describe("npm", () => {
  const full = {
    versions: { "2.88.0": {}, "2.88.2": { deprecated: "request has been deprecated" }, "2.87.0": { deprecated: "" } },
    time: { created: "2011-01-22T00:00:00Z", modified: "2026-01-01T00:00:00Z", "2.88.2": "2020-02-11T16:35:36.000Z" },
    repository: { type: "git", url: "git+https://github.com/Request/request.git" },
  };

  test("reports the deprecation of a version and the last release of the package", async () => {
    const found = await queryRegistry(npm, () => ({ "/request": full }), [
      "pkg:npm/request@2.88.2",
      "pkg:npm/request@2.87.0",
      "pkg:npm/request@9.9.9",
    ]);
    expect(found).toEqual([
      ["version-deprecated (request has been deprecated)", "last-release 2020-02-11"],
      ["last-release 2020-02-11"],
      ["not found"],
    ]);
  });

  test("reads only the abbreviated document where it is sufficient, and the full one for the dates", async () => {
    const { time: _time, ...short } = full;
    const reply: Reply = (request: RecordedRequest) =>
      request.headers.accept?.includes("install-v1") === true ? short : full;
    const deprecated = await queryRegistry(npm, () => ({ "/request": reply }), ["pkg:npm/request@2.88.2"]);
    expect(deprecated).toEqual([["version-deprecated (request has been deprecated)"]]);
    expect(server?.received).toHaveLength(1);
    await server?.close();
    const sound = await queryRegistry(npm, () => ({ "/request": reply }), ["pkg:npm/request@2.88.0"]);
    expect(sound).toEqual([["last-release 2020-02-11"]]);
    expect(server?.received).toHaveLength(2);
  });

  test("encodes the slash of a scope, keeps the case of a name and sends the token", async () => {
    await queryRegistry(npm, () => ({}), ["pkg:npm/%40Angular/core@1.0.0", "pkg:npm/JSONStream@1.3.5"]);
    expect(server?.received.map(({ path }) => path).toSorted()).toEqual(["/@Angular%2fcore", "/JSONStream"]);
    expect(server?.received[0]?.headers.authorization).toBe("Bearer secret");
  });

  test("ignores release dates of a mirror that reports when it copied a version", async () => {
    const time = { "2.88.2": "2026-07-30T00:00:00.000Z", "2.88.0": "2024-12-07T00:00:00.000Z" };
    expect(await queryRegistry(npm, () => ({ "/request": { ...full, time } }), ["pkg:npm/request@2.88.0"])).toEqual([
      [],
    ]);
  });

  test("reports a package as deprecated when all its versions are", async () => {
    const document = { versions: { "1.0.0": { deprecated: "gone" }, "1.1.0": { deprecated: "gone" } } };
    expect(await queryRegistry(npm, () => ({ "/old": document }), ["pkg:npm/old@1.0.0"])).toEqual([
      ["version-deprecated (gone)", "package-deprecated"],
    ]);
  });

  test("requests a package once for all its versions in the document", async () => {
    await queryRegistry(npm, () => ({ "/request": full }), ["pkg:npm/request@2.88.0", "pkg:npm/request@2.88.2"]);
    expect(server?.received).toHaveLength(1);
  });
});

describe("PyPI", () => {
  const pypi = (url: URL): SignalSource => pypiSource(new URL("simple/", url));
  const document = {
    "project-status": { status: "deprecated", reason: "use another" },
    files: [
      { filename: "Old_Pkg-1.0.tar.gz", yanked: false, "upload-time": "2019-05-01T10:00:00.000000Z" },
      { filename: "old_pkg-1.1-py3-none-any.whl", yanked: "broken", "upload-time": "2020-05-01T10:00:00.000000Z" },
      { filename: "old_pkg-1.1.tar.gz", yanked: true, "upload-time": "2020-05-02T10:00:00.000000Z" },
      { filename: "old_pkg-2.0rc1-py3-none-any.whl", yanked: false },
    ],
  };

  test("reports the project's status, withdrawn versions and the last upload", async () => {
    const found = await queryRegistry(pypi, () => ({ "/simple/old-pkg/": document }), [
      "pkg:pypi/old_pkg@1.0.0",
      "pkg:pypi/Old.Pkg@1.1",
      "pkg:pypi/old-pkg@2.0-RC1",
      "pkg:pypi/old-pkg@3.0",
    ]);
    const status = "project-deprecated (use another)";
    expect(found).toEqual([
      [status, "last-release 2020-05-02"],
      [status, "version-withdrawn (broken)", "last-release 2020-05-02"],
      [status, "last-release 2020-05-02"],
      ["not found"],
    ]);
    expect(server?.received[0]?.headers.accept).toBe("application/vnd.pypi.simple.v1+json");
  });
});

describe("Packagist", () => {
  test("reports an abandoned package with its replacement from the minified list", async () => {
    const packages = {
      "fzaninotto/faker": [
        {
          version: "v1.9.2",
          time: "2020-12-11T09:56:16+00:00",
          abandoned: true,
          source: { url: "https://github.com/fzaninotto/Faker.git" },
        },
        { version: "v1.9.1", time: "2019-12-12T13:22:17+00:00" },
      ],
      "swiftmailer/swiftmailer": [
        { version: "v6.3.0", time: "2021-10-18T15:26:12+00:00", abandoned: "symfony/mailer" },
      ],
    };
    const found = await queryRegistry(packagistSource, () => ({ "/p2/": { packages, minified: "composer/2.0" } }), [
      "pkg:composer/fzaninotto/faker@1.9.1",
      "pkg:composer/swiftmailer/swiftmailer@v6.3.0",
      "pkg:composer/swiftmailer/swiftmailer@7.0.0",
    ]);
    expect(found).toEqual([
      ["package-abandoned", "last-release 2020-12-11"],
      ["package-abandoned → symfony/mailer", "last-release 2021-10-18"],
      ["not found"],
    ]);
  });
});

describe("NuGet", () => {
  const nuget = (url: URL): SignalSource => nugetSource(new URL("v3/index.json", url));
  const leaf = (version: string, more: object = {}) => ({
    catalogEntry: { version, published: "2020-06-01T00:00:00+00:00", listed: true, ...more },
  });
  const deprecation = { reasons: ["Legacy"], message: "moved", alternatePackage: { id: "Azure.Storage.Blobs" } };

  test("reads registrations page by page: deprecation, alternative, unlisted versions", async () => {
    const replies = (url: URL): Readonly<Record<string, Reply>> => ({
      "/v3/index.json": {
        resources: [{ "@id": `${url.href}v3/registration5/`, "@type": "RegistrationsBaseUrl/3.6.0" }],
      },
      "/v3/registration5/windowsazure.storage/index.json": {
        items: [
          { "@id": `${url.href}v3/registration5/windowsazure.storage/page1.json` },
          {
            "@id": "unused",
            items: [
              leaf("9.3.3", { deprecation }),
              leaf("9.3.2", { published: "1900-01-01T00:00:00+00:00", listed: false }),
            ],
          },
        ],
      },
      "/v3/registration5/windowsazure.storage/page1.json": {
        items: [leaf("1.0.0", { deprecation: { reasons: ["Legacy", "Other"] } })],
      },
    });
    const found = await queryRegistry(nuget, replies, [
      "pkg:nuget/WindowsAzure.Storage@9.3.3",
      "pkg:nuget/WindowsAzure.Storage@9.3.2.0",
      "pkg:nuget/WindowsAzure.Storage@1.0",
      "pkg:nuget/WindowsAzure.Storage@8.0.0",
    ]);
    expect(found).toEqual([
      ["version-deprecated → Azure.Storage.Blobs (moved)", "last-release 2020-06-01"],
      ["version-unlisted", "last-release 2020-06-01"],
      ["version-deprecated (Legacy, Other)", "last-release 2020-06-01"],
      ["not found"],
    ]);
  });

  test("does not follow a service index to another host", async () => {
    const index = { resources: [{ "@id": "http://localhost:1/", "@type": "RegistrationsBaseUrl/3.6.0" }] };
    expect(await queryRegistry(nuget, () => ({ "/v3/index.json": index }), ["pkg:nuget/a@1.0.0"])).toEqual([
      ["unanswered: it sends a service index without registrations on its own host"],
    ]);
  });
});

describe("Go module proxy", () => {
  const MOD = `// Package one.
//
// Deprecated: use example.com/two instead,
// it is better.
module github.com/Acme/one

retract (
  v1.0.5 // broken
  [v1.1.0, v1.1.9]
)
retract v1.9.0-rc.1
`;
  const replies = (): Readonly<Record<string, Reply>> => ({
    "/github.com/!acme/one/@latest": { Version: "v1.9.0", Time: "2021-03-01T00:00:00Z" },
    "/github.com/!acme/one/@v/v1.9.0.mod": text(MOD),
    "/github.com/!acme/one/@v/v1.1.4.info": { Version: "v1.1.4", Time: "2020-01-01T00:00:00Z" },
    "/github.com/!acme/one/@v/v1.2.0.info": { Version: "v1.2.0", Time: "2020-01-01T00:00:00Z" },
    "/github.com/!acme/one/@v/v3.0.0.info": status(410),
  });

  test("reports deprecation and retraction from the latest go.mod", async () => {
    const found = await queryRegistry(goproxySource, replies, [
      "pkg:golang/github.com/Acme/one@v1.1.4",
      "pkg:golang/github.com/Acme/one@1.2.0",
      "pkg:golang/github.com/Acme/one@v3.0.0",
    ]);
    const deprecated = "package-deprecated (use example.com/two instead, it is better.)";
    expect(found).toEqual([
      [deprecated, "version-withdrawn", "last-release 2021-03-01"],
      [deprecated, "last-release 2021-03-01"],
      ["not found"],
    ]);
  });

  // https://semver.org/#spec-item-11 and https://go.dev/ref/mod#pseudo-versions
  test.each<readonly [version: string, retracted: string, expected: boolean]>([
    ["v1.0.1", "[v1.0.1, v1.0.5]", true],
    ["v1.0.3", "[v1.0.1, v1.0.5]", true],
    ["v1.0.5", "[v1.0.1, v1.0.5]", true],
    ["v1.0.6", "[v1.0.1, v1.0.5]", false],
    ["v1.0.10", "[v1.0.1, v1.0.5]", false],
    ["v1.0.0", "[v1.0.1, v1.0.5]", false],
    ["v1.0.1-0.20200102030405-abcdef012345", "[v1.0.1, v1.0.5]", false],
    ["v1.0.2-0.20200102030405-abcdef012345", "[v1.0.1, v1.0.5]", true],
    ["v1.0.6-0.20200102030405-abcdef012345", "[v1.0.1, v1.0.5]", false],
    ["v0.0.0-20200102030405-abcdef012345", "[v0.0.0, v1.0.0]", false],
    ["v0.0.0-20200102030405-abcdef012345", "[v0.0.0-0, v1.0.0]", true],
    ["v0.0.0-20200102030405-abcdef012345", "[v0.0.0-20190102030405-abcdef012345, v1.0.0]", true],
    ["v0.0.0-20180102030405-abcdef012345", "[v0.0.0-20190102030405-abcdef012345, v1.0.0]", false],
    ["v1.0.0-next.1", "[v0.9.0, v1.0.0]", true],
    ["v1.0.0-next.1", "v1.0.0", false],
    ["v1.0.0-next.1", "[v1.0.0, v1.1.0]", false],
    ["v1.0.0-next.2", "[v1.0.0-next.1, v1.0.0-next.10]", true],
    ["v1.0.0-next.11", "[v1.0.0-next.1, v1.0.0-next.10]", false],
    ["v1.0.0-rc", "[v1.0.0-rc.1, v1.0.0]", false],
    ["v1.0.0-1", "[v1.0.0-alpha, v1.0.0]", false],
    ["v1.0.0-beta", "[v1.0.0-alpha, v1.0.0]", true],
    ["v2.0.0+incompatible", "v2.0.0", true],
    ["v2.0.1+incompatible", "[v2.0.0, v2.0.5+incompatible]", true],
  ])("%s in %s: %s", (version, retracted, expected) => {
    expect(isRetracted(readGoMod(`module x\nretract ${retracted}\n`), version)).toBe(expected);
  });
});

describe("RubyGems", () => {
  test("requests a version separately when the list omits it", async () => {
    const replies = (): Readonly<Record<string, Reply>> => ({
      "/api/v1/versions/rails.json": [
        { number: "7.0.0", created_at: "2021-12-15T00:00:00.000Z" },
        { number: "6.0.0", created_at: "2019-08-16T00:00:00.000Z" },
      ],
      "/api/v2/rubygems/rails/versions/5.9.9.json": { yanked: true },
    });
    const found = await queryRegistry(rubygemsSource, replies, [
      "pkg:gem/rails@6.0.0",
      "pkg:gem/rails@5.9.9",
      "pkg:gem/rails@1.2.3",
    ]);
    expect(found).toEqual([
      ["last-release 2021-12-15"],
      ["version-withdrawn", "last-release 2021-12-15"],
      ["not found"],
    ]);
  });
});

describe("Maven", () => {
  const metadata = (version: string): Reply =>
    text(
      `<?xml version="1.0"?><metadata><versioning><release>${version}</release>
       <versions><version>1.0</version><version>${version}</version></versions>
       <lastUpdated>20150312101112</lastUpdated></versioning></metadata>`,
      "application/xml",
    );
  const relocated = text(
    `<project><distributionManagement><relocation><groupId>org.example.two</groupId>
     <message>moved</message></relocation></distributionManagement></project>`,
    "application/xml",
  );

  test("reports the relocation of the latest version and its date", async () => {
    const found = await queryRegistry(
      mavenSource,
      () => ({
        "/org/example/one/lib/maven-metadata.xml": metadata("1.1"),
        "/org/example/one/lib/1.1/lib-1.1.pom": relocated,
        "/org/example/same/lib/maven-metadata.xml": metadata("2.0"),
      }),
      ["pkg:maven/org.example.one/lib@1.0", "pkg:maven/org.example.same/lib@2.0", "pkg:maven/org.example.one/lib@9"],
    );
    expect(found).toEqual([
      ["package-relocated → org.example.two:lib (moved)", "last-release 2015-03-12"],
      ["last-release 2015-03-12"],
      ["not found"],
    ]);
  });

  test("refuses an HTML page and malformed XML as metadata", async () => {
    const found = await queryRegistry(
      mavenSource,
      () => ({ "/a/b/": page, "/c/d/": text("<metadata><versioning>", "application/xml") }),
      ["pkg:maven/a/b@1", "pkg:maven/c/d@1"],
    );
    expect(found).toEqual([["unanswered: it sends a page instead of XML"], ["unanswered: it sends no XML"]]);
  });
});

describe("every registry", () => {
  const registries: readonly (readonly [name: string, create: (url: URL) => SignalSource, purl: string])[] = [
    ["npm", npm, "pkg:npm/a@1.0.0"],
    ["PyPI", (url) => pypiSource(url), "pkg:pypi/a@1.0.0"],
    ["Packagist", packagistSource, "pkg:composer/a/b@1.0.0"],
    ["NuGet", (url) => nugetSource(new URL("v3/index.json", url)), "pkg:nuget/a@1.0.0"],
    ["the Go proxy", goproxySource, "pkg:golang/example.com/a@v1.0.0"],
    ["RubyGems", rubygemsSource, "pkg:gem/a@1.0.0"],
    ["Maven", mavenSource, "pkg:maven/a/b@1.0.0"],
  ];
  const failures: readonly (readonly [name: string, reply: Reply])[] = [
    ["an HTML page", page],
    ["an interrupted response", truncated],
    ["a server error", status(503)],
    ["too many requests", status(429, { "retry-after": "2" })],
    ["an unexpected structure", [[["unexpected"]]]],
    ["an empty response", text("")],
  ];
  test.each(
    registries.flatMap(([name, create, purl]) =>
      failures.map(([failure, reply]) => [name, failure, create, purl, reply] as const),
    ),
  )("%s gives no answer after %s", async (_name, _failure, create, purl, reply) => {
    const [[first] = []] = await queryRegistry(create, () => ({ "/": reply }), [purl]);
    expect(first).toMatch(/^unanswered: /);
  });

  test.each(registries)("%s gives no answer after a timeout", async (_name, create, purl) => {
    expect(await queryRegistry(create, () => ({ "/": noReply }), [purl], { timeout: 40 })).toEqual([
      ["unanswered: no answer within 0.04 s"],
    ]);
  });

  test.each(registries.filter(([name]) => name !== "NuGet"))(
    "%s reports a package as absent after 404",
    async (_name, create, purl) => {
      expect(await queryRegistry(create, () => ({}), [purl])).toEqual([["not found"]]);
    },
  );

  test("is not requested again after four consecutive failures", async () => {
    const purls = Array.from({ length: 40 }, (_, index) => `pkg:npm/p${index}@1.0.0`);
    const found = await queryRegistry(npm, () => ({ "/": status(403) }), purls);
    expect(new Set(found.flat())).toEqual(new Set(["unanswered: HTTP 403"]));
    expect(server?.received.length).toBeLessThanOrEqual(12);
  });
});
