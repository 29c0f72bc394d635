/**
 * Packages whose maintainers name a replacement, where no registry has a field for it. Every entry comes from a page of
 * the maintainers, with its address and the day on which it was read. It never changes a support level.
 */
import { asIsoDate, type IsoDate } from "../text/ids.ts";
import type { Evidence } from "../model/index.ts";
import { own } from "../text/own.ts";
import { compareNumbers, leadingNumbers, normalizeVersion } from "../resolve/version/parse.ts";
import type { PackageSubject } from "./subject.ts";

export interface KnownMove {
  /** Package URLs without version, or `platform …` for what the language itself offers, best first. */
  readonly to: readonly string[];
  readonly source: string;
  readonly readOn: IsoDate;
  /** The first version to which the statement applies; absent if it applies to all. */
  readonly since?: string;
}

const READ_ON = asIsoDate("2026-11-22");
const move = (source: string, ...to: readonly string[]): KnownMove => ({ to, source, readOn: READ_ON });
const WEBPACKER = move(
  "https://github.com/rails/webpacker/blob/a715e055d937748c7cfd34b0450295348ca13ee6/README.md",
  "pkg:gem/jsbundling-rails",
  "pkg:gem/importmap-rails",
);

/** By type and path, as the registry spells them; of types whose names compare without case, in lower case. */
export const KNOWN_MOVES: Readonly<Record<string, KnownMove>> = {
  "cargo/structopt": move(
    "https://github.com/TeXitoi/structopt/blob/c753c8d0951407e3f6c7388a86082e39eca3f6b5/README.md",
    "pkg:cargo/clap",
  ),
  "gem/webpacker": WEBPACKER,
  "golang/github.com/aws/aws-sdk-go": move(
    "https://github.com/aws/aws-sdk-go/blob/8d203ccff393340d080be0417d091cc60354449b/README.md",
    "pkg:golang/github.com/aws/aws-sdk-go-v2",
  ),
  "golang/github.com/jinzhu/gorm": move(
    "https://github.com/jinzhu/gorm/blob/90f139aba3a6df83d38ee9563fa50009d4f52852/README.md",
    "https://github.com/go-gorm/gorm",
  ),
  "golang/github.com/nats-io/go-nats": move(
    "https://github.com/nats-io/go-nats/blob/73ffc26dfe70cc3b217df38d209c83b6d07eaf3c/README.md",
    "pkg:golang/github.com/nats-io/nats.go",
  ),
  "golang/github.com/streadway/amqp": move(
    "https://github.com/streadway/amqp/blob/9d1cbf77f32bc7d175ed91e6af0e74bf8606379e/README.md",
    "pkg:golang/github.com/rabbitmq/amqp091-go",
  ),
  "maven/com.netflix.hystrix/hystrix-core": move(
    "https://github.com/Netflix/Hystrix/blob/7c03bafe32b518182e09e92fa57358a01043a504/README.md",
    "https://github.com/resilience4j/resilience4j",
  ),
  "maven/joda-time/joda-time": move(
    "https://github.com/JodaOrg/joda-time/blob/7088d772689b751d3e182833970290d05311bf35/README.md",
    "platform java.time",
  ),
  "npm/@babel/polyfill": move(
    "https://www.npmjs.com/package/@babel/polyfill/v/7.12.1",
    "pkg:npm/core-js",
    "pkg:npm/regenerator-runtime",
  ),
  "npm/@rails/webpacker": WEBPACKER,
  "npm/aws-sdk": move("https://www.npmjs.com/package/aws-sdk/v/2.1693.0", "AWS SDK for JavaScript v3"),
  "npm/bower": move(
    "https://www.npmjs.com/package/bower/v/1.8.14",
    "pkg:npm/yarn",
    "pkg:npm/webpack",
    "pkg:npm/parcel",
  ),
  "npm/moment": move(
    "https://github.com/moment/momentjs.com/blob/1c9ed13613e188a1caff8aa633cc9937ef734137/docs/moment/-project-status/01-recommendations.md",
    "pkg:npm/luxon",
    "pkg:npm/dayjs",
    "pkg:npm/date-fns",
    "pkg:npm/%40js-joda/core",
  ),
  "npm/react-addons-test-utils": {
    ...move(
      "https://www.npmjs.com/package/react-addons-test-utils/v/15.6.2",
      "pkg:npm/react-dom",
      "pkg:npm/react-test-renderer",
    ),
    since: "15.5.0",
  },
  "npm/request": move(
    "https://github.com/request/request/issues/3143",
    "pkg:npm/node-fetch",
    "pkg:npm/bent",
    "pkg:npm/got",
    "pkg:npm/make-fetch-happen",
    "pkg:npm/axios",
  ),
  "npm/vuex": move(
    "https://github.com/vuejs/vuex/blob/bd907467b8392d6671bb115738285ff7f63d0cf6/README.md",
    "pkg:npm/pinia",
  ),
  "pypi/aioredis": move(
    "https://github.com/aio-libs/aioredis-py/blob/19be499015a8cf32580e937cbfd711fd48489eca/README.md",
    "pkg:pypi/redis",
  ),
  "pypi/fuzzywuzzy": move(
    "https://github.com/seatgeek/fuzzywuzzy/blob/af443f918eebbccff840b86fa606ac150563f466/README.md",
    "pkg:pypi/thefuzz",
  ),
};

/** Registries that ignore the case of names. */
const CASE_INSENSITIVE: ReadonlySet<string> = new Set(["composer", "nuget", "pypi"]);

/** Returns the replacement that the maintainers of a package name, as evidence. */
export function knownMove({
  type,
  path,
  version,
}: Pick<PackageSubject, "type" | "path" | "version">): Evidence | undefined {
  const known = own(KNOWN_MOVES, `${type}/${CASE_INSENSITIVE.has(type) ? path.toLowerCase() : path}`);
  if (known === undefined || isBelow(version, known.since)) return undefined;
  const { to, source, readOn } = known;
  return {
    source: "catalogue",
    statement: "replacement-named",
    url: source,
    retrievedAt: readOn,
    replacement: to.join(", "),
  };
}

const isBelow = (version: string, since: string | undefined): boolean =>
  since !== undefined && compareNumbers(leadingNumbers(normalizeVersion(version)), leadingNumbers(since)) < 0;
