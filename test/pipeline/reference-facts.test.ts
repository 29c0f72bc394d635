/** Every fact of the reference data that was made for this project is in the bundled catalogue, value by value. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import type { End, LifecycleDate, ReleaseCycle } from "../../src/model/index.ts";
import { isProposal } from "../../src/pipeline/compile/curated-schemas.ts";
import { purlKey } from "../../src/resolve/purl/key.ts";
import { describeWithShared, shared } from "../shared.ts";

const catalogue = loadCatalogue();

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- names the form of the file; the tests compare every value
function read<Shape>(file: string): Shape {
  const url = shared(`upstream/${file}`);
  if (url === undefined) throw new Error(`no ${file}`);
  return JSON.parse(readFileSync(url, "utf8")) as Shape;
}
function cycleOf(slug: string, name: string): ReleaseCycle {
  const found = catalogue.product(slug)?.cycles.find((cycle) => cycle.name === name);
  if (found === undefined) throw new Error(`no release cycle ${slug}:${name}`);
  return found;
}
const written = ({ value, precision }: LifecycleDate): string => (precision === "month" ? value.slice(0, 7) : value);
const word = (end: End | undefined): string | boolean | undefined => {
  if (end === undefined || end.kind === "unknown") return undefined;
  return end.kind === "dated" ? written(end.date) : end.kind === "ended";
};
const keyOf = (purl: string): string => {
  const key = purlKey(purl);
  if (key.kind === "invalid") throw new Error(`${purl}: ${key.why}`);
  return key.key;
};
/** The day, or its month where the row has no day. */
function month(date: string | boolean, precision?: string): string | boolean {
  return typeof date === "string" && precision === "month" ? date.slice(0, 7) : date;
}
/** The record counts images of Node.js on Debian as Debian, whose support does not cover Node.js. */
const NODE_IMAGE = /^pkg:oci\/nodejs\d+-debian/;
/** Lists of targets and platforms, which packages of .NET Standard bring into applications of every .NET version. */
const NET_STANDARD = /\/Microsoft\.NETCore\.(?:Targets|Platforms)$/;
/** Packages that had 1.x numbers of their own beside .NET Core 1.x, which the list does not tell apart. */
const OWN_NUMBERS_UNTIL_5 =
  /\/(?:Microsoft\.Bcl\.AsyncInterfaces|System\.(?:Collections\.Immutable|Composition\.\w+|Reflection\.Metadata))$/;
/** Became entries of `dotnet`, as the reference data proposes. */
const FOLDED = "dotnet-library-packages";

interface OwnCycle {
  readonly cycle: string;
  readonly release_date?: string;
  readonly release_precision?: string;
  readonly eol: string | boolean;
  readonly eol_precision?: string;
  readonly basis: "stated" | "rule" | "declared";
  readonly successor?: string;
  readonly source_url: string;
  readonly read_on: string;
  readonly via?: string;
}
interface OwnRow {
  readonly slug: string;
  readonly name?: string;
  readonly extends?: boolean;
  readonly corrects?: boolean | string;
  readonly purls: readonly string[];
  readonly cpes?: readonly string[];
  readonly lines: readonly OwnCycle[];
}

/** Addresses that are not the maintainers' statement: proposed changes, and a copy of Microsoft's table in a blog. */
const isSecondHand = (url: string): boolean => isProposal(url) || url.startsWith("https://www.cnblogs.com/");

/** Where the packages of a product are recorded as its parts. */
const FAMILIES = [
  { product: "nservicebus", member: /^(?:nservicebus|particular-aspire)-/ },
  { product: "hoa", member: /^composer-hoa-/ },
  { product: "openstack", member: /^openstack-/ },
];
/** No purl, CPE, image or pin leads to them. */
const OMITTED = new Set(
  "ms-dos mandriva-linux opensolaris trisquel android-webview opera-android meta-quest-browser firefox-android".split(
    " ",
  ),
);
/** A stranger's pull request is their only source. */
const WITHDRAWN = /^go-mitchellh-go-(?:ps|testing-interface|wordwrap)$/;
/** Its own file advises not to gate on it. */
const AMBIGUOUS = "dotnet-core-1-packages";
/** The compiler checks their packages against the newest versions: those that left the family have a record of their own, or none. */
const LEFT_FAMILY = /\/(?:%40(?:babel|aws-sdk)\/|%40opentelemetry\/exporter-jaeger$|babel-preset-env$)/;
/** A client of Docker whose numbers follow the engine by hearsay only. */
const CLIENT = "pkg:golang/github.com/docker/cli";
const OWN_FILES = [
  "own-catalogue.json",
  "retired-libraries.json",
  "stale-products.json",
  "enterprise-products.json",
  "libraries-jvm-net.json",
  "libraries-js-py-go.json",
];
const EVIDENCE = ["stated", "rule", "declared"];

interface Statement {
  readonly end: string | boolean;
  readonly basis: string;
  readonly on: string;
  readonly url: string;
  readonly corrects: boolean;
}

/** The reference data makes a day of a month; the catalogue states the month. */
const statedDay = (day: string): string => day.replace(/-01$/, "");

describeWithShared("custom records", "upstream/enterprise-products.json", () => {
  interface Correction {
    readonly slug: string;
    readonly cycle: string;
    readonly source_url: string;
    readonly read_on: string;
    readonly eol?: string;
    readonly eol_precision?: string;
    readonly eol_note?: string;
    readonly contradicts?: string;
  }
  const azure = new Set(
    read<readonly { purl: string | null }[]>("azure-sdk-packages.json").flatMap(
      ({ purl }) => purl?.toLowerCase() ?? [],
    ),
  );
  const corrections = new Map(
    read<readonly Correction[]>("source-corrections.json").map((each) => [`${each.slug}:${each.cycle}`, each]),
  );
  /** The vendor's list of packages is newer and whole. */
  const isAzure = ({ purls }: OwnRow): boolean =>
    purls.length > 0 && purls.every((purl) => azure.has(purl.toLowerCase()));
  const rows = OWN_FILES.flatMap((file) => read<readonly OwnRow[]>(file)).filter(
    (row) =>
      row.slug !== FOLDED &&
      row.slug !== AMBIGUOUS &&
      !OMITTED.has(row.slug) &&
      !WITHDRAWN.test(row.slug) &&
      !isAzure(row),
  );

  function nameOf({ slug, purls }: OwnRow, cycle: string): readonly [slug: string, cycle: string] {
    const family = FAMILIES.find(({ member }) => member.test(slug));
    if (family === undefined) return [slug, cycle];
    return [family.product, `${decodeURIComponent(purls[0] ?? "").replace(/^pkg:[a-z]+\//, "")}@${cycle}`];
  }
  function statementOf(row: OwnRow, ownCycle: OwnCycle): Statement {
    const { basis, source_url: url, read_on: on } = ownCycle;
    const statement = {
      end: month(ownCycle.eol, ownCycle.eol_precision),
      basis,
      on,
      url,
      corrects: row.corrects === true,
    };
    const better = corrections.get(`${row.slug}:${ownCycle.cycle}`);
    if (better === undefined || row.corrects === true) return statement;
    const isStated = better.eol !== undefined && better.eol_note !== "day of the newest commit";
    const end = better.contradicts ? false : isStated ? month(better.eol ?? "", better.eol_precision) : statement.end;
    return { ...statement, end, url: better.source_url, on: better.read_on };
  }
  /** A lock file shows what was retired; that the other cycles are supported is stated by no source. */
  const isStatement = ({ eol, source_url: url, via = "" }: OwnCycle): boolean =>
    eol !== false || !/package-lock\.json|npm-shrinkwrap/.test(`${url} ${via}`);
  const weight = ({ basis, on }: Statement): string => `${EVIDENCE.length - EVIDENCE.indexOf(basis)} ${on}`;
  /** A correction takes the place of what it corrects. */
  const current = (statements: readonly Statement[]): readonly Statement[] =>
    statements.slice(
      Math.max(
        0,
        statements.findIndex(({ corrects }) => corrects),
      ),
    );

  /** The gathered row took the end of the paid extension, which the service calls "End of Life", for the end of support. */
  /** Their statements are about the newest major only. */
  const BEGINS_AT_MAJOR: ReadonlySet<string> = new Set(
    "npm-q npm-moment moment vue-cli npm-vue-cli bull npm-bull karma npm-karma bower npm-bower py pypi-py py-python npm-circular-json".split(
      " ",
    ),
  );
  const READ_AGAIN: Readonly<Record<string, string | boolean>> = {
    "guzzle-psr7:1": "2024-06-30",
    "guzzle-psr7:2": false,
    "office-online-server:all": "2026-12-31",
    "red-hat-amq-broker:7": "2028-04-30",
  };

  /** Products of which statements were read again: the newer reading replaces the gathered row. */
  const reread = new Set(
    read<{ readonly facts: readonly { readonly topic: number; readonly subject: string }[] }>(
      "rechecked-statements-2026-11.json",
    ).facts.flatMap(({ topic, subject }) => (topic === 3 ? [] : [subject.split(":", 1)[0] ?? ""])),
  );

  test("contains every cycle of the record with its effective claim", () => {
    const stated = new Map<string, Statement[]>();
    for (const row of rows) {
      for (const ownCycle of row.lines.filter(isStatement)) {
        const [slug, cycle] = nameOf(row, ownCycle.cycle);
        const key = `${slug}\n${cycle}`;
        stated.set(key, [...(stated.get(key) ?? []), statementOf(row, ownCycle)]);
      }
    }
    for (const [key, statements] of stated) {
      const [slug = "", name = ""] = key.split("\n");
      // Recorded upstream too: our own dates are further claims.
      if (catalogue.product(slug)?.record === "upstream") continue;
      // Recorded from the newest major on, which is what the statement is about.
      if (name === "all" && BEGINS_AT_MAJOR.has(slug)) continue;
      const claim = cycleOf(slug, name).claims[0];
      const where = `${slug}:${name}`;
      const end = word(claim?.end);
      if (READ_AGAIN[where] !== undefined) {
        expect(end, where).toBe(READ_AGAIN[where]);
        continue;
      }
      if (reread.has(slug) && statements.every(({ url }) => url !== claim?.url)) {
        expect(claim?.retrievedAt, where).toBeDefined();
        continue;
      }
      // The day of a page is the one in its address, where it has one.
      const isOfDay = ({ on }: Statement): boolean =>
        statedDay(on) === claim?.retrievedAt || /\/\d{4}[/-]\d\d(?:[/-]\d\d)?/.test(claim?.url ?? "");
      // The record cites a proposed change or somebody's copy, and the vendor's own text was read instead.
      if (statements.every(({ url }) => isSecondHand(url))) {
        expect(isSecondHand(claim?.url ?? ""), where).toBe(false);
        expect(
          statements.map((each) => each.end),
          where,
        ).toContain(end);
        continue;
      }
      const same = statements.filter((each) => each.url === claim?.url && isOfDay(each));
      expect(
        same.map(({ basis }) => basis),
        where,
      ).toContain(claim?.basis);
      expect(
        statements.map((each) => each.end),
        where,
      ).toContain(end);
      const candidates = current(statements);
      const best = candidates.map(weight).reduce((left, right) => (left > right ? left : right));
      const winners = candidates.filter((each) => weight(each) === best).map((each) => String(each.end));
      const sameMonth = winners.some((each) => each.startsWith(String(end)) || String(end).startsWith(each));
      expect(sameMonth, `${where}: ${String(end)} against ${winners.join(", ")}`).toBe(true);
    }
    expect(stated.size).toBeGreaterThan(5000);
  });

  test("resolves every package and CPE of the record to its product", () => {
    for (const row of rows) {
      const [slug] = nameOf(row, "");
      for (const purl of row.purls.filter(
        (each) => each !== CLIENT && ![NET_STANDARD, NODE_IMAGE, LEFT_FAMILY].some((own) => own.test(each)),
      ))
        expect(catalogue.purl(keyOf(purl))?.product, `${slug} ${purl}`).toBe(slug);
      if (catalogue.product(slug)?.record === "custom" && !FAMILIES.some(({ product }) => product === slug))
        expect(catalogue.product(slug)?.cpes, slug).toEqual(expect.arrayContaining([...(row.cpes ?? [])]));
    }
  });

  test("packages of the Azure SDK end on the date of the vendor's list", () => {
    interface Package {
      readonly purl: string | null;
      readonly eol: string | boolean | null;
      readonly min_major?: number;
      readonly max_major?: number;
      readonly note?: string;
      readonly latest?: string;
      readonly source_url: string;
      readonly read_on: string;
    }
    /** Packages of these services ended with the service, which the vendor's list of another language states. */
    const isBing = (purl: string) =>
      /cognitiveservices-(?:autosuggest|\w*search|spellcheck)$/.test(purl) && purl.startsWith("pkg:npm/%40");
    const packages = read<readonly Package[]>("azure-sdk-packages.json").filter(
      ({ purl, eol, note, latest }) =>
        purl !== null &&
        eol !== null &&
        !isBing(purl) &&
        // A package that was only previewed has no supported version.
        (eol !== false || latest !== undefined) &&
        !purl.includes("#") &&
        note !== "two rows contradict or overlap in major version",
    );
    for (const { purl, eol, min_major: min, max_major: max, latest, source_url: url, read_on: on } of packages) {
      const entry = catalogue.purl(keyOf(purl ?? ""));
      const major = eol === false ? latest?.replace(/^v/, "").split(".")[0] : undefined;
      const cycle = cycleOf(entry?.product ?? "", `${entry?.part}@${min ?? max ?? major ?? "all"}`);
      expect(cycle.claims[0], purl ?? "").toMatchObject({ url, retrievedAt: statedDay(on) });
      expect(word(cycle.eol), purl ?? "").toBe(eol);
    }
    expect(packages.length).toBe(2904);
  });
});

describeWithShared("models", "upstream/ai-models.json", () => {
  interface Model {
    readonly line: string;
    readonly ids: readonly string[];
    readonly platform: string;
    readonly vendor?: string | null;
    readonly deprecation_date: string | null;
    readonly retirement_date: string | null;
    readonly retirement_not_before?: string | null;
    readonly status?: string;
    readonly source_url: string;
    readonly read_on: string;
  }
  test("contains each model cycle on its platform, by each of its identifiers", () => {
    const models = [...read<readonly Model[]>("ai-models.json"), ...read<readonly Model[]>("ai-models-azure.json")];
    for (const model of models) {
      const slug = model.platform === "anthropic-api" ? "claude" : model.platform;
      // A line that was read as the name of a page is named by its id since.
      const line = catalogue.model(model.line).find(({ product }) => product === slug)?.cycle ?? model.line;
      const cycle = cycleOf(slug, line);
      const own = cycle.claims.find(({ kind }) => kind === "custom");
      // Read again since.
      if (own !== undefined && own.retrievedAt > statedDay(model.read_on)) continue;
      expect(own, model.line).toMatchObject({ url: model.source_url, retrievedAt: statedDay(model.read_on) });
      // Another model of the family left on 2025-09-29: the day of these two is not settled.
      const isUnsettled = slug === "gemini-api" && /^gemini-1\.5-(?:flash|pro)$/.test(model.line);
      const end = isUnsettled ? true : (model.retirement_date ?? model.status === "retired");
      expect(word(own?.end), model.line).toBe(end);
      if (model.retirement_not_before) {
        expect(cycle.eolNotBefore?.value, model.line).toBe(model.retirement_not_before);
        expect(cycle.eol, model.line).toEqual({ kind: "open" });
      }
      // A name that was announced for itself since is a cycle of its own.
      for (const id of model.ids.filter((each) => each !== "gpt-4o-mini-transcribe"))
        expect(catalogue.model(id), id).toContainEqual({
          product: slug,
          cycle: model.line,
          vendor: model.vendor ?? null,
        });
    }
    expect(models).toHaveLength(527 + 67);
  });
});

describeWithShared("purl map", "upstream/purl-map-upstream.json", () => {
  interface Override {
    readonly action: "informational" | "product-only" | "drop" | "limit";
    readonly min?: string;
    readonly max?: string;
  }
  const overrides = () => read<Readonly<Record<string, Override>>>("purl-map-overrides.json");

  test("contains 940 identifiers of the record, with their limits", () => {
    const upstream = read<Readonly<Record<string, string>>>("purl-map-upstream.json");
    const limits = overrides();
    for (const [purl, slug] of Object.entries(upstream)) {
      const entry = catalogue.purl(keyOf(purl));
      const limit = limits[purl];
      if (limit?.action === "drop") expect(entry, purl).toBeUndefined();
      else expect(entry, purl).toMatchObject({ product: slug });
      if (limit?.action === "informational") expect(entry?.distroMaintained, purl).toBe(true);
      if (limit?.action === "product-only") expect(entry?.productOnly, purl).toBe(true);
      if (limit?.action === "limit") expect([entry?.min, entry?.max], purl).toEqual([limit.min, limit.max]);
    }
    expect(Object.keys(upstream)).toHaveLength(940);
    expect(Object.keys(limits)).toHaveLength(208);
  });

  test("contains 1,248 additional identifiers, with bounds and transforms", () => {
    const transforms: Readonly<Record<string, string>> = {
      "0.N.P->1.N.P": "minor-shift",
      "java-1.N->N": "java-legacy",
    };
    const additions =
      read<Readonly<Record<string, { slug: string; basis: string; min?: string; max?: string; transform?: string }>>>(
        "purl-map-additions.json",
      );
    for (const [purl, { slug, basis, min, max, transform }] of Object.entries(additions)) {
      // It has numbers of its own.
      if (purl === "pkg:maven/io.quarkus/quarkus-fs-util") continue;
      const entry = catalogue.purl(keyOf(purl));
      expect(entry?.product, purl).toBe(slug);
      // An identifier that the record lists too keeps the record's basis.
      if (entry?.basis !== "upstream")
        expect([entry?.basis, entry?.min, entry?.max, entry?.transform], purl).toEqual([
          basis,
          min,
          max,
          transform && transforms[transform],
        ]);
    }
    expect(Object.keys(additions)).toHaveLength(1_248);
  });

  test("maps packages that follow the version numbers of .NET to dotnet", () => {
    const folded = read<readonly OwnRow[]>("retired-libraries.json").find(({ slug }) => slug === FOLDED);
    for (const purl of folded?.purls ?? []) {
      const min = OWN_NUMBERS_UNTIL_5.test(purl) ? "5" : "2.2";
      expect(catalogue.purl(keyOf(purl)), purl).toMatchObject({ product: "dotnet", min });
    }
    for (const { cycle, eol } of folded?.lines ?? []) expect(word(cycleOf("dotnet", cycle).eol), cycle).toBe(eol);
    expect(folded?.purls.length).toBeGreaterThan(50);
  });
});

interface KevRow {
  readonly cve: string;
  readonly slug: string;
  readonly added: string;
  readonly cycles: readonly string[];
  readonly ranges: readonly object[];
  readonly all: boolean;
  readonly fixed_in?: Readonly<Record<string, string>>;
  readonly note?: string;
}
/** Notes of rows whose record names another thing than the product: no version is known of the product itself. */
const NOT_THE_PRODUCT = /^named in CISA's text|^the app Questions|^the kernel of Ubuntu/;
/** The record is about Nexus Repository Manager 3, and NVD states no start. */
const STARTS_AT_3 = "nexus";
/** Ranges that are empty in the reference data: they end before they start. */
const isEmpty = ({ from, to, toInclusive }: { from?: string; to?: string; toInclusive?: boolean }): boolean =>
  from !== undefined && to !== undefined && !toInclusive && (from === to || (from === "61" && to === "60.7.3"));

const IN_HEADINGS =
  "fortiadc fortianalyzer forticlient-ems fortimail fortimanager fortindr fortipam fortiproxy fortisandbox fortivoice fortiweb microsoft-forefront-tmg".split(
    " ",
  );

describeWithShared("known exploited vulnerabilities", "upstream/kev-cve-slugs.json", () => {
  const rows = read<readonly KevRow[]>("kev-ranges.json");

  test("cover exactly the products of the reference data", () => {
    const named =
      read<Readonly<Record<string, { added: string; ransomware: boolean; slugs: Record<string, string> }>>>(
        "kev-cve-slugs.json",
      );
    // Five products beyond the upstream record are named in their own file, others by CISA's headings only.
    const inOwnFile = read<readonly (OwnRow & { kev?: unknown })[]>("own-catalogue.json").filter(({ kev }) => kev);
    const beyond = new Set<string>([...inOwnFile.map(({ slug }) => slug), ...IN_HEADINGS]);
    const expected = new Set([
      ...Object.entries(named).flatMap(([cve, { slugs }]) => Object.keys(slugs).map((slug) => `${slug} ${cve}`)),
      ...rows.filter(({ slug }) => !beyond.has(slug)).map(({ slug, cve }) => `${slug} ${cve}`),
    ]);
    const found = new Set<string>();
    for (const slug of catalogue.slugs()) {
      if (beyond.has(slug)) continue;
      for (const { cve, added, ransomware } of catalogue.product(slug)?.kev?.entries ?? []) {
        found.add(`${slug} ${cve}`);
        const known = named[cve];
        if (known) expect({ added, ransomware }, cve).toEqual({ added: known.added, ransomware: known.ransomware });
      }
    }
    expect([...found].toSorted()).toEqual([...expected].toSorted());
  });

  test("have the ranges, cycles and fixes of the reference data", () => {
    for (const row of rows) {
      const where = `${row.slug} ${row.cve}`;
      const entry = catalogue.product(row.slug)?.kev?.entries.find(({ cve }) => cve === row.cve);
      expect(entry?.added, where).toBe(row.added);
      if (row.all || NOT_THE_PRODUCT.test(row.note ?? "")) {
        expect(entry?.versions, where).toBeUndefined();
        continue;
      }
      // The NVD also lists 17.0, which the text of the CVE does not name.
      if (/^(?:ios|ipados) CVE-2023-4199[12]$/.test(where)) {
        expect(entry?.versions, where).toMatchObject({
          cycles: ["17", ...row.cycles],
          ranges: [{}, { from: "17.0", to: "17.0" }],
        });
        continue;
      }
      expect(entry?.versions?.cycles, where).toEqual(row.cycles);
      expect(entry?.versions?.fixedIn, where).toEqual(row.fixed_in ?? {});
      const ranges = row.ranges.filter((range) => !isEmpty(range)).map((range) => expectedRange(row.slug, range));
      expect(new Set(entry?.versions?.ranges.map(sorted)), where).toEqual(new Set(ranges.map(sorted)));
    }
  });
});

interface ReferenceRange {
  readonly exact?: string;
  readonly from?: string;
  readonly fromInclusive?: boolean;
  readonly to?: string;
  readonly toInclusive?: boolean;
  readonly edition?: string;
}
function expectedRange(slug: string, range: ReferenceRange): object {
  const { exact, fromInclusive, to, toInclusive, edition } = range;
  if (exact !== undefined) return { from: exact, to: exact, toInclusive: true };
  const from = range.from ?? (slug === STARTS_AT_3 ? "3" : undefined);
  return {
    ...(from !== undefined && { from }),
    ...(range.from !== undefined && !fromInclusive && { fromExclusive: true }),
    to,
    ...(toInclusive && { toInclusive }),
    ...(edition !== undefined && { edition }),
  };
}
const sorted = (range: object): string =>
  JSON.stringify(Object.entries(range).toSorted(([left], [right]) => left.localeCompare(right)));

/** Has a record by later reference data. */
const AZURE_LINUX = /^(?:azurelinux|(?:cbl-)?mariner)$/;

describeWithShared("operating systems", "upstream/os-map.json", () => {
  test("resolve each name to its product", () => {
    const map = read<Readonly<Record<string, readonly string[]>>>("os-map.json");
    for (const [name, row] of Object.entries(map)) {
      if (name === "_rolling_or_absent")
        for (const each of row.filter((name) => !AZURE_LINUX.test(name)))
          expect(catalogue.operatingSystem(each), each).toBe("rolling");
      else if (!name.startsWith("_")) expect(catalogue.operatingSystem(name), name).toMatchObject({ product: row[0] });
    }
  });
});
