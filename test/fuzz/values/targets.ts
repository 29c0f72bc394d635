/**
 * What else reads input that others write: purls, versions, policies, lockfiles and catalogues. Each target reads one
 * mutated value. It may refuse it with the exit codes that belong to such input, and nothing else.
 */
import { readFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import { readContent } from "../../../src/catalogue/file.ts";
import { parseCatalogue } from "../../../src/catalogue/load.ts";
import { BUNDLED } from "../../../src/catalogue/places.ts";
import { inventoryKindOf, readInventory } from "../../../src/core/inventory/read.ts";
import type { Catalogue } from "../../../src/core/model.ts";
import { parsePolicy } from "../../../src/core/policy/policy.ts";
import { check } from "../../../src/index.ts";
import { digestOf } from "../../../src/platform/digest.ts";
import type { Random } from "../documents/random.ts";
import { mutateText, mutateValue } from "./mutate.ts";

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
const repositories = new URL("../../fixtures/repositories/", import.meta.url);
const LOCKFILES: readonly [string, ...string[]] = ["storefront/package-lock.json", "clinic-api/poetry.lock"];
const INLINE: Readonly<Record<string, string>> = {
  "Gemfile.lock": "GEM\n  specs:\n    rack (2.0.1)\n    rails (6.1.7)\n      rack\n\nDEPENDENCIES\n  rails\n",
  "yarn.lock":
    '# yarn lockfile v1\n\n"a@^1.0.0":\n  version "1.0.1"\n  dependencies:\n    b "^2"\n\nb@^2:\n  version "2.0.0"\n',
  "pnpm-lock.yaml":
    "lockfileVersion: '9.0'\npackages:\n  a@1.0.0:\n    resolution: {integrity: x}\nsnapshots:\n  a@1.0.0: {}\n",
  "go.mod": "module example.org/a\n\ngo 1.21\n\nrequire (\n\tgithub.com/gorilla/mux v1.8.0\n)\n",
  "pom.xml":
    "<project><dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId><version>1</version></dependency></dependencies></project>\n",
  Dockerfile: "ARG V=18\nFROM node:${V}-alpine AS build\nCOPY --from=golang:1.20 /a /b\n",
  "mix.lock": '%{\n  "castore": {:hex, :castore, "1.0.5", "aa", [:mix], [], "hexpm", "bb"},\n}\n',
  "requirements.txt": "django==3.2.25 ; python_version < '3.12'\n-r other.txt\nrequests>=2\n",
};

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
  const covered = Buffer.concat([Buffer.from(`${directory}\n`), body]);
  const head = {
    ...JSON.parse(`${bundled.subarray(0, first).toString().replace(/,$/, "")}}`),
    digest: digestOf(covered),
    checksum: crc32(directory),
  };
  return Buffer.concat([Buffer.from(`${JSON.stringify(head).slice(0, -1)},\n`), covered]);
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
      const inline = random.chance(70);
      const name = inline ? random.pick(names(INLINE)) : random.pick(LOCKFILES);
      const text = inline ? (INLINE[name] ?? "") : readFileSync(new URL(name, repositories), "utf8").slice(0, 20_000);
      const kind = inventoryKindOf(name);
      if (kind === undefined) throw new Error(`${name} is of no kind`);
      return readInventory(kind, Buffer.from(mutateText(text, random)));
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

function names(record: Readonly<Record<string, string>>): readonly [string, ...string[]] {
  const [first = "", ...rest] = Object.keys(record);
  return [first, ...rest];
}
