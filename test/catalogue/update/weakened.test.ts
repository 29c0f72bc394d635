/**
 * Updates that are signed with the right key and would turn a failing gate green. Each is refused, or the older row is
 * kept, so that no answer changes from failing to passing. Over a part of the bundled catalogue, for speed.
 */
import { crc32 } from "node:zlib";
import { assert, boolean, constantFrom, nat, oneof, property, tuple } from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeCatalogue, readOfferedContent } from "../../../src/catalogue/file.ts";
import { toFileSections } from "../../../src/catalogue/format/sections.ts";
import { layOut } from "../../../src/catalogue/format/layout.ts";
import {
  FORMAT,
  type StoredContent,
  type StoredCycle,
  type StoredFacts,
  type StoredPurl,
} from "../../../src/catalogue/schema.ts";
import { createAnswers, type GateAnswer } from "../../../src/catalogue/update/answers.ts";
import type { Question } from "../../../src/catalogue/update/questions.ts";
import { comparable, type ComparedContent } from "../../../src/catalogue/load.ts";
import { EolgateError } from "../../../src/messages/error.ts";
import { digestOf } from "../../../src/platform/file-source.ts";
import type { Component } from "../../../src/model/index.ts";
import { NO_COMPONENT } from "../../../src/resolve/resolve.ts";
import { asPurl } from "../../../src/text/ids.ts";
import { soaked } from "../../soaked.ts";
import {
  today,
  omit,
  base,
  older,
  type Change,
  product,
  cycle,
  added,
  row,
  chain,
  withoutClaims,
  track,
  kevOf,
  check,
} from "./changes.ts";

const CHANGES: readonly (readonly [string, Change])[] = [
  ["an ended cycle ends in 2099", cycle("nodejs", "18", (each) => ({ ...withoutClaims(each), eol: "2099-12-31" }))],
  ["an ended cycle ends next month", cycle("nodejs", "18", (each) => ({ ...withoutClaims(each), eol: "2026-12-22" }))],
  ["an ended cycle has no announced end", cycle("python", "3.8", (each) => ({ ...withoutClaims(each), eol: false }))],
  ["an ended cycle states nothing", cycle("python", "3.8", (each) => withoutClaims(omit(each, "eol")))],
  ["an ended cycle ends today", cycle("nodejs", "18", (each) => ({ ...withoutClaims(each), eol: "2026-11-22" }))],
  [
    "an end of month precision in the future",
    cycle("nodejs", "18", (each) => ({ ...withoutClaims(each), eol: "2027-03" })),
  ],
  ["a free track until 2099", cycle("nodejs", "18", (each) => ({ ...each, tracks: track("free", "2099-12-31") }))],
  ["a free track without an end", cycle("nodejs", "18", (each) => ({ ...each, tracks: track("free", null) }))],
  [
    "a free track for an old Debian",
    cycle("debian", "8", (each) => ({ ...each, tracks: track("free", "2099-12-31") })),
  ],
  [
    "a paid track that becomes free",
    cycle("ubuntu", "16.04", (each) => ({ ...each, tracks: track("free", "2030-01-01") })),
  ],
  ["the flag rolling", cycle("nodejs", "18", (each) => ({ ...each, rolling: true }))],
  ["the flag retired", cycle("nodejs", "18", (each) => ({ ...each, retired: true }))],
  ["the flag retired on a system", cycle("debian", "10", (each) => ({ ...each, retired: true }))],
  ["deeper cycles below an ended one", added("nodejs", "18.18", "18.19", "18.20")],
  ["seven deeper cycles", added("nodejs", ...Array.from({ length: 7 }, (_, index) => `16.${index}`))],
  ["a cycle for one ended release", added("python", "3.8.20")],
  ["a cycle with the name all", added("nodejs", "all")],
  ["a cycle below the first one", added("react", "0")],
  [
    "an alias that is an ended cycle",
    product("nodejs", (found) => ({ ...found, split: { ...found.split, "18": ["22", "24"] } })),
  ],
  [
    "a split that makes versions ambiguous",
    product("python", (found) => ({ ...found, split: { "3.8": ["3.13", "3.14"] } })),
  ],
  [
    "ended cycles are removed",
    product("nodejs", (found) => ({ ...found, cycles: found.cycles.filter(({ name }) => Number(name) > 20) })),
  ],
  [
    "one ended cycle is removed",
    product("nodejs", (found) => ({ ...found, cycles: found.cycles.filter(({ name }) => name !== "18") })),
  ],
  ["an ended cycle is renamed", cycle("nodejs", "18", (each) => ({ ...each, name: "18-old" }))],
  [
    "cycles are exchanged",
    chain(
      cycle("nodejs", "18", (each) => ({ ...each, name: "x" })),
      cycle("nodejs", "24", (each) => ({ ...each, name: "18" })),
    ),
  ],
  ["the flag models", product("nodejs", (found) => ({ ...found, models: true }))],
  ["the flag parts", product("nodejs", (found) => ({ ...found, parts: true }))],
  ["another version rule", product("log4j", (found) => ({ ...found, rule: "windows" }))],
  ["a rule that reads other numbers", product("python", (found) => ({ ...found, rule: "java-legacy" }))],
  [
    "the scope partial and fewer cycles",
    product("react", (found) => ({ ...found, scope: "partial", cycles: found.cycles.slice(0, 3) })),
  ],
  [
    "not monotonic any more",
    product("nodejs", (found) => ({ ...omit(found, "monotonic"), cycles: found.cycles.slice(0, 8) })),
  ],
  [
    "the product is removed",
    (content) => ({
      ...content,
      products: Object.fromEntries(Object.entries(content.products).filter(([slug]) => slug !== "rails")),
    }),
  ],
  ["a purl leads to another product", row("purls", "gem/rails", "openai")],
  ["a package with module streams leads to another product", row("purls", "rpm/redhat/redis", "react")],
  ["a purl begins at a later version", row("purls", "gem/rails", { product: "rails", basis: "upstream", min: "90" })],
  ["a purl ends at an early version", row("purls", "gem/rails", { product: "rails", basis: "upstream", max: "1" })],
  [
    "a purl names the product only",
    row("purls", "gem/rails", { product: "rails", basis: "upstream", productOnly: true }),
  ],
  [
    "a purl is maintained by its distribution",
    row("purls", "gem/rails", { product: "rails", basis: "upstream", distroMaintained: true }),
  ],
  [
    "a purl has the cycle in its name",
    row("purls", "gem/rails", { product: "rails", basis: "upstream", cycle: "8.1" }),
  ],
  [
    "a purl is transformed",
    row("purls", "gem/rails", { product: "rails", basis: "upstream", transform: "minor-shift" }),
  ],
  ["a purl is removed", row("purls", "gem/rails", undefined)],
  ["a CPE leads to another product", row("cpes", "rubyonrails:rails", "openai")],
  ["a CPE is removed", row("cpes", "rubyonrails:rails", undefined)],
  ["a system rolls", row("systems", "debian", "rolling")],
  ["a system leads to another product", row("systems", "debian", ["alpine-linux", "minor"])],
  ["a system is read by another rule", row("systems", "debian", ["debian", "year-month"])],
  ["a system is removed", row("systems", "debian", undefined)],
  ["another name of a system is removed", row("systems", "rhel", undefined)],
  ["another name of a system leads to another one", row("systems", "rhel", ["debian", "major"])],
  [
    "a model leads to another cycle",
    (content) => ({ ...content, models: Object.fromEntries(Object.keys(content.models).map((id) => [id, []])) }),
  ],
  ["exploited versions: none", kevOf("react", () => ["=0.0.0"])],
  ["exploited versions: a lower fix", kevOf("react", (ranges) => ranges.map((range) => range.replace(/<.*/, "<0.1")))],
  ["exploited versions: removed", product("react", (found) => omit(found, "kev"))],
  [
    "exploited versions: another edition",
    kevOf("jenkins", (ranges) => ranges.map((range) => range.replace("lts:", "weekly:"))),
  ],
  [
    "namespaces of distributions are emptied",
    (content) => ({
      ...content,
      distroPackages: Object.fromEntries(
        Object.entries(content.distroPackages).map(([type, table]) => [type, { ...table, namespaces: [] }]),
      ),
    }),
  ],
  [
    "ends of single packages are removed",
    (content) => ({
      ...content,
      packageEnds: Object.fromEntries(
        Object.entries(content.packageEnds).map(([key, value]) => [key, { ...value, packages: {} }]),
      ),
    }),
  ],
  [
    "an alternative version is every package",
    (content) => ({ ...content, alternativeVersions: [["^(?:[a-z-]+)(.*)$", "python"]] }),
  ],
  ["no name is unusual", (content) => ({ ...content, commonNames: { rails: [], react: [], debian: [] } })],
  [
    "a package of an ended distribution becomes unknown",
    (content) => ({ ...content, packageEnds: {}, packageLifecycles: {}, distroPackages: {} }),
  ],
  ["vendors of packages are removed", (content) => ({ ...content, vendorPackages: [] })],
  [
    "an alias of another product",
    product("nodejs", (found) => ({ ...found, aliases: [...(found.aliases ?? []), "Ruby on Rails", "rails"] })),
  ],
];

const facts =
  <Name extends keyof StoredFacts>(name: Name, change: (fact: StoredFacts[Name]) => StoredFacts[Name]): Change =>
  (content) => ({ ...content, [name]: change(content[name]) });

const OTHER_SECTIONS: readonly (readonly [string, Change])[] = [
  [
    "a code name leads to another cycle",
    chain(
      cycle("debian", "10", (each) => ({ ...each, codename: "old" })),
      cycle("debian", "13", (each) => ({ ...each, codename: "Buster" })),
    ),
  ],
  [
    "a label leads to another cycle",
    chain(
      cycle("nodejs", "18", (each) => ({ ...each, name: "18.x" })),
      cycle("nodejs", "24", (each) => ({ ...each, label: "18" })),
    ),
  ],
  [
    "a second code name of an ended cycle leads elsewhere",
    product("debian", (found) => ({ ...found, codeNames: { buster: "13" } })),
  ],
  [
    "an ended cycle is declared by somebody else",
    cycle("nodejs", "18", (each) => ({ ...withoutClaims(each), declaredBy: "Mallory", eol: false })),
  ],
  [
    "the release day of an ended cycle is tomorrow",
    cycle("nodejs", "18", (each) => ({ ...each, released: "2026-11-23" })),
  ],
  [
    "ended cycles get milestones in the future",
    cycle("nodejs", "18", (each) => ({ ...each, milestones: [["security-fixes-end", "2099-01-01"]] })),
  ],
  [
    "the meaning of the ends is not stated",
    product("nodejs", (found) => ({ ...found, gate: { end: "eol", basis: "not-stated" } })),
  ],
  [
    "the record's end is another milestone",
    product("rails", (found) => ({ ...found, gate: { end: "none", basis: "vendor" } })),
  ],
  ["a line ends after fewer releases", product("rails", (found) => ({ ...found, endsAfter: 9 }))],
  ["the end of extended support is in the future", cycle("python", "3.8", (each) => ({ ...each, eoes: "2099-01-01" }))],
  ["the end of active support is in the future", cycle("python", "3.8", (each) => ({ ...each, eoas: "2099-01-01" }))],
  ["an end is not before a later day", cycle("python", "3.8", (each) => ({ ...each, notBefore: "2099-01-01" }))],
  [
    "a human check states another end",
    (content) => {
      const reads = [...content.reads, { kind: "human-check", source: "eolgate", page: 0, on: "2026-11-22" } as const];
      return cycle("python", "3.8", (each) => ({ ...each, also: [[content.reads.length, "2099-01-01"]] }))({
        ...content,
        reads,
      });
    },
  ],
  [
    "every read becomes a complete feed of today",
    (content) => ({
      ...content,
      reads: content.reads.map((read) => ({ ...read, kind: "vendor-feed", on: "2026-11-22" }) as const),
    }),
  ],
  ["reads are exchanged", (content) => ({ ...content, reads: content.reads.toReversed() })],
  [
    "the first release with the numbers of a product is a later one",
    (content) => ({
      ...content,
      purls: Object.fromEntries(
        Object.entries(content.purls).map(([key, entry]) => [
          key,
          typeof entry === "object" && entry.min !== undefined ? { ...entry, min: "99" } : entry,
        ]),
      ),
    }),
  ],
  ["periods of packages are removed", (content) => ({ ...content, packageLifecycles: {} })],
  [
    "periods of packages end later",
    (content) => ({
      ...content,
      packageLifecycles: Object.fromEntries(
        Object.entries(content.packageLifecycles).map(([key, rows]) => [
          key,
          rows.map((each) => ({ ...each, eol: "2099-01-01" })),
        ]),
      ),
    }),
  ],
  [
    "ends of packages are limited support",
    (content) => ({
      ...content,
      packageEnds: Object.fromEntries(
        Object.entries(content.packageEnds).map(([key, row]) => [
          key,
          { ...row, packages: Object.fromEntries(Object.keys(row.packages).map((name) => [name, "limited"])) },
        ]),
      ),
    }),
  ],
  [
    "a pattern over packages is supported",
    (content) => ({
      ...content,
      packageEnds: Object.fromEntries(
        Object.entries(content.packageEnds).map(([key, row]) => [key, { ...row, packages: { "/.*/": "supported" } }]),
      ),
    }),
  ],
  [
    "a vendor builds every package",
    (content) => ({
      ...content,
      vendorPackages: [
        ...content.vendorPackages,
        { vendor: "Mallory", names: { deb: ["*"], rpm: ["*"], apk: ["*"] }, page: 0, on: "2026-11-22" },
      ],
    }),
  ],
  [
    "a revision of every package proves another builder",
    (content) => ({
      ...content,
      distroRevisions: [
        ...content.distroRevisions,
        { distribution: "Mallory", products: [], format: "deb", pattern: ".", proves: true, page: 0, on: "2026-11-22" },
      ],
    }),
  ],
  ["no revision proves a distribution", (content) => ({ ...content, distroRevisions: [] })],
  ["versions that distributions ship are removed", facts("shippedVersions", (fact) => ({ ...fact, versions: {} }))],
  [
    "distributions ship every version",
    facts("shippedVersions", (fact) => ({
      ...fact,
      versions: { nodejs: { "debian 10": [""] }, python: { "debian 10": [""] } },
    })),
  ],
  [
    "every build is a rebuild of a vendor",
    facts("packageEvidence", (fact) => ({ ...fact, rebuilds: [[".", "mallory"]] })),
  ],
  [
    "every distribution keeps old packages",
    facts("releaseEvidence", (fact) => ({ ...fact, keepsOldPackages: ["debian", "ubuntu", "rhel"] })),
  ],
  [
    "repositories name another release",
    facts("releaseEvidence", (fact) => ({ ...fact, repositories: [["(.*)", "debian"]] })),
  ],
  ["platforms of models lose their names", facts("modelPlatforms", (fact) => ({ ...fact, names: {} }))],
  ["ids of models are shared", facts("modelPlatforms", (fact) => ({ ...fact, sharedIds: { openai: ".*" } }))],
  ["moves of packages lead elsewhere", facts("packageMoves", () => ({}))],
  ["a package of a product gets a deeper cycle", added("parts", "sdk-core@1.2.9")],
  ["a product has no cycles", product("rails", (found) => ({ ...found, cycles: [] }))],
  ["a fact has another shape", (content) => ({ ...content, tools: JSON.parse("[]") as StoredFacts["tools"] })],
  [
    "a purl has another shape",
    (content) => ({ ...content, purls: { ...content.purls, "gem/rails": JSON.parse("5") as StoredPurl } }),
  ],
  [
    "a purl is named like a built-in property",
    (content) => ({
      ...content,
      cpes: { ...content.cpes, constructor: "nodejs" },
      systems: { ...content.systems, constructor: "rolling" as const },
    }),
  ],
];

/** Facts by which an input becomes a component: what they hold is compared as rows. */
const INPUT_NAMES: readonly (readonly [string, Change])[] = [
  ["variables of images are removed", facts("imageVariables", (fact) => omit(fact, "NODE_VERSION"))],
  [
    "a variable of images leads to another product",
    facts("imageVariables", (fact) => ({ ...fact, NODE_VERSION: { name: "python" } })),
  ],
  [
    "a tool leads to another product",
    facts("tools", (fact) => ({ ...fact, tools: { ...fact.tools, nodejs: { name: "python" } } })),
  ],
  [
    "an image's tags are read by another pattern",
    facts("tools", (fact) => {
      const [repository, row] = Object.entries(fact.images).find(([, { version }]) => version) ?? ["", {}];
      return { ...fact, images: { ...fact.images, [repository]: { ...row, version: "^(never)$" } } };
    }),
  ],
  ["a mirror is forgotten", facts("tools", (fact) => ({ ...fact, imageMirrors: {} }))],
  [
    "a code name in tags leads to another system",
    facts("tools", (fact) => ({ ...fact, systemCodeNames: { ...fact.systemCodeNames, buster: "alpine" } })),
  ],
  [
    "a vendor of Java is another product",
    facts("tools", (fact) => ({ ...fact, javaVendors: { ...fact.javaVendors, temurin: "nodejs" } })),
  ],
];

const tools = <Name extends keyof StoredFacts["tools"]>(
  name: Name,
  change: (table: StoredFacts["tools"][Name]) => StoredFacts["tools"][Name],
): Change => facts("tools", (fact) => ({ ...fact, [name]: change(fact[name]) }));
const [PLAIN_IMAGE] = Object.entries(base.tools.images).find(([, row]) => Object.keys(row).length === 0) ?? [""];
const [FURTHER_IMAGE, FURTHER] = Object.entries(base.tools.images).find(([, { also }]) => also) ?? ["", {}];
const UNLISTED_IMAGE =
  Object.keys(base.purls)
    .flatMap((key) => (/^docker\/[^/]+\/[^/]+$/.test(key) ? [key.replace("docker/", "docker.io/")] : []))
    .find((repository) => !(repository in base.tools.images)) ?? "";
const [ACTION, RUNTIMES] = Object.entries(base.tools.actions).find(([, row]) => "v1.*" in row) ?? ["", {}];
const image = (repository: string, row: StoredFacts["tools"]["images"][string]): Change =>
  tools("images", (table) => ({ ...table, [repository]: { ...table[repository], ...row } }));
const action = (key: string, row: Readonly<Record<string, string>>): Change =>
  tools("actions", (table) => ({ ...table, [key]: row }));

/** New rows, and what is added to rows, that take inputs from the rows in use. */
const SHADOWING: readonly (readonly [string, Change])[] = [
  [
    "a mirror begins like an image",
    tools("imageMirrors", (table) => ({ ...table, "docker.io/library/": "ghcr.io/x/" })),
  ],
  [
    "a mirror continues another",
    tools("imageMirrors", (table) => ({ ...table, "public.ecr.aws/docker/library/n": "x/" })),
  ],
  ["a reference stands before those of its major version", action(ACTION, { ...RUNTIMES, "v1.2.0": "99" })],
  ["repositories become images of a stream", tools("streamImages", (table) => ({ ...table, "/(redis)$": "rhel 8" }))],
  [
    "the package of a stream is another one",
    tools("streamPackages", ({ "rhel 8/nodejs-12": one, ...table }) => ({
      ...table,
      "rhel 8/nodejs-12": { name: "php", version: "8.2", purl: one?.purl ?? "" },
    })),
  ],
  ["an image's tags get a pattern", image(PLAIN_IMAGE, { version: "-(\\d+)" })],
  ["an image's name gets a cycle", image(PLAIN_IMAGE, { cycle: "99" })],
  [
    "a further product stands before another one of the tag",
    image(FURTHER_IMAGE, { also: [["other", ".*?(\\d+)"], ...(FURTHER.also ?? [])] }),
  ],
  ["the further products of a tag change places", image(FURTHER_IMAGE, { also: [["other", "(.)"]] })],
  ["an image that only the purl map has gets a cycle", image(UNLISTED_IMAGE, { cycle: "99" })],
  ["a tool is called like a product", tools("tools", (table) => ({ ...table, "node.js": { name: "other" } }))],
  ["a vendor of Java is added", tools("javaVendors", (table) => ({ ...table, java: "other" }))],
  ["a registry is added", tools("registries", (table) => ({ ...table, asdf: "npm" }))],
  ["a word of tags becomes a code name", tools("systemCodeNames", (table) => ({ ...table, slim: "alpine" }))],
  ["a code name looks like a numbered system", tools("systemCodeNames", (table) => ({ ...table, debian10: "alpine" }))],
  ["a label of a runner is removed", tools("runners", (table) => ({ ...table, "github-hosted-runner": [] }))],
  ["a service is removed", tools("serviceActions", (list) => list.slice(1))],
  [
    "another variable of a product comes first",
    facts("imageVariables", (fact) => ({ X_VERSION: { name: "postgresql" }, ...fact })),
  ],
  ["a variable is a number", facts("imageVariables", (fact) => ({ ...fact, 1: { name: "postgresql" } }))],
  [
    "the variables of a product change places",
    facts("imageVariables", ({ PG_VERSION = { name: "" }, ...fact }) => ({ ...fact, PG_VERSION })),
  ],
];

/** New rows for inputs that no row matched. */
const GROWTH: readonly (readonly [string, Change])[] = [
  ["a variable", facts("imageVariables", (fact) => ({ ...fact, NEW_VERSION: { name: "node" } }))],
  ["a further variable of a product", facts("imageVariables", (fact) => ({ ...fact, PG_X: { name: "postgresql" } }))],
  ["a tool that no product is called", tools("tools", (table) => ({ ...table, "no-product": { name: "nodejs" } }))],
  ["an image that the purl map does not have", image("new.example/team/app", { version: "^(\\d+)", cycle: "1" })],
  [
    "a further product of an image's tags",
    image(FURTHER_IMAGE, { also: [...(FURTHER.also ?? []), ["go", "go(\\d+)"]] }),
  ],
  [
    "a stream of a distribution",
    tools("streamPackages", (table) => ({
      ...table,
      "rhel 10/nodejs-30": { name: "nodejs30", version: "30", purl: "pkg:rpm/redhat/nodejs30?distro=rhel-10" },
    })),
  ],
  ["an action", action("new/action", { "v1.*": "20" })],
  ["a major version of an action", action(ACTION, { ...RUNTIMES, "v99.*": "24", "v99.1.0": "20" })],
  ["a reference that states the same", action(ACTION, { ...RUNTIMES, "v1.2.0": RUNTIMES["v1.*"] ?? "" })],
  [
    "a label of a runner",
    tools("runners", (table) => ({
      ...table,
      "azure-pipelines-agent": [...(table["azure-pipelines-agent"] ?? []), "x"],
    })),
  ],
  ["a host of runners", tools("runners", (table) => ({ ...table, "new-host": ["x"] }))],
  ["a service", tools("serviceActions", (list) => [...list, "new/action"])],
];

/** What remains after the check: refused, or a content whose answers are not weaker. */
function outcomeOf(change: Change): {
  readonly kind: "refused" | "kept" | "harmless";
  readonly weaker: readonly string[];
} {
  try {
    const { newer, held, quarantined } = check([older], change(base));
    const kind = held.length + quarantined.length > 0 ? "kept" : "harmless";
    return { kind, weaker: weakerAnswers(newer) };
  } catch (error) {
    if (!(error instanceof EolgateError) || error.kind !== "catalogue") throw error;
    return { kind: "refused", weaker: [] };
  }
}
/**
 * Every row of the older content with releases of every cycle, whether or not anything about it differs: none of the
 * rules by which an update is compared decides what is asked here.
 */
const QUESTIONS: readonly Question[] = everyQuestion(base);
const BEFORE = createAnswers(older.catalogue, today)(QUESTIONS);
const FAILING = QUESTIONS.filter((_, index) => isFailing(BEFORE[index]));

function everyQuestion(content: StoredContent): readonly Question[] {
  const part = (fields: Partial<Component>): Component => ({ ...NO_COMPONENT, ...fields });
  const releases = (slug: string): readonly string[] => {
    if (slug.startsWith("parts#")) return ["1.2", "1.2.9", "1.2.10"];
    const cycles = content.products[slug.replace(/#.*/, "")]?.cycles ?? [];
    return cycles.flatMap(({ name, latest, codename }) => [
      name,
      ...[latest ?? []].flat().slice(0, 1),
      ...(codename ? [codename] : []),
    ]);
  };
  const few = (slug: string): readonly string[] =>
    releases(slug).filter((_, index) => index % 7 === 0 || slug.startsWith("parts"));
  const of = (
    section: Question["section"],
    row: string,
    versions: readonly string[],
    made: (version: string) => Partial<Component>,
  ) => versions.map((version): Question => ({ section, row, version, component: part(made(version)) }));
  const slugOf = (entry: StoredPurl): string => (typeof entry === "string" ? entry : entry.product);
  return [
    ...Object.keys(content.products).flatMap((row) =>
      releases(row).flatMap((name) =>
        [name, `${name}.0`, `${name}.1`].map((version): Question => ({ section: "products", row, version })),
      ),
    ),
    ...Object.entries(content.products).flatMap(([row, { kev = [] }]) =>
      kev
        .flatMap(([, , , , versions]) => (versions?.[2] ?? []).flatMap((range) => range.match(/\d[^|<>=]*/g) ?? []))
        .map((version): Question => ({ section: "products", row, version })),
    ),
    ...Object.entries(content.purls).flatMap(([row, entry]) =>
      of("purls", row, few(slugOf(entry)), (version) => ({
        name: row,
        purls: [asPurl(`pkg:${row.replace("/@", "/%40")}@${encodeURIComponent(version)}`)],
      })),
    ),
    ...Object.entries(content.names).flatMap(([slug, titles]) =>
      [slug, ...titles].flatMap((name) => of("names", name, few(slug), (version) => ({ name, version }))),
    ),
    ...Object.entries(content.cpes).flatMap(([key, slug]) =>
      of("cpes", key, few(slug), (version) => ({
        name: "a name of no product",
        version,
        cpes: [`cpe:2.3:a:${key}:${version}:*:*:*:*:*:*:*`],
      })),
    ),
    ...Object.entries(content.systems).flatMap(([name, row]) =>
      row === "rolling"
        ? []
        : of("systems", name, releases(row[0]), (version) => ({ kind: "operating-system", name, version })),
    ),
    ...Object.keys(content.models).flatMap((name) => of("models", name, [""], () => ({ kind: "model", name }))),
    ...["debian", "ubuntu"].flatMap((distro) =>
      releases(distro).flatMap((release, at) =>
        [
          "base-files",
          "nginx",
          "python3.8",
          "nodejs",
          "openjdk-8-jre",
          // Each release asks for other names, so that all of them are asked for, and not each in every release.
          ...Object.keys(content.distroPackages["deb"]?.names ?? {}).filter((_, index) => (index + at) % 16 === 0),
          ...Object.keys(content.packageEnds[`${distro}:${release}`]?.packages ?? {}).map((name) =>
            name.startsWith("/") ? name.replaceAll(/[/^$\\]/g, "").replaceAll(/\.[*+]/g, "1") : name,
          ),
        ].flatMap((name) =>
          of("distroPackages", `${distro} ${release} ${name}`, ["1.0-1"], (version) => ({
            name,
            purls: [
              asPurl(
                `pkg:deb/${distro}/${encodeURIComponent(name)}@${version}?distro=${distro}-${encodeURIComponent(release)}`,
              ),
            ],
          })),
        ),
      ),
    ),
    ...(content.packageLifecycles["rhel:8"] ?? []).flatMap(({ name, stream = "1", packages = [] }) =>
      [name, ...packages.slice(0, 2)].flatMap((each) =>
        of("distroPackages", `rhel 8 ${each}`, [`${stream}.0-1.module+el8.1.0+1+a`], (version) => ({
          name: each,
          purls: [asPurl(`pkg:rpm/redhat/${encodeURIComponent(each.replaceAll("*", ""))}@${version}?distro=rhel-8.10`)],
        })),
      ),
    ),
  ];
}

function isFailing(answer: GateAnswer | undefined): boolean {
  return answer?.severity === "fail" || answer?.exploited === true;
}

function weakerAnswers(content: ComparedContent): readonly string[] {
  return [...eachWeaker(content)];
}

/** In portions, so that a caller who needs one can stop. */
function* eachWeaker({ catalogue }: ComparedContent): Generator<string> {
  const answers = createAnswers(catalogue, today);
  for (let start = 0; start < FAILING.length; start += 500) {
    const questions = FAILING.slice(start, start + 500);
    const after = answers(questions);
    for (const [index, { section, row: name, version }] of questions.entries())
      if (!isFailing(after[index])) yield `${section} ${name} ${version}`;
  }
}

/** Changes by which no answer becomes weaker although nothing checks them. Of the others, the check is what prevents it. */
const HARMLESS: ReadonlySet<string> = new Set([
  "another name of a system is removed",
  "a cycle with the name all",
  "a cycle below the first one",
  "ended cycles are removed",
  "the flag parts",
  "the scope partial and fewer cycles",
  "not monotonic any more",
  "a purl is maintained by its distribution",
  "a model leads to another cycle",
  "exploited versions: another edition",
  "an alternative version is every package",
  "no name is unusual",
  "vendors of packages are removed",
  "an alias of another product",
  "a second code name of an ended cycle leads elsewhere",
  "the release day of an ended cycle is tomorrow",
  "ended cycles get milestones in the future",
  "the meaning of the ends is not stated",
  "the record's end is another milestone",
  "a line ends after fewer releases",
  "the end of extended support is in the future",
  "the end of active support is in the future",
  "an end is not before a later day",
  "every read becomes a complete feed of today",
  "reads are exchanged",
  "a vendor builds every package",
  "no revision proves a distribution",
  "every distribution keeps old packages",
  "repositories name another release",
  "platforms of models lose their names",
  "ids of models are shared",
  "moves of packages lead elsewhere",
  "a purl is named like a built-in property",
]);

/** Whether the change makes an answer weaker, or a record unreadable, where nothing checks it. */
function isEffective(change: Change): boolean {
  try {
    return eachWeaker(comparable(change(base), "unchecked")).next().done !== true;
  } catch (error) {
    if (error instanceof EolgateError) return true;
    throw error;
  }
}

test.each([...CHANGES, ...OTHER_SECTIONS])("an update in which %s weakens no answer", (name, change) => {
  const { kind, weaker } = outcomeOf(change);
  expect(weaker).toEqual([]);
  expect(isEffective(change)).toBe(!HARMLESS.has(name));
  if (!HARMLESS.has(name)) expect(kind).not.toBe("harmless");
});

describe("an update by which inputs are read differently, in which", () => {
  test.each(INPUT_NAMES)("%s keeps the rows in use", (_, change) => {
    const { newer, held } = check([older], change(base));
    expect(held).toMatchObject([{ version: "" }]);
    expect([newer.content.tools, newer.content.imageVariables]).toEqual([base.tools, base.imageVariables]);
  });

  test.each(SHADOWING)("%s keeps the rows in use", (_, change) => {
    const { newer, held } = check([older], change(base));
    expect(held).not.toEqual([]);
    expect(newer.content.tools).toEqual(base.tools);
    // A further variable of a product comes after those in use.
    const variables = Object.keys(base.imageVariables);
    expect(Object.keys(newer.content.imageVariables).slice(0, variables.length)).toEqual(variables);
    expect(newer.content.imageVariables).toMatchObject(base.imageVariables);
  });

  test("a reference that is called like a field of other rows is changed keeps the row in use", () => {
    const inUse = comparable(action("x/y", { page: "16", on: "16" })(base), "in use");
    expect(check([inUse], action("x/y", { page: "24", on: "24" })(base)).held).toMatchObject([{ row: "x/y" }]);
  });

  test.each(GROWTH)("%s is added is accepted", (_, change) => {
    const offered = change(base);
    const { newer, held } = check([older], offered);
    expect(held).toEqual([]);
    expect([newer.content.tools, newer.content.imageVariables]).toEqual([offered.tools, offered.imageVariables]);
  });

  test("all of them are removed is refused, unless losses are allowed", () => {
    const change = facts("imageVariables", () => ({}));
    expect(() => check([older], change(base))).toThrow(
      expect.objectContaining({
        code: "update-shrunken",
        message: expect.stringContaining("names of tools and images"),
      }),
    );
    expect(check([older], change(base), { allowLoss: true }).held).toEqual([]);
    expect(() => check([older], change(base), { allowDateChanges: true })).toThrow(/names of tools and images/);
  });
});

test("changes that weaken nothing are accepted as they are", () => {
  const harmless: readonly Change[] = [
    (content) => content,
    cycle("nodejs", "18", (each) => ({ ...each, latest: "18.20.9" })),
    added("nodejs", "99"),
    cycle("nodejs", "24", (each) => ({ ...withoutClaims(each), eol: "2026-11-01" })),
    product("nodejs", (found) => ({ ...found, tags: ["runtime"] })),
  ];
  const outcomes = harmless.map((change) => outcomeOf(change));
  expect(outcomes.map(({ kind }) => kind)).toEqual(harmless.map(() => "harmless"));
  // The package names a version that ended now: nothing states that an ended RHEL maintains it longer.
  const weaker = outcomes.flatMap((outcome) => outcome.weaker).filter((each) => !/[ /]nodejs24 /.test(each));
  expect(weaker).toEqual([]);
});

test("an end that two independent sources state is accepted", () => {
  const vendor = base.reads.findIndex(({ source }) => source === "nodejs-schedule");
  const change = cycle("nodejs", "18", (each) => ({ ...each, eol: "2027-04-30", also: [[vendor, "2027-04-30"]] }));
  const { kind, weaker } = outcomeOf(change);
  expect(kind).toBe("harmless");
  expect(weaker).toContain("products nodejs 18");
});

test("small steps do not add up: the bundled catalogue is compared, too", () => {
  let inUse = older;
  let rest = 40;
  const ended = Object.entries(base.products).flatMap(([slug, { cycles }]) =>
    cycles.filter(({ eol }) => typeof eol === "string" && eol < today).map(({ name }) => [slug, name] as const),
  );
  const step = (): StoredContent =>
    chain(
      ...ended
        .slice(rest - 10, rest)
        .map(([slug, name]) => cycle(slug, name, (each) => ({ ...withoutClaims(each), eol: "2026-12-24" }))),
    )(inUse.content);
  for (; rest > 0; rest -= 10) {
    try {
      inUse = check([inUse, older], step()).newer;
    } catch (error) {
      expect(error).toMatchObject({ code: "update-dates" });
    }
  }
  expect(weakerAnswers(inUse)).toEqual([]);
});

test("sections that follow from others are compared with what follows", () => {
  const sections = toFileSections(base);
  const { directory, body } = layOut({ ...sections, names: { ...sections.names, rails: ["nodejs"] } });
  const content = Buffer.concat([Buffer.from(`${directory}\n`), body]);
  const head = { format: FORMAT, digest: digestOf(content), checksum: crc32(directory), signature: null };
  const forged = Buffer.concat([Buffer.from(`${JSON.stringify(head).slice(0, -1)},\n`), content]);
  expect(() => readOfferedContent(encodeCatalogue(base), "update")).not.toThrow();
  expect(() => readOfferedContent(forged, "update")).toThrow(/section names does not follow/);
});

test("a catalogue that grows without limit is refused", () => {
  const names = Array.from({ length: 2_000 }, (_, index) => `pypi/added-${index}`);
  const purls = { ...base.purls, ...Object.fromEntries(names.map((name) => [name, "python"])) };
  expect(() => check([older], { ...base, purls })).toThrow(expect.objectContaining({ code: "update-grown" }));
});

test(
  "no random change of a random row turns a failing answer into a passing one",
  () => {
    const cycles = Object.entries(base.products).flatMap(([slug, { cycles: all }]) =>
      all.map(({ name }) => [slug, name] as const),
    );
    const fields: readonly ((each: StoredCycle) => StoredCycle)[] = [
      (each) => ({ ...withoutClaims(each), eol: "2026-11-23" }),
      (each) => ({ ...withoutClaims(each), eol: false }),
      (each) => ({ ...each, tracks: track("free", "2031-01-01") }),
      (each) => ({ ...each, retired: true }),
      (each) => ({ ...each, rolling: true }),
      (each) => ({ ...each, name: `${each.name}.9` }),
    ];
    const ofCycle = tuple(constantFrom(...cycles), constantFrom(...fields)).map(([[slug, name], change]) =>
      cycle(slug, name, change),
    );
    const ofPurl = tuple(
      constantFrom(...Object.keys(base.purls)),
      constantFrom<unknown>("react", undefined, { product: "nodejs", basis: "same", min: "30" }),
    ).map(([key, value]) => row("purls", key, value));
    // Any row of any table is removed, or replaced by another row of its table.
    const tables = ["products", "purls", "cpes", "models", "systems", "packageEnds", "packageLifecycles"] as const;
    const rows = tables.flatMap((table) => Object.keys(base[table]).map((key) => [table, key] as const));
    const ofTable = tuple(constantFrom(...rows), nat(), boolean()).map(([[table, key], other, isRemoved]) => {
      const keys = Object.keys(base[table]);
      const replaced = { ...base[table], [key]: Reflect.get(base[table], keys[other % keys.length] ?? key) };
      return (content: StoredContent) => ({
        ...content,
        [table]: isRemoved ? omit({ ...base[table] }, key as never) : replaced,
      });
    });
    const ofList = tuple(constantFrom("vendorPackages", "distroRevisions", "alternativeVersions", "reads"), nat()).map(
      ([list, at]) =>
        (content: StoredContent) => ({ ...content, [list]: base[list].toSpliced(at % base[list].length, 1) }),
    );
    const ofPackage = tuple(constantFrom(...Object.keys(base.distroPackages)), nat()).map(([type, at]) => {
      const table = base.distroPackages[type] ?? { namespaces: [], names: {} };
      const names = omit({ ...table.names }, Object.keys(table.names)[at % Object.keys(table.names).length] ?? "");
      return (content: StoredContent) => ({
        ...content,
        distroPackages: { ...content.distroPackages, [type]: { ...table, names } },
      });
    });
    assert(
      property(oneof(ofCycle, ofPurl, ofTable, ofList, ofPackage), (change) => {
        expect(outcomeOf(change).weaker).toEqual([]);
      }),
      { numRuns: soaked(20, 500) },
    );
  },
  soaked(240_000, 1_800_000),
);
