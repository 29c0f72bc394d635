/**
 * Red Hat: the product life cycles interface. A phase carries a day or prose (`Ongoing`, `N/A`, `Release of Logging 6.7`),
 * and says which. The general availability has its day in `end_date`. The query is a search: other products can answer.
 */
import { asProductSlug } from "../../core/ids.ts";
import type { LifecycleDate } from "../../core/model.ts";
import { ClaimList } from "./feed/claim-list.ts";
import { feedChanged } from "./feed/feed-changed.ts";
import { FeedLocation } from "./feed/location.ts";
import type { LifecycleSource, SourceDocument, SourceReading, Verification } from "./source.ts";

interface RedHatProduct {
  readonly slug: string;
  readonly name: string;
  /** Phase that the catalogue calls extended support. */
  readonly extended?: RegExp;
}

const RHEL: RedHatProduct = {
  slug: "rhel",
  name: "Red Hat Enterprise Linux",
  extended: /^Extended life cycle support \(ELS\) add-on$/i,
};
const LAYERED: readonly RedHatProduct[] = [
  { slug: "red-hat-openshift", name: "OpenShift Container Platform" },
  { slug: "redhat-satellite", name: "Red Hat Satellite" },
  { slug: "redhat-jboss-eap", name: "Red Hat JBoss Enterprise Application Platform" },
  { slug: "redhat-build-of-openjdk", name: "Red Hat build of OpenJDK" },
  { slug: "red-hat-ansible-automation-platform", name: "Red Hat Ansible Automation Platform" },
];

const GENERAL_AVAILABILITY = /^general availability$/i;
const FULL_SUPPORT = /^full support$/i;
/** Renamed over the years: `Maintenance Support or Maintenance Support 2`, `Maintenance Support 2`, `Maintenance support`. */
const LAST_MAINTENANCE =
  /^(?:maintenance support or maintenance support 2|maintenance support 2|maintenance support)$/i;

/** The day on which a phase ends, or nothing when the vendor writes prose. Up to 2021 the keys had no `end_`. */
function phaseEnd(phase: FeedLocation, facts: ClaimList): LifecycleDate | undefined {
  const [date, format] = phase.maybe("date_format") ? ["date", "date_format"] : ["end_date", "end_date_format"];
  const end = phase.get(date);
  if (phase.get(format).word("date", "string") === "date") return end.instant();
  facts.note("prose", end.where, String(end.value));
  return undefined;
}

function readPhase(phase: FeedLocation, cycle: string, product: RedHatProduct, facts: ClaimList): void {
  const name = phase.get("name").text();
  const end = phaseEnd(phase, facts);
  if (GENERAL_AVAILABILITY.test(name)) facts.date("releaseDate", cycle, end);
  if (FULL_SUPPORT.test(name)) facts.end("eoas", cycle, end);
  if (LAST_MAINTENANCE.test(name)) facts.end("eol", cycle, end);
  if (product.extended?.test(name)) facts.end("eoes", cycle, end);
  if (/^extended/i.test(name)) facts.track(cycle, { name, vendor: "Red Hat", cost: "paid" }, end);
}

function read(text: string, product: RedHatProduct): SourceReading {
  const facts = new ClaimList(asProductSlug(product.slug));
  const answer = FeedLocation.json(text).get("data").items();
  const found = answer.find((candidate) => candidate.get("name").text() === product.name);
  if (!found) throw feedChanged("/data", `the product ${product.name}`);
  for (const version of found.get("versions").items()) {
    const cycle = version.get("name").text();
    // `7 (ARM)` and `7 (POWER9)` are variants with ends of their own.
    if (/^\d+(?:\.\d+)*$/.test(cycle)) {
      const phases = version.get("phases").items();
      if (!phases.some((phase) => GENERAL_AVAILABILITY.test(phase.get("name").text()))) {
        throw feedChanged(version.where, "a phase General availability");
      }
      for (const phase of phases) readPhase(phase, cycle, product, facts);
    } else facts.note("not-a-line", version.where, cycle);
  }
  return facts.reading();
}

function redhat(
  id: string,
  title: string,
  verification: Verification,
  products: readonly RedHatProduct[],
): LifecycleSource {
  return {
    kind: "lifecycle",
    id,
    title,
    origin: "redhat",
    products: products.map(({ slug }) => asProductSlug(slug)),
    format: "json",
    verification,
    independentOfUpstream: true,
    documents: products.map(({ slug, name }) => ({
      url: `https://access.redhat.com/product-life-cycles/api/v1/products?name=${name.replaceAll(" ", "+")}`,
      part: slug,
    })),
    parse(text: string, { part }: SourceDocument) {
      const product = products.find(({ slug }) => slug === part);
      if (!product) throw feedChanged("/", "a document of one product");
      return read(text, product);
    },
  };
}

export const redhatPlcc = redhat("redhat-plcc", "Red Hat Enterprise Linux life cycle", "excerpt", [RHEL]);
export const redhatPlccLayered = redhat(
  "redhat-plcc-layered",
  "Red Hat life cycles of layered products",
  "unverified-format",
  LAYERED,
);
