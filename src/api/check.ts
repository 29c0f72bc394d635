/**
 * The main path: bytes in, a report out. Read, resolve, assess, evaluate the policy, report: one call per step, for the
 * command line, the server, the Action and the library alike. A hosted check replaces the assess step.
 */
import { EolgateError } from "../messages/error.ts";
import { orNotRead } from "../messages/not-read.ts";
import { exitFor, reportableVerdict } from "../policy/exit.ts";
import { rowsOfComponents, toComponents, toFindings, toRows } from "../policy/rows.ts";
import { evaluateRows } from "../policy/evaluate.ts";
import { mergeVerdicts, withDocument } from "../policy/verdict.ts";
import { daysBetween } from "../lifecycle/days.ts";
import type {
  Advice,
  Assessed,
  AssessedComponent,
  Catalogue,
  ComponentDocument,
  ComponentRows,
  ContributionKind,
  CycleRef,
  DocumentReport,
  FailedDocument,
  Finding,
  Forecast,
  Labels,
  ParsedDocument,
  Policy,
  Report,
  Resolution,
} from "../model/index.ts";
import { type AssessContext, assessComponent, catalogueAssessments, createAssessContext } from "../resolve/answer.ts";
import { openSbom } from "../sbom/open.ts";
import { subjectOf } from "../sbom/subject.ts";
import { isProjectFile } from "../report/inputs.ts";
import type { Assess } from "./assess.ts";
import { compareAnswers, contributionsTo, type WithoutRepository } from "../policy/contributions.ts";
import { type RequirementContext, withRequirements } from "./requirements.ts";
import { type Input, type InventoryInput, collectFailure } from "./input.ts";
import type { Baseline } from "../compare/difference.ts";
import type { IsoDate } from "../text/ids.ts";
import { rememberedOf } from "../text/values.ts";
import { upgradeAdvice } from "../compare/upgrade-targets.ts";
import { withOwnPackages } from "../resolve/own-package.ts";
import { cycleByName } from "../resolve/version/resolve.ts";
import { compilePrivatePatterns } from "../support/subject.ts";

export interface CheckContext extends SupplementOptions {
  readonly tool: Report["tool"];
  readonly links: Report["links"];
  readonly settings?: Report["settings"];
  readonly folders?: Report["folders"];
  /** The contents of the checked images, for the report. */
  readonly images?: Report["images"];
  /** Local, or by a service. */
  readonly assess: Assess;
  /** The labels of a document by its name in reports. */
  readonly labels?: ((file: string) => Labels) | undefined;
  /** The same check without files of the checked repository. Absent: there are none. */
  readonly without?: CheckWithout | undefined;
  /** Adds the support level to each component, if the policy requires signals. */
  readonly determineSupport?:
    | ((components: readonly AssessedComponent[]) => Promise<readonly AssessedComponent[]>)
    | undefined;
}

/** The same check without files of the checked repository. */
export interface CheckWithout extends WithoutRepository {
  readonly assess: Assess;
}

/** The part of the context that one document needs. */
export type DocumentContext = Pick<
  CheckContext,
  "catalogue" | "policy" | "asOf" | "assess" | "determineSupport" | "baseline" | "labels" | "without"
>;

/** An input with its bytes, an input that was already read, or the reason why it could not be read. */
export type CheckInput = Input | InventoryInput | FailedDocument;

export async function checkDocuments(inputs: readonly CheckInput[], context: CheckContext): Promise<Report> {
  const outcomes = [];
  for (const input of inputs)
    outcomes.push("error" in input ? input : await collectFailure(input.file, () => checkDocument(input, context)));
  return toReport(outcomes, context);
}

export async function checkDocument(input: Input | InventoryInput, context: DocumentContext): Promise<DocumentReport> {
  const document = await readDocument(input, context);
  const candidates = await assessComponents(input, document, context);
  const given = evaluateRows(candidates, context.policy, context.asOf, context.baseline?.known);
  const compared = context.without && (await compare(input, document, { candidates, given, context }));
  const { rows, verdict } = compared ?? given;
  requireUnchanged(input);
  return {
    file: input.file,
    digest: input.digest,
    gzipped: "gzipped" in input && input.gzipped,
    document,
    rows,
    verdict: withDocument(verdict, rows, document, context.policy),
    ...("partOf" in input ? { partOf: input.partOf } : {}),
    subject: { ...subjectOf(document), ...input.subject },
    labels: { ...input.labels, ...context.labels?.(input.path ?? input.file) },
    ...(compared && { contributions: compared.contributions }),
  };
}

/** The components of a document with all that the policy needs to know of them. */
async function assessComponents(
  input: Input | InventoryInput,
  document: ParsedDocument,
  context: DocumentContext,
): Promise<ComponentRows<Assessed>> {
  const { answers, resolutions } = resolveComponents(document, context);
  const assessed = await context.assess({
    document,
    resolutions,
    bytes: "bytes" in input ? input.bytes : undefined,
  });
  return withSupport(withRequirements(assessed, requirementContext(document, answers, context)), context);
}

interface Given {
  readonly candidates: ComponentRows<Assessed>;
  readonly given: ReturnType<typeof evaluateRows>;
  readonly context: DocumentContext;
}

/** Evaluates again without files of the repository. Components are assessed again only if that could differ. */
async function compare(input: Input | InventoryInput, document: ParsedDocument, { candidates, given, context }: Given) {
  const { catalogue, policy, asOf, without } = context;
  if (without === undefined) return undefined;
  const isSame =
    without.catalogue === catalogue &&
    without.asOf === asOf &&
    without.policy.strict === policy.strict &&
    without.policy.distroPackages === policy.distroPackages;
  const base = isSame ? candidates : await assessComponents(input, document, { ...context, ...without });
  return compareAnswers(given, evaluateRows(base, without.policy, without.asOf).rows, policy, without);
}

async function withSupport(
  assessed: ComponentRows<Assessed>,
  { determineSupport }: DocumentContext,
): Promise<ComponentRows<Assessed>> {
  return determineSupport ? rowsOfComponents(await determineSupport(toComponents(assessed))) : assessed;
}

/** Refuses a file that was changed while it was read in pieces. */
function requireUnchanged(input: Input | InventoryInput): void {
  if ("source" in input) input.source?.requireUnchanged?.();
}

async function readDocument(
  input: Input | InventoryInput,
  { policy }: Pick<DocumentContext, "policy">,
): Promise<ParsedDocument> {
  const document =
    "document" in input ? input.document : await orNotRead(() => openSbom(input.source ?? input.bytes()));
  if (isEmpty(document) && !policy.allowEmpty) throw empty(document);
  return document;
}

function resolveComponents(
  document: ParsedDocument,
  {
    catalogue,
    policy: { strict, distroPackages, privatePackages },
    asOf,
  }: Pick<DocumentContext, "catalogue" | "policy" | "asOf">,
): { readonly answers: AssessContext; readonly resolutions: ComponentRows<Resolution> } {
  const answers = createAssessContext(catalogue, { document, strict, asOf, distroPackages });
  const withOwn = withOwnPackages(
    document,
    privatePackages.length > 0 ? compilePrivatePatterns(privatePackages) : undefined,
  );
  return {
    answers,
    resolutions: toRows(document.components, (component) => withOwn(component, answers.resolve(component))),
  };
}

function requirementContext(
  document: ParsedDocument,
  answers: AssessContext,
  { catalogue, policy, asOf }: Pick<DocumentContext, "catalogue" | "policy" | "asOf">,
): RequirementContext {
  return {
    document,
    policy,
    catalogue,
    assessCycle: catalogueAssessments(catalogue, asOf).known,
    assess(component) {
      const { resolution, assessment } = assessComponent(component, answers);
      return resolution.kind === "resolved" ? assessment : undefined;
    },
  };
}

function toReport(outcomes: readonly (DocumentReport | FailedDocument)[], context: CheckContext): Report {
  const { catalogue, policy, asOf, tool, links, settings, folders = [], images = [] } = context;
  const documents = outcomes.filter((outcome) => "document" in outcome);
  const failed = outcomes.filter((outcome) => "error" in outcome);
  const found = mergeVerdicts(documents.map((each) => each.verdict));
  const exitUnder = (other: Policy): Report["exit"] => exitFor(documents, failed, found, other);
  const exit = exitUnder(policy);
  return {
    tool,
    asOf,
    policy,
    ...(settings && { settings }),
    catalogue: { ...catalogue.metadata, ageDays: daysBetween(catalogue.metadata.date, asOf) },
    documents,
    failed,
    ...(folders.length > 0 && { folders }),
    ...(images.length > 0 && { images }),
    verdict: reportableVerdict(found, exit),
    exit,
    ...(context.without && {
      contributions: contributionsTo({ documents, folders, exit, exitUnder, policy }, context.without),
    }),
    ...reportSupplements(documents, context),
    links,
  };
}

/**
 * One report for each document, as if it had been checked alone. Documents that could not be read have none. A waiver
 * that one document does not use may be used by another, so none is reported as unused.
 */
export function documentReports(report: Report): readonly Report[] {
  return report.documents.map((document) => {
    const waivers = { ...document.verdict.waivers, unused: [] };
    const exit = exitFor([document], [], document.verdict, report.policy);
    const verdict = { ...reportableVerdict(document.verdict, exit), waivers };
    const contributions = document.contributions && {
      contributions: [
        ...document.contributions,
        ...(report.contributions ?? []).filter(({ kind }) => OF_RUN.has(kind)),
      ],
    };
    return { ...report, ...contributions, documents: [document], failed: [], verdict, exit };
  });
}

/** Contributions that concern no single document. */
const OF_RUN: ReadonlySet<ContributionKind> = new Set(["exclude", "exit", "settings"]);

/** Whether a document has no components except the described software itself, such as a VEX. */
function isEmpty({ components }: ComponentDocument): boolean {
  for (const { kind } of components) if (kind !== "root") return false;
  return true;
}

function empty(document: ComponentDocument): EolgateError {
  const { format, specVersion } = document;
  const problem = `the ${isProjectFile(document) ? `${specVersion} file` : `${format} ${specVersion} document`} has no components`;
  if (format !== "image") return EolgateError.of("no-components", { problem });
  return EolgateError.of("no-components", {
    problem: "it has no operating system, no packages, no runtime and no SBOM that can be read",
    advice:
      "Check the SBOM of a scanner instead: syft IMAGE -o cyclonedx-json | eolgate check -. A folder with a project is not a root file system: eolgate check FOLDER.",
  });
}

export interface SupplementOptions {
  readonly catalogue: Catalogue;
  readonly policy: Policy;
  readonly asOf: IsoDate;
  readonly baseline?: Baseline | undefined;
  /** Looks ahead from these findings; absent when it was not requested. */
  readonly forecast?: ((findings: readonly Finding[]) => Forecast) | undefined;
}

export function reportSupplements(
  scans: readonly DocumentReport[],
  setting: SupplementOptions,
): Pick<Report, "advice" | "comparison" | "forecast" | "newest"> {
  const { baseline, forecast } = setting;
  const findings = baseline || forecast ? scans.flatMap(({ rows }) => toFindings(rows)) : [];
  return {
    advice: rememberedOf((releaseCycle) => adviceOn(releaseCycle, setting)),
    newest: setting.catalogue.newest,
    ...(baseline && { comparison: baseline.compare(findings) }),
    ...(forecast && { forecast: forecast(findings) }),
  };
}

function adviceOn(
  { product: slug, cycle: name }: CycleRef,
  { catalogue, asOf }: SupplementOptions,
): Advice | undefined {
  const product = catalogue.product(slug);
  const cycle = product && cycleByName(product, name, asOf);
  return product && cycle && upgradeAdvice(product, cycle, asOf);
}
