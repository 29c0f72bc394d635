/** The parts of a statement about a verdict that are not in its report: subjects by digest, and the days on which it holds. */
import type { DocumentReport, Report, StatementParts, StatementSubject, Validity } from "../model/index.ts";
import { createSha256 } from "../platform/file-source.ts";
import { byText } from "../text/values.ts";
import type { ValidityContext } from "./validity.ts";

/** Adds what a statement needs. Without a context, nothing is known beyond the day of the check. */
export async function withStatement(report: Report, context?: ValidityContext): Promise<Report> {
  const validity =
    context === undefined ? notComputed(report) : await (await import("./validity.ts")).validityOf(report, context);
  return { ...report, statement: { validity, subjects: subjectsOf(report), sha256 } };
}

const notComputed = ({ asOf }: Report): Validity => ({ validUntil: asOf, exitCodeUntil: asOf, limit: "not-computed" });

const sha256: StatementParts["sha256"] = (pieces) => {
  const hash = createSha256();
  for (const piece of pieces) hash.update(piece);
  return hash.digest("hex");
};

/** The checked artefacts, each digest once. */
function subjectsOf(report: Report): readonly StatementSubject[] {
  const gates = Map.groupBy(report.documents, ({ file, partOf }) => partOf ?? file);
  const subjects = [...gates].flatMap(([name, documents]) => subjectsOfGate(name, documents, report));
  return [...new Map(subjects.map((subject) => [JSON.stringify(subject.digest), subject])).values()];
}

function subjectsOfGate(
  name: string,
  documents: readonly DocumentReport[],
  { images = [] }: Report,
): readonly StatementSubject[] {
  const image = images.find((each) => each.image === name);
  if (image?.digest) return [subject(name, image.digest)];
  const [only] = documents;
  if (only !== undefined && only.partOf === undefined) return [subject(name, only.digest())];
  return [{ name, digest: { sha256: sha256([listing(documents)]) } }];
}

/** The files that were read from a folder, as `sha256sum` lists them. */
const listing = (documents: readonly DocumentReport[]): string =>
  documents
    .map(({ file, digest }) => ({ file, digest: digest().replace("sha256:", "") }))
    .toSorted((one, other) => byText(one.file, other.file))
    .map(({ file, digest }) => `${digest}  ${file}\n`)
    .join("");

function subject(name: string, digest: string): StatementSubject {
  const [algorithm = "", value = ""] = digest.split(":", 2);
  return { name, digest: { [algorithm]: value } };
}
