/**
 * A reference to an image has one answer, wherever it is written. For the repositories of publishers, each with tags of its own
 * form: a line of a Dockerfile, a service of a compose file, a Pod, a component of an SBOM as `pkg:docker` and `pkg:oci`,
 * `explain` and `batch`.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { explain } from "../../src/api/explain.ts";
import { createLocal } from "../../src/api/operations/local.ts";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { inventoryKindOf, readInventory } from "../../src/files/read.ts";
import { DEFAULT_POLICY } from "../../src/policy/fields.ts";
import { evaluatePolicy } from "../../src/policy/evaluate.ts";
import { hasCycle } from "../../src/resolve/unresolved.ts";
import { assessComponent, createAssessContext, purlComponent } from "../../src/resolve/answer.ts";
import type { AssessedComponent, Finding } from "../../src/model/index.ts";
import { asIsoDate, cycleKey } from "../../src/text/ids.ts";
import { linksUnder } from "../../src/wire/links.ts";
import { describeWithShared } from "../shared.ts";
import { soaked } from "../soaked.ts";

const asOf = asIsoDate("2026-11-28");
const catalogue = loadCatalogue();
const answers = createAssessContext(catalogue, { strict: false, asOf });
const local = createLocal({ catalogue, asOf, links: linksUnder("https://example.org") });

interface ListedImage {
  readonly repository: string;
  readonly slug: string | null;
  readonly os: readonly (readonly unknown[])[];
  readonly bare: { readonly latest?: string | null } | null;
  readonly floating: Readonly<Record<string, unknown>> | null;
}

const numberIn = (cycle: string | undefined): string | undefined => /^\d+(?:\.\d+)*$/.exec(cycle ?? "")?.[0];

/** The tags of an image: its newest and an old version, alone and with the systems of its own tags and of others. */
function tagsOf({ slug, os, bare, floating }: ListedImage): readonly string[] {
  const cycles = catalogue.product(slug ?? "")?.cycles ?? [];
  const versions = [bare?.latest, ...[cycles[0], cycles.at(-1)].map((cycle) => numberIn(cycle?.name))];
  const listed = os.map(([form]) => form).filter((form) => typeof form === "string");
  const forms = [...new Set([listed[0], listed.at(-1), "VERSION", "VERSION-slim-buster", "VERSION-alpine3.12"])];
  const tags = versions.flatMap((version) =>
    version === undefined || version === null
      ? []
      : forms.flatMap((form) => (form === undefined ? [] : [form.replace("VERSION", version)])),
  );
  return [...new Set([...tags, ...Object.keys(floating ?? {}).slice(0, 1), "bookworm"])].filter((tag) =>
    /^\w[\w.-]*$/.test(tag),
  );
}

const FILES: Readonly<Record<string, (image: string) => string>> = {
  Dockerfile: (image) => `FROM ${image}\n`,
  "compose.yaml": (image) => `services:\n  a:\n    image: ${JSON.stringify(image)}\n`,
  "pod.yaml": (image) =>
    `apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\nspec:\n  containers:\n    - name: a\n      image: ${JSON.stringify(image)}\n`,
};

async function rowsIn(file: string, image: string): Promise<readonly AssessedComponent[]> {
  const kind = inventoryKindOf(file, () => FILES[file]?.(image));
  if (kind === undefined) throw new TypeError(`${file} has readers`);
  const text = FILES[file]?.(image) ?? "";
  const { components } = await readInventory(kind, new TextEncoder().encode(text), catalogue.facts);
  return Array.from(components, (component) => assessComponent(component, answers));
}

const evaluated = (rows: readonly AssessedComponent[]): readonly Finding[] =>
  evaluatePolicy(rows, DEFAULT_POLICY, asOf).findings;

/** What a row states; the end is that of the support that counts. */
function stated({ resolution, assessment, outcome }: Finding): string {
  const { severity, condition } = outcome;
  const cycle = resolution.kind === "resolved" ? Object.values(resolution.releaseCycle) : resolution.kind;
  return JSON.stringify([
    cycle,
    assessment?.score,
    assessment?.kevBasis,
    outcome.assessment?.support.date?.value,
    severity,
    condition,
  ]);
}

/** What decides a row: the release cycle, or the distribution that maintains it. */
const cycleOf = ({ resolution }: Finding): string =>
  hasCycle(resolution)
    ? cycleKey(resolution.kind === "resolved" ? resolution.releaseCycle : resolution.by)
    : resolution.kind;

/** The image itself as purls: the registry is in `repository_url`. */
function purlsOf(repository: string, tag: string): readonly string[] {
  const [host = "", ...path] = repository.split("/");
  const isHub = host === "docker.io";
  return [
    `pkg:docker/${path.join("/")}@${tag}${isHub ? "" : `?repository_url=${host}`}`,
    `pkg:oci/${path.at(-1) ?? ""}@sha256:0123?repository_url=${repository}&tag=${tag}`,
  ];
}

type Difference = (surface: string, is: string, own: string) => void;

/** Compares the rows of files with each other, and the only row of a purl with those that a file has for the same reference. */
async function compare(repository: string, tag: string, differs: Difference): Promise<void> {
  const line = evaluated(await rowsIn("Dockerfile", `${repository}:${tag}`));
  const rows = line.map(stated).join();
  for (const file of Object.keys(FILES)) {
    const others = evaluated(await rowsIn(file, `${repository}:${tag}`)).map(stated);
    if (others.join() !== rows) differs(file, others.join(), rows);
  }
  const worst = ["fail", "warn"].find((severity) => line.some(({ outcome }) => outcome.severity === severity));
  const open = line.filter(({ outcome }) => outcome.severity === worst).map(cycleOf);
  const own = line[0] && stated(line[0]);
  for (const purl of purlsOf(repository, tag)) {
    const [row] = evaluated([assessComponent(purlComponent(purl), answers)]);
    if (row === undefined) throw new TypeError("each component has a row");
    const isOpen = row.outcome.severity === worst && open.includes(cycleOf(row));
    if (open.length > 0 ? !isOpen : stated(row) !== own) differs(purl, stated(row), rows);
    const explained = explain(purl, { catalogue, policy: DEFAULT_POLICY, asOf }).finding;
    if (stated(explained) !== stated(row)) differs(`explain ${purl}`, stated(explained), stated(row));
    const [batch] = await local.batch({ products: [{ purl }] });
    const { product, version, score } = { product: null, version: null, score: null, ...batch };
    const { releaseCycle, score: ownScore } = row.assessment ?? { releaseCycle: undefined, score: null };
    const expected =
      row.resolution.kind === "resolved" ? [releaseCycle?.product, releaseCycle?.cycle, ownScore] : [null, null, null];
    if (JSON.stringify([product, version, score]) !== JSON.stringify(expected))
      differs(`batch ${purl}`, JSON.stringify([product, version, score]), JSON.stringify(expected));
  }
}

describeWithShared("the images of publishers", "upstream/image-names.json", (url) => {
  test("have one answer wherever they are written", { timeout: 600_000 }, async () => {
    const { images }: { readonly images: readonly ListedImage[] } = JSON.parse(readFileSync(url, "utf8"));
    const differences: string[] = [];
    let asked = 0;
    for (const [at, image] of images.entries())
      for (const tag of tagsOf(image).filter((__, each) => soaked((each + at) % 10 === 0, true))) {
        asked += 1;
        await compare(image.repository, tag, (surface, is, own) => {
          differences.push(`${image.repository}:${tag}: ${surface} ${is}, Dockerfile ${own}`);
        });
      }
    expect(differences).toEqual([]);
    expect(asked).toBeGreaterThan(soaked(800, 9_000));
  });
});
