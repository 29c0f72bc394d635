/**
 * The acceptance test of the readers: over the reference samples they find what COMPARISON.json expects, pair by pair
 * against the upstream record.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { endoflifeDate } from "../../../src/pipeline/sources/endoflife-date.ts";
import type { LifecycleSource, RecordedCycle, SourceClaim } from "../../../src/pipeline/sources/source.ts";
import { formatDate } from "../../../src/messages/format.ts";
import type { End, LifecycleDate } from "../../../src/model/index.ts";
import { feedOf } from "./fixtures.ts";
import { readTable } from "../../../tools/reference-tables.ts";
import { describeWithShared, shared } from "../../shared.ts";

interface Expected {
  readonly feed: string;
  readonly slug: string;
  readonly file: string;
  readonly pairs: number;
  readonly agree: number;
  readonly differ: number;
  readonly fields: Readonly<Record<string, { readonly pairs: number; readonly agree: number }>>;
  readonly examples: readonly { cycle: string; field: string; catalogue: string; feed: string }[];
}

/** Which reader, and which of its two entry points; a document's part where the text does not say it. */
const SAMPLES: readonly [file: string, source: LifecycleSource, entryPoint: "parse" | "rows", part?: string][] = [
  ["nodejs-schedule.json", feedOf("nodejs-schedule"), "parse"],
  ["python-release-cycle.json", feedOf("python-release-cycle"), "parse"],
  ["python-releases.toml", feedOf("python-releases"), "parse"],
  ["dotnet-releases-index.json", feedOf("dotnet-releases-index"), "parse"],
  ["ruby-branches.yml", feedOf("ruby-branches"), "parse"],
  ["php-branches.json", feedOf("php-branches"), "parse"],
  ["debian.csv", feedOf("distro-info-debian"), "parse"],
  ["ubuntu.csv", feedOf("distro-info-ubuntu"), "parse"],
  ["devuan.csv", feedOf("distro-info-devuan"), "parse"],
  ["kubernetes-eol.yaml", feedOf("kubernetes-eol"), "parse"],
  ["kubernetes-schedule.yaml", feedOf("kubernetes-schedule"), "parse"],
  ["istio-support.yml", feedOf("istio-support"), "parse"],
  ["postgresql-versions.json", feedOf("postgresql-versions"), "parse"],
  ["redhat-plcc.json", feedOf("redhat-plcc"), "parse", "rhel"],
  ["fedora-bodhi.json", feedOf("fedora-bodhi"), "parse"],
  ["kuma-versions.yml", feedOf("kuma-versions"), "parse"],
  ["silverstripe-roadmap.json", feedOf("silverstripe-roadmap"), "parse"],
  ["cockroachdb-versions.csv", feedOf("cockroachdb-versions"), "parse"],
  ["moodle-versions.json", feedOf("moodle-versions"), "parse"],
  ["aws-lambda-cfn-lint.json", feedOf("aws-lambda-cfn-lint"), "parse"],
  ["opensuse-leap.yml", feedOf("opensuse-leap"), "parse"],
  ["rocky-wiki.csv", feedOf("rocky-wiki"), "rows"],
  ["powershell-lifecycle.csv", feedOf("powershell-lifecycle"), "rows"],
  ["aks-docs.csv", feedOf("aks-docs"), "rows"],
  ["laravel-docs.csv", feedOf("laravel-docs"), "rows"],
  ["containerd-releases.csv", feedOf("containerd-releases"), "rows"],
  ["prometheus-lts.csv", feedOf("prometheus-lts"), "rows"],
  ["eslint-support.csv", feedOf("eslint-support"), "rows"],
  ["mattermost-releases.csv", feedOf("mattermost-releases"), "rows"],
  ["electron-schedule.csv", feedOf("electron-schedule"), "rows"],
  ["envoy-releases.csv", feedOf("envoy-releases"), "rows"],
  ["knative-schedule.csv", feedOf("knative-schedule"), "rows"],
  ["traefik-releases.csv", feedOf("traefik-releases"), "rows"],
  ["airflow-versions.csv", feedOf("airflow-versions"), "rows"],
  ["angular-releases.csv", feedOf("angular-releases"), "rows"],
  ["rails-maintenance.csv", feedOf("rails-maintenance"), "rows"],
  ["django-download.csv", feedOf("django-download"), "rows"],
  ["temurin-support.csv", feedOf("temurin-support"), "rows"],
  ["symfony-kernel.csv", feedOf("symfony-kernel"), "rows"],
  ["almalinux-wiki.csv", feedOf("almalinux-wiki"), "rows"],
  ["adobe-commerce-lifecycle.csv", feedOf("adobe-commerce-lifecycle"), "rows"],
  ["aws-eks.csv", feedOf("aws-eks"), "rows"],
  ["ros2-distributions.csv", feedOf("ros2-distributions"), "rows"],
  ["go-history.csv", feedOf("go-history"), "rows"],
];

const dated = (end: End | undefined): LifecycleDate | undefined => (end?.kind === "dated" ? end.date : undefined);

/** A claim as COMPARISON.json names fields. A lower bound is compared with the end, as there. */
function asPair(claim: SourceClaim): { field: string; date: LifecycleDate | undefined } | undefined {
  switch (claim.field) {
    case "releaseDate":
      return { field: claim.field, date: claim.date };
    case "notBefore":
      return { field: "eolFrom", date: claim.date };
    case "eoas":
    case "eol":
    case "eoes":
      return { field: `${claim.field}From`, date: dated(claim.end) };
    case "track":
      return undefined;
  }
}

function recorded(cycle: RecordedCycle, field: string): LifecycleDate | undefined {
  switch (field) {
    case "releaseDate":
      return cycle.releaseDate;
    case "eoasFrom":
      return dated(cycle.eoas);
    case "eolFrom":
      return dated(cycle.eol);
    default:
      return dated(cycle.eoes);
  }
}

/** At the coarser precision: a month agrees with any day in it. */
const same = (a: LifecycleDate, b: LifecycleDate): boolean =>
  a.precision === "day" && b.precision === "day" ? a.value === b.value : a.value.slice(0, 7) === b.value.slice(0, 7);

function compare(claims: readonly SourceClaim[], cycles: ReadonlyMap<string, RecordedCycle>) {
  const fields: Record<string, { pairs: number; agree: number }> = {};
  const differ: { cycle: string; field: string; catalogue: string; feed: string }[] = [];
  for (const claim of claims) {
    const pair = asPair(claim);
    const cycle = cycles.get(claim.cycle);
    const theirs = pair && cycle && recorded(cycle, pair.field);
    // The reference compares no quarters and no approximate months.
    if (!pair?.date || !theirs || pair.date.precision === "quarter" || pair.date.precision === "about") continue;
    const count = (fields[pair.field] ??= { pairs: 0, agree: 0 });
    count.pairs += 1;
    if (same(pair.date, theirs)) count.agree += 1;
    else {
      differ.push({ cycle: claim.cycle, field: pair.field, catalogue: theirs.value, feed: formatDate(pair.date) });
    }
  }
  return { fields, differ };
}

const inOrder = <Row extends { cycle: string; field: string }>(rows: readonly Row[]): Row[] =>
  [...rows].sort((a, b) => `${a.cycle} ${a.field}`.localeCompare(`${b.cycle} ${b.field}`, "en"));

const read = (path: string): string => readFileSync(shared(path) ?? path, "utf8");

describeWithShared("readers agree with the reference comparison", "upstream/feeds/COMPARISON.json", () => {
  const comparison = (JSON.parse(read("upstream/feeds/COMPARISON.json")) as { feeds: readonly Expected[] }).feeds;
  const products = endoflifeDate.parse(read("upstream/endoflife-v1-products-full.json"), {
    url: "https://endoflife.date/api/v1/products/full",
  }).products;
  const cyclesOf = (slug: string) =>
    new Map(products.find((product) => product.slug === slug)?.cycles.map((cycle) => [cycle.name, cycle]));

  test.each(SAMPLES)("%s", (file, source, entryPoint, part) => {
    const expected = comparison.find((row) => row.file === `feeds/${file}`);
    const document = { ...source.documents[0], url: source.documents[0]?.url ?? "", ...(part && { part }) };
    const text = read(`upstream/feeds/${file}`);
    const reading = entryPoint === "parse" ? source.parse(text, document) : readTable(source, text);
    const found = compare(reading?.claims ?? [], cyclesOf(expected?.slug ?? ""));
    // The day on which long-term support starts decides nothing and is not read.
    const { ltsFrom: _, ...fields } = expected?.fields ?? {};
    const examples = (expected?.examples ?? []).filter(({ field }) => field !== "ltsFrom");
    expect({ fields: found.fields, examples: inOrder(found.differ) }).toEqual({ fields, examples: inOrder(examples) });
  });
});
