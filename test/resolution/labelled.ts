/**
 * The labelled set: the correct answer for each component, with the reason. Labels come from knowledge of the software in
 * real documents and known pitfalls, never from the resolver. One file per theme, one case per row, five columns.
 */
import { readdirSync, readFileSync } from "node:fs";
import { asIsoDate, asPurl } from "../../src/text/ids.ts";
import type { Catalogue, Component, ComponentKind, Resolution, SbomDocument, Tracer } from "../../src/model/index.ts";
import { createResolver } from "../../src/resolve/resolve.ts";

export interface LabelledCase {
  readonly file: string;
  /** `purl`, `purls`, `name`, `os`, `model`, `cpe`, `root`, `file`, `data`. */
  readonly kind: string;
  readonly subject: string;
  /** `os=debian 12`, `with=PURL` (another component), `supplier=…`, `strict`, …, parted by semicolons. */
  readonly context: readonly string[];
  /** `slug:cycle`, `slug:cycle by slug:cycle`, `distro-maintained slug:cycle`, `none reason [slug]`, `n/a why`. */
  readonly expected: string;
  readonly why: string;
}

/** The day on which every labelled case is assessed. */
export const AS_OF = asIsoDate("2026-11-22");

const folder = new URL("./", import.meta.url);

export const LABELLED: readonly LabelledCase[] = readdirSync(folder)
  .filter((file) => file.endsWith(".tsv"))
  .sort()
  .flatMap((file) => readCases(folder, file));

export function readCases(directory: URL, file: string): readonly LabelledCase[] {
  return readFileSync(new URL(file, directory), "utf8").trimEnd().split("\n").slice(1).map(toCase(file));
}

function toCase(file: string): (row: string) => LabelledCase {
  return (row) => {
    const [kind = "", subject = "", context = "", expected = "", why = "", ...rest] = row.split("\t");
    if (why === "" || rest.length > 0) throw new Error(`${file}: a row without its five columns: ${row}`);
    return { file, kind, subject, context: context.split(";").filter((word) => word !== ""), expected, why };
  };
}

/** The resolver's answer for a case, in the form of the column `expected`. */
export function answer(labelled: LabelledCase, catalogue: Catalogue, trace?: Tracer): string {
  const strict = labelled.context.includes("strict");
  const resolve = createResolver(catalogue, documentOf(labelled), { strict, asOf: AS_OF });
  return describeResolution(resolve(componentOf(labelled), trace));
}

export function describeResolution(resolution: Resolution): string {
  switch (resolution.kind) {
    case "resolved": {
      const { releaseCycle, maintainedBy: by } = resolution;
      return `${releaseCycle.product}:${releaseCycle.cycle}${by ? ` by ${by.product}:${by.cycle}` : ""}`;
    }
    case "distro-maintained":
      return `distro-maintained ${resolution.by.product}:${resolution.by.cycle}`;
    case "unmatched":
      return `none ${resolution.reason}${resolution.product ? ` ${resolution.product}` : ""}`;
    case "not-applicable":
      return `n/a ${resolution.why}`;
  }
}

const KINDS: Readonly<Record<string, ComponentKind>> = {
  os: "operating-system",
  model: "model",
  root: "root",
  file: "file",
  data: "data",
};

export function componentOf({ kind, subject, context }: Pick<LabelledCase, "kind" | "subject" | "context">): Component {
  const contextValue = (key: string): string | undefined =>
    context.find((word) => word.startsWith(`${key}=`))?.slice(key.length + 1);
  const at = subject.lastIndexOf("@");
  const named = kind !== "purl" && kind !== "purls" && kind !== "cpe";
  const version = named ? subject.slice(at + 1) : contextValue("version");
  const purls =
    kind === "purls" ? subject.split(" ") : kind === "purl" ? [subject] : [contextValue("purl") ?? []].flat();
  const [group, supplier, publisher] = [contextValue("group"), contextValue("supplier"), contextValue("publisher")];
  const moduleLabel = contextValue("module");
  return {
    pointer: "/components/0",
    span: { start: 0, end: 0 },
    kind: KINDS[kind] ?? "other",
    name: named ? subject.slice(0, at) : (contextValue("name") ?? "component"),
    ...(version !== undefined && version !== "" && { version }),
    ...(group !== undefined && { group }),
    ...(supplier !== undefined && { supplier }),
    ...(publisher !== undefined && { publisher }),
    ...(moduleLabel !== undefined && { moduleLabel }),
    purls: purls.map(asPurl),
    cpes: kind === "cpe" ? [subject] : [],
    licenses: [],
    declared: [],
  };
}

/** A document of the operating systems and packages that the context names. */
export function documentOf({ context }: Pick<LabelledCase, "context">): SbomDocument {
  const valuesOf = (name: string) =>
    context.filter((word) => word.startsWith(`${name}=`)).map((word) => word.slice(name.length + 1));
  return {
    format: "CycloneDX",
    specVersion: "1.6",
    wrappers: [],
    signed: false,
    components: [
      ...valuesOf("os").map((system) => componentOf({ kind: "os", subject: system.replace(" ", "@"), context: [] })),
      ...valuesOf("with").map((subject) => componentOf({ kind: "purl", subject, context: [] })),
    ],
    roots: [],
    dependencies: new Map(),
    position: () => ({ line: 1, column: 1 }),
  };
}
