/**
 * The JSON of xeol (xeol/presenter/models: document, match, cycle, package), which DefectDojo and others import: one match
 * for each ended component that is not waived. Field names and their letter case are xeol's.
 */
import type { Assessment, Finding, PackageEnd, Report } from "../model/index.ts";
import { packageEndIn } from "../policy/deciding.ts";
import { notesByTitle } from "./notes.ts";
import { escapeJson as escaped } from "./escape.ts";
import type { Reporter } from "./reporter.ts";
import { byText } from "../text/values.ts";
import { reportRows, type ScanRows } from "./rows.ts";

export const xeol: Reporter = (report) => {
  const scans = reportRows(report);
  const notes = notesByTitle(report);
  const document = {
    matches: scans.flatMap((scan) => matches(report, scan)),
    source: { type: "file", target: report.documents.map(({ file }) => file).join(", ") },
    distro: distro(report),
    descriptor: {
      name: report.tool.name,
      version: report.tool.version,
      ...(notes.length > 0 && { configuration: Object.fromEntries(notes) }),
    },
  };
  return `${escaped(JSON.stringify(document, null, 1))}\n`;
};

function matches(report: Report, { scan, rows }: ScanRows) {
  return rows
    .flatMap((row) =>
      (row.assessment?.support.status === "eol" || packageEndIn(row)) && row.state !== "waived"
        ? row.findings.map((finding) => ({ finding, row }))
        : [],
    )
    .map(({ finding, row: { assessment, outcome } }) => ({
      Cycle: assessment ? cycle(report, assessment, packageEndIn({ findings: [finding], outcome, assessment })) : null,
      Package: NO_PACKAGE,
      artifact: artifact(finding, scan.file),
    }))
    .sort(
      (a, b) =>
        byText(a.artifact.name, b.artifact.name) ||
        byText(a.Cycle?.ReleaseCycle ?? "", b.Cycle?.ReleaseCycle ?? "") ||
        byText(a.artifact.version, b.artifact.version),
    );
}

/** `Eol` is the day, or `true` where no day is known; `own` is the end of a package that its distribution dropped. */
function cycle({ links }: Report, { productName, releaseCycle, cycle, support }: Assessment, own?: PackageEnd) {
  return {
    ProductName: productName,
    ProductPermalink: links.product(releaseCycle.product),
    ReleaseCycle: releaseCycle.cycle,
    Eol: (own ? own.from : support.date?.value) ?? "true",
    LatestRelease: cycle.latest?.name ?? "",
    LatestReleaseDate: cycle.latest?.date ?? "",
    ReleaseDate: cycle.releaseDate?.value ?? "",
  };
}

/** What xeol writes for its internal package, which is always empty. */
const NO_PACKAGE = {
  ID: "",
  Name: "",
  Version: "",
  Locations: {},
  Language: "",
  Licenses: null,
  Type: "",
  CPEs: null,
  PURL: "",
  Upstreams: null,
  MetadataType: "",
  Metadata: null,
};

function artifact({ component }: Finding, file: string) {
  const { group, name, version, purls, cpes, licenses, kind } = component;
  return {
    name: group === undefined ? name : `${group}/${name}`,
    version: version ?? "",
    type: kind === "operating-system" ? "os" : purlType(purls[0]),
    locations: [{ path: file }],
    language: "",
    licenses,
    cpes,
    purl: purls[0] ?? "",
    upstreams: [],
  };
}

const purlType = (purl: string | undefined): string => /^pkg:([a-zA-Z0-9.+-]+)\//.exec(purl ?? "")?.[1] ?? "";

/** The operating system of the documents; empty if there is none, or several. */
function distro({ documents }: Report) {
  const systems = documents.flatMap((scan) =>
    [...scan.document.components].filter(({ kind }) => kind === "operating-system"),
  );
  const [only] = systems;
  if (only === undefined || systems.length > 1) return { name: "", version: "", idLike: [] };
  return { name: only.name, version: only.version ?? "", idLike: [] };
}
