/** The parts of a statement about a verdict that are not in its report: subjects by digest, and the days on which it holds. */
import { relative, resolve } from "node:path";
import type {
  DocumentReport,
  ParsedDocument,
  Report,
  StatementParts,
  StatementSubject,
  Validity,
} from "../model/index.ts";
import { createSha256 } from "../platform/file-source.ts";
import { digestSet } from "../report/in-toto.ts";
import { statedDigests } from "../sbom/subject.ts";
import { byText } from "../text/values.ts";
import type { ValidityContext } from "./validity.ts";

export interface StatementContext extends ValidityContext, Pick<StatementParts, "seal"> {
  readonly cwd: string;
}

/** Adds what a statement needs. Without a context, nothing is known beyond the day of the check. */
export async function withStatement(report: Report, context?: StatementContext): Promise<Report> {
  const validity = context ? await (await import("./validity.ts")).validityOf(report, context) : notComputed(report);
  const gates = [...Map.groupBy(report.documents, ({ file, partOf }) => partOf ?? file)];
  const found = await Promise.all(
    gates.map(([name, documents]) => subjectsOf(name, documents, { report, cwd: context?.cwd })),
  );
  const subjects = new Map(found.flat().map((each) => [JSON.stringify([each.digest, each.annotations]), each]));
  const seal = context?.seal;
  return { ...report, statement: { validity, subjects: [...subjects.values()], sha256, ...(seal && { seal }) } };
}

const notComputed = ({ asOf }: Report): Validity => ({ validUntil: asOf, exitCodeUntil: asOf, limit: "not-computed" });

const sha256: StatementParts["sha256"] = (pieces) => {
  const hash = createSha256();
  for (const piece of pieces) hash.update(piece);
  return hash.digest("hex");
};

interface SubjectContext {
  readonly report: Report;
  /** Absent for a caller of the library, which has no folders. */
  readonly cwd: string | undefined;
}

/** What was checked under one name: an image, a folder, or a document with the artefacts that it states to be about. */
async function subjectsOf(
  name: string,
  documents: readonly DocumentReport[],
  { report: { images = [], folders = [] }, cwd }: SubjectContext,
): Promise<readonly StatementSubject[]> {
  const image = images.find((each) => each.image === name);
  if (image?.digest) return [{ name, digest: digestSet(image.digest) }];
  const [only] = documents;
  if (only !== undefined && only.partOf === undefined)
    return [{ name, digest: digestSet(only.digest()) }, ...statedBy(only)];
  const isFolder = cwd !== undefined && folders.some(({ folder }) => folder === name);
  const commit = isFolder ? await commitOf(name, documents, cwd) : [];
  return [...commit, { name, digest: { sha256: sha256([listing(documents)]) } }];
}

/** The commit is a subject only if its files were checked as they are in it. */
async function commitOf(
  name: string,
  documents: readonly DocumentReport[],
  cwd: string,
): Promise<readonly StatementSubject[]> {
  const { gitState } = await import("./git-state.ts");
  const folder = resolve(cwd, name);
  const files = documents.map(({ file }) => relative(folder, resolve(cwd, file)).replaceAll("\\", "/"));
  const state = await gitState(folder, files);
  return state?.clean === true ? [{ name, digest: { gitCommit: state.commit } }] : [];
}

/** The files that were read from a folder, as `sha256sum` lists them. */
const listing = (documents: readonly DocumentReport[]): string =>
  documents
    .map(({ file, digest }) => ({ file, digest: digest().replace("sha256:", "") }))
    .toSorted((one, other) => byText(one.file, other.file))
    .map(({ file, digest }) => `${digest}  ${file}\n`)
    .join("");

/** The artefacts that an SBOM describes and identifies by a digest: nothing but the document states that it is about them. */
function statedBy({ file, document }: DocumentReport): readonly StatementSubject[] {
  return rootsOf(document).flatMap((root) =>
    statedDigests(root).map((sha256) => ({ name: root.name, digest: { sha256 }, annotations: { statedBy: file } })),
  );
}

function rootsOf({ components }: ParsedDocument) {
  const roots = [];
  for (const component of components) if (component.kind === "root") roots.push(component);
  return roots;
}
