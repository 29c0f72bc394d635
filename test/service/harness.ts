/** Test harness of the service: an embedded store in a temporary folder, a clock that tests move, a catalogue. */
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asIsoDate, asProductSlug } from "../../src/text/ids.ts";
import type { Catalogue, End, LifecycleDate, Product, ReleaseCycle } from "../../src/model/index.ts";
import { parseSecrets } from "../../src/service/keys/secret.ts";
import { openStore } from "../../src/service/store/open.ts";
import type { Store } from "../../src/service/store/store.ts";

export const SECRETS = parseSecrets(`1:${"test-only-".repeat(5)}`, "test");

export interface TestClock {
  (): number;
  set(instant: string): void;
  add(milliseconds: number): void;
}

export function clockAt(instant: string): TestClock {
  let now = Date.parse(instant);
  return Object.assign(() => now, {
    set: (next: string) => void (now = Date.parse(next)),
    add: (milliseconds: number) => void (now += milliseconds),
  });
}

export interface StoreFixture {
  readonly store: Store;
  readonly folder: string;
  /** Opens the same store again, as another process would. */
  again(): Promise<Store>;
  close(): Promise<void>;
}

export async function testStore(): Promise<StoreFixture> {
  const folder = mkdtempSync(join(tmpdir(), "eolgate-test-"));
  const open = (): Promise<Store> => openStore({ kind: "embedded", folder }, 0);
  const opened = [await open()];
  const [store] = opened;
  if (!store) throw new Error("no store");
  return {
    store,
    folder,
    async again() {
      const other = await open();
      opened.push(other);
      return other;
    },
    async close() {
      for (const each of opened) await each.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** `slug:cycle` → its end: a day, a month (`2027-04`), `open`, `ended` or `unknown`. */
export type ProductCycles = Readonly<Record<string, string>>;

/** A catalogue of fictional release cycles; `kev` gives the CVEs of a product. */
export function catalogueOf(ends: ProductCycles, kev: Readonly<Record<string, readonly string[]>> = {}): Catalogue {
  const products = new Map<string, Product>();
  for (const [key, end] of Object.entries(ends)) {
    const [slug = "", cycle = ""] = key.split(":");
    const known = products.get(slug);
    products.set(slug, productOf(slug, [...(known?.cycles ?? []), cycleOf(cycle, end)], kev[slug] ?? []));
  }
  const day = asIsoDate("2026-01-01");
  return {
    metadata: { date: day, digest: `sha256:${"0".repeat(64)}`, purlMapDate: day, kevVersion: "test", origin: "test" },
    product: (slug) => products.get(slug),
    purl: nothing,
    named: () => [],
    cpe: nothing,
    model: () => [],
    operatingSystem: nothing,
    packageEnd: nothing,
    facts: loadCatalogue().facts,
    slugs: () => [...products.keys()].map(asProductSlug),
  };
}

const nothing = (): undefined => undefined;

function productOf(slug: string, cycles: readonly ReleaseCycle[], cves: readonly string[]): Product {
  const added = asIsoDate("2026-01-01");
  const entries = cves.map((cve) => ({ cve, added, ransomware: false, basis: "exact" }) as const);
  return {
    slug: asProductSlug(slug),
    name: slug.charAt(0).toUpperCase() + slug.slice(1),
    aliases: [],
    category: "test",
    tags: [],
    attackSurface: "standard",
    record: "custom",
    models: false,
    cycles,
    cpes: [],
    purls: [],
    ...(cves.length > 0 ? { kev: { basis: "exact", entries } } : {}),
    split: new Map(),
  };
}

function cycleOf(name: string, text: string): ReleaseCycle {
  const eol = endOf(text);
  return {
    name,
    lts: false,
    eol,
    claims: [
      {
        kind: "custom",
        source: "test",
        end: eol,
        url: "https://vendor.example/lifecycle?a=1&b=2",
        retrievedAt: asIsoDate("2026-01-01"),
      },
    ],
    tracks: [],
    rolling: false,
    retired: false,
  };
}

function endOf(text: string): End {
  if (text === "open" || text === "ended" || text === "unknown") return { kind: text };
  const date: LifecycleDate =
    text.length === 7
      ? { value: asIsoDate(`${text}-01`), precision: "month" }
      : { value: asIsoDate(text), precision: "day" };
  return { kind: "dated", date };
}
