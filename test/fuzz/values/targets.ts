/**
 * What else reads input that others write: purls, versions, policies, lockfiles, version pins and catalogues. Each target reads one
 * mutated value. It may refuse it with the exit codes that belong to such input, and nothing else.
 */
import { readFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import { readContent } from "../../../src/catalogue/file.ts";
import { parseCatalogue } from "../../../src/catalogue/load.ts";
import { BUNDLED } from "../../../src/catalogue/places.ts";
import { inventoryKindOf, readInventory } from "../../../src/files/read.ts";
import type { Catalogue } from "../../../src/model/index.ts";
import { parsePolicy } from "../../../src/policy/policy.ts";
import { check } from "../../../src/index.ts";
import { digestOf } from "../../../src/platform/file-source.ts";
import { FILES, LINES } from "../../files/lockfiles/samples.ts";
import { ENVIRONMENTS, INFRASTRUCTURE, MANIFESTS, PIPELINES } from "../../files/pins/cases.ts";
import type { Random } from "../documents/random.ts";
import { mutateText, mutateValue } from "./mutate.ts";
import { loadCatalogue } from "../../../src/catalogue/load.ts";

const FACTS = loadCatalogue().facts;

export interface Target {
  /** Exit codes of refusals. */
  readonly exits: readonly number[];
  /** Makes a value from the random numbers and reads it. */
  readonly run: (random: Random, catalogue: Catalogue) => unknown;
}

const PURLS: readonly [string, ...string[]] = [
  "pkg:npm/%40angular/core@14.2.12",
  "pkg:deb/debian/openssl@1.1.1w-0+deb11u2?distro=debian-11&arch=amd64",
  "pkg:golang/github.com/gorilla/mux@v1.8.0#sub/path",
  "pkg:maven/org.springframework.boot/spring-boot@2.7.18?type=jar",
  "pkg:rpm/redhat/kernel@5.14.0-427.el9?epoch=1&distro=rhel-9.4",
  "pkg:docker/library/node@18-alpine?repository_url=docker.io",
  "pkg:generic/node@18.20.4",
];
const POLICY = {
  failOn: ["eol", "score>=70", "kev"],
  warnDays: 90,
  support: "free",
  scope: "runtime",
  minCoverage: 50,
  denyLicense: ["GPL-3.0-only OR MIT"],
  waivers: [{ match: "nodejs:18", reason: "contract", expires: "2027-03-31" }],
  contracts: [{ product: "nodejs", cycle: "18", vendor: "HeroDevs" }],
};
/** Lockfiles and version pins, by the path that decides their kind. */
const INVENTORY: readonly (readonly [path: string, text: string])[] = [
  ...FILES.map(([path, text]) => [path, text.slice(0, 20_000)] as const),
  ...LINES.map(([path, , text]) => [path, text] as const),
  ...[...PIPELINES, ...ENVIRONMENTS, ...INFRASTRUCTURE, ...MANIFESTS].map(([path, , text]) => [path, text] as const),
  ["Dockerfile", "ARG V=18\nFROM node:${V}-alpine AS build\nCOPY --from=golang:1.20 /a /b\n"],
  ["go.mod", "module example.org/a\n\ngo 1.21\n\nrequire (\n\tgithub.com/gorilla/mux v1.8.0\n)\n"],
  ["go.sum", `a.example/b v1.0.0 h1:${"a".repeat(43)}=\n`],
  ["requirements.txt", "django==3.2.25 ; python_version < '3.12'\n-r other.txt\nrequests>=2\n"],
  ["pylock.toml", 'lock-version = "1.0"\n\n[[packages]]\nname = "attrs"\nversion = "25.1.0"\n'],
  [
    "App.deps.json",
    '{"runtimeTarget":{"name":".NETCoreApp,Version=v6.0"},"targets":{},"libraries":{"A/1.0.0":{"type":"package"}}}',
  ],
  [
    "Directory.Packages.props",
    '<Project><ItemGroup><GlobalPackageReference Include="A" Version="1.0" /></ItemGroup></Project>\n',
  ],
  ["gradle/libs.versions.toml", '[versions]\na = "1.0"\n\n[libraries]\nx = { module = "g:x", version.ref = "a" }\n'],
];

function checkComponent(component: object, catalogue: Catalogue): Promise<unknown> {
  const document = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    components: [{ type: "library", name: "a", ...component }],
  };
  return check(Buffer.from(JSON.stringify(document)), { catalogue, asOf: "2026-11-22" });
}

/** Digest and checksum fit, so that the damage is seen by what reads the content. */
function damagedCatalogue(random: Random): Buffer {
  bundled ??= readFileSync(BUNDLED);
  const [first, second] = [bundled.indexOf("\n"), bundled.indexOf("\n", bundled.indexOf("\n") + 1)];
  let directory = bundled.subarray(first + 1, second).toString();
  const body = Buffer.from(bundled.subarray(second + 1));
  if (random.chance(50)) directory = mutateText(directory, random).replaceAll("\n", " ");
  else for (let count = 200; count > 0; count--) body[random.below(body.length)] = random.below(256);
  const digested = Buffer.concat([Buffer.from(`${directory}\n`), body]);
  const head = {
    ...JSON.parse(`${bundled.subarray(0, first).toString().replace(/,$/, "")}}`),
    digest: digestOf(digested),
    checksum: crc32(directory),
  };
  return Buffer.concat([Buffer.from(`${JSON.stringify(head).slice(0, -1)},\n`), digested]);
}
let bundled: Buffer | undefined;

export const TARGETS: Readonly<Record<string, Target>> = {
  purls: {
    exits: [],
    run: (random, catalogue) => checkComponent({ purl: mutateText(random.pick(PURLS), random) }, catalogue),
  },
  versions: {
    exits: [],
    run: (random, catalogue) => {
      const version = mutateText(
        random.pick(["14.2.12", "1:1.1.1w-0+deb11u2", "v2.0.0-rc.1+build", "20.04 LTS"]),
        random,
      );
      return checkComponent({ name: "node", version, purl: "pkg:generic/node" }, catalogue);
    },
  },
  policies: { exits: [2], run: (random) => parsePolicy(mutateValue(POLICY, random)) },
  lockfiles: {
    exits: [3],
    run: (random) => {
      const [path, text] = INVENTORY[random.below(INVENTORY.length)] ?? ["", ""];
      const kind = inventoryKindOf(path, () => text);
      if (kind === undefined) throw new Error(`${path} is of no kind`);
      return readInventory(kind, Buffer.from(mutateText(text, random)), FACTS);
    },
  },
  catalogues: {
    exits: [4],
    run: (random) => {
      const bytes = damagedCatalogue(random);
      const catalogue = parseCatalogue(bytes, "fuzzed");
      for (const slug of catalogue.slugs().slice(0, 20)) catalogue.product(slug);
      readContent(bytes, "fuzzed");
    },
  },
};
