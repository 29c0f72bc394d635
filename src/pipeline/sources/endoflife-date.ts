/**
 * endoflife.date's API v1: the upstream record. Its `is…` booleans were computed on the day of the answer, so they are
 * read only if there is no date.
 */
import { asIsoDate, isProductSlug } from "../../text/ids.ts";
import type { End, LifecycleDate } from "../../model/index.ts";
import { feedChanged, FeedLocation, newKeys } from "./feed/location.ts";
import type { RecordedCycle, RecordedProduct, RecordReading, RecordSource } from "./source.ts";

const textOf = (place: FeedLocation | undefined): string | undefined => place?.text();
const dayOf = (place: FeedLocation | undefined): LifecycleDate | undefined => place?.day();
const optional = <Key extends string, Value>(key: Key, value: Value | undefined): { [K in Key]?: Value } =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the compiler widens a computed key to string
  (value === undefined ? {} : { [key]: value }) as { [K in Key]?: Value };

/**
 * A date takes precedence; else true means ended on an unpublished date, false that no end is announced, null nothing.
 */
function endOf(release: FeedLocation, from: string, flag: string): End {
  const date = dayOf(release.maybe(from));
  if (date) return { kind: "dated", date };
  const ended = release.maybe(flag);
  if (!ended) return { kind: "unknown" };
  return { kind: ended.flag() ? "ended" : "open" };
}

function maybeEnd(release: FeedLocation, from: string, flag: string): End | undefined {
  const end = endOf(release, from, flag);
  return end.kind === "unknown" ? undefined : end;
}

/** The keys whose absence means something are guarded: a product without active support has no `eoasFrom`. */
const CYCLE_KEYS =
  "name codename label releaseDate isLts ltsFrom isEoas eoasFrom isEol eolFrom isEoes eoesFrom isDiscontinued discontinuedFrom isMaintained latest custom".split(
    " ",
  );

function readCycle(release: FeedLocation): RecordedCycle {
  const latest = release.maybe("latest");
  // Old cycles are recorded without the name of a release; an empty name is ignored.
  const named = latest?.maybe("name") && latest;
  return {
    name: release.get("name").text(),
    ...optional("codename", textOf(release.maybe("codename"))),
    ...optional("label", textOf(release.maybe("label"))),
    ...optional("releaseDate", dayOf(release.maybe("releaseDate"))),
    lts: release.get("isLts").flag(),
    ...optional("ltsFrom", dayOf(release.maybe("ltsFrom"))),
    ...optional("eoas", maybeEnd(release, "eoasFrom", "isEoas")),
    eol: endOf(release, "eolFrom", "isEol"),
    ...optional("eoes", maybeEnd(release, "eoesFrom", "isEoes")),
    ...optional("discontinued", maybeEnd(release, "discontinuedFrom", "isDiscontinued")),
    ...optional("latest", named && readLatest(named)),
  };
}

function readLatest(latest: FeedLocation): NonNullable<RecordedCycle["latest"]> {
  const date = dayOf(latest.maybe("date"));
  return {
    name: latest.get("name").text(),
    ...(date && { date: asIsoDate(date.value) }),
    ...optional("link", textOf(latest.maybe("link"))),
  };
}

function readProduct(product: FeedLocation): RecordedProduct {
  const slug = product.get("name").text();
  if (!isProductSlug(slug)) throw feedChanged(`${product.where}/name`, "a product's slug");
  const labels = product.get("labels");
  const links = product.get("links");
  return {
    slug,
    name: product.get("label").text(),
    aliases: product
      .get("aliases")
      .items()
      .map((alias) => alias.text()),
    category: product.get("category").text(),
    tags: product
      .get("tags")
      .items()
      .map((tag) => tag.text()),
    identifiers: product
      .get("identifiers")
      .items()
      .map((identifier) => ({
        type: identifier.get("type").text(),
        id: identifier.get("id").text(),
      })),
    labels: {
      ...optional("eoas", textOf(labels.maybe("eoas"))),
      ...optional("eol", textOf(labels.maybe("eol"))),
      ...optional("eoes", textOf(labels.maybe("eoes"))),
      ...optional("discontinued", textOf(labels.maybe("discontinued"))),
    },
    url: links.get("html").text(),
    ...optional("policyUrl", textOf(links.maybe("releasePolicy"))),
    cycles: product.get("releases").items().map(readCycle),
  };
}

function parse(text: string): RecordReading {
  const answer = FeedLocation.json(text);
  answer.get("schema_version").match(/^1\./, "version 1 of the interface");
  const rows = answer.get("result").items();
  const products = rows.map(readProduct);
  const added = newKeys(
    rows.flatMap((row) => row.get("releases").items()),
    CYCLE_KEYS,
  );
  if (answer.get("total").number() !== products.length || products.length === 0) {
    throw feedChanged("/total", `the number of products, ${String(products.length)}`);
  }
  return { generatedAt: answer.get("generated_at").text(), newKeys: added, products };
}

export const endoflifeDate: RecordSource = {
  kind: "record",
  id: "endoflife.date",
  title: "endoflife.date",
  origin: "endoflife.date",
  products: [],
  format: "json",
  verification: "read",
  independentOfUpstream: false,
  documents: [{ url: "https://endoflife.date/api/v1/products/full" }],
  parse,
};
