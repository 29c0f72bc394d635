/** Decides whether a check is a run over many documents, and plans it. Kept small, because every check loads it. */
import { isFolder } from "../../platform/file-status.ts";
import { resolve } from "node:path";
import { EolgateError } from "../../messages/error.ts";
import { formatNumber } from "../../messages/format.ts";
import type { FailedDocument } from "../../model/index.ts";
import { expandFiles } from "../../api/input.ts";
import type { Invocation } from "../../shell/command.ts";
import { listValue, type Settings, stringValue } from "../../shell/settings.ts";
import type { CheckTargets } from "../inputs/targets.ts";
import type { PlannedOutputs } from "../planned-outputs.ts";

export interface Fleet {
  /** In the order in which they are reported. */
  readonly files: readonly string[];
  /** Folders of a pattern that cannot be read. */
  readonly failed: readonly FailedDocument[];
  readonly format: "ndjson" | "table";
  readonly outputs: PlannedOutputs;
  /** Undefined for the number of cores. */
  readonly jobs: number | undefined;
}

/** Above this number of documents, a run does not keep all of them in memory, and its table has one line for each. */
const MANY = 20;

/**
 * Plans a run over many documents; undefined for an ordinary check: few documents, or outputs that need all documents
 * at once.
 * @throws EolgateError `invalid-usage` when a flag requires a run over many documents and another one excludes it
 */
export async function planFleet(
  { io, flags }: Invocation,
  settings: Settings,
  outputs: PlannedOutputs,
  targets: CheckTargets,
): Promise<Fleet | undefined> {
  const { values } = settings;
  const flag = FLEET_KEYS.find((key) => stringValue((key === "jobs" ? flags : values)[key]) !== undefined);
  if (flag === undefined && isOneName(targets)) return undefined;
  const { files, failed } = await expandFiles(targets.names, io.cwd);
  const reason = obstacle(settings, outputs) ?? targetObstacle(targets, files, io.cwd);
  if (flag === undefined && (reason !== undefined || files.length <= MANY)) return undefined;
  if (reason !== undefined) throw unsuitable(`--${flag ?? ""}`, reason);
  return {
    files: part(files, stringValue(values["shard"])),
    failed,
    format: outputs.format === "ndjson" ? "ndjson" : "table",
    outputs,
    jobs: jobsOf(stringValue(values["jobs"])),
  };
}

/** @throws EolgateError `invalid-usage` when all repositories of an owner are checked together with other targets */
export function requireOwnerAlone(settings: Settings, outputs: PlannedOutputs, targets: CheckTargets): void {
  const { names, stack, images } = targets;
  const others = [...names, ...images.names, ...images.rootFolders].length > 0 || stack !== undefined;
  const reason = obstacle(settings, outputs) ?? (others ? "other targets need a separate check" : undefined);
  if (reason !== undefined) throw unsuitable("--github OWNER", reason);
}

/**
 * Settings that require a run over many documents. EOLGATE_JOBS does not, because it may be set for a whole machine.
 */
const FLEET_KEYS = ["jobs", "shard"];

const isOneName = ({ names: [name = "", ...others] }: CheckTargets): boolean =>
  others.length === 0 && !/[*?{[]/.test(name);

const ROW_KEYS = ["groupBy", "only", "top", "sort"];

/** Why the documents cannot be checked one by one; undefined when they can. */
function obstacle({ values }: Settings, { format, reports, months }: PlannedOutputs): string | undefined {
  const [report] = reports;
  const allAtOnce = [
    ...(format === "table" || format === "ndjson" ? [] : [`the format ${format}`]),
    ...(report === undefined ? [] : [`--report ${report.format}=${report.path}`]),
    ...(months === undefined ? [] : ["--forecast"]),
    ...(stringValue(values["baseline"]) === undefined ? [] : ["--baseline"]),
  ];
  if (allAtOnce[0] !== undefined) return `${allAtOnce[0]} needs all documents in memory`;
  return ROW_KEYS.some((key) => listValue(values[key]).length > 0)
    ? "the table has one line for each document, without the rows that --group-by, --only, --top and --sort choose"
    : undefined;
}

function targetObstacle(
  { stack, images, github }: CheckTargets,
  files: readonly string[],
  cwd: string,
): string | undefined {
  if (stack !== undefined) return "--stack does not name documents";
  if (images.names.length > 0) return "--image does not name documents";
  if (images.rootFolders.length > 0) return "--rootfs does not name documents";
  if (github !== undefined) return "--github names a single repository";
  if (files.includes("-")) return "standard input can be read only once";
  const folder = files.find((file) => isFolder(resolve(cwd, file)));
  return folder === undefined ? undefined : `${folder} is a folder`;
}

const unsuitable = (flag: string, reason: string): EolgateError =>
  EolgateError.of("invalid-usage", {
    problem: `${flag} checks documents one at a time, but ${reason}`,
    advice: "Use --format ndjson or table, put {document} in the paths of reports, and name files as targets.",
  });

const MAX_JOBS = 256;

/** The value of `--jobs`. @throws EolgateError `invalid-value` */
export function jobsOf(written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  const jobs = /^[1-9]\d{0,2}$/.test(written) ? Number(written) : 0;
  if (jobs >= 1 && jobs <= MAX_JOBS) return jobs;
  throw EolgateError.of("invalid-value", {
    problem: `"${written}" is not a number of jobs`,
    advice: "Use a whole number from 1 to 256: --jobs 4",
  }).at("--jobs");
}

/**
 * The documents of a shard: for `2/8` every eighth one, starting with the second. Each document is in exactly one
 * shard. `1+1/8` means the same, for schedulers that count from 0 and start no shell that could add.
 * @throws EolgateError `invalid-value`, `invalid-usage`
 */
export function part<Subject>(files: readonly Subject[], written: string | undefined): readonly Subject[] {
  if (written === undefined) return files;
  const [, number = "", plus, total = ""] = /^(\d{1,5})(\+1)?\/(\d{1,5})$/.exec(written) ?? [];
  const [index, count] = [Number(number) + (plus === undefined ? 0 : 1), Number(total)];
  if (index < 1 || index > count)
    throw EolgateError.of("invalid-value", {
      problem: `"${written}" is not a shard`,
      advice: "Write the number of the shard and the number of shards: --shard 2/8 is the second of eight.",
    }).at("--shard");
  const chosen = files.filter((_, at) => at % count === index - 1);
  if (chosen.length > 0) return chosen;
  throw EolgateError.of("invalid-usage", {
    problem: `shard ${written} is empty: there are only ${formatNumber(files.length)} documents`,
    advice: "Use at most as many shards as there are documents.",
  }).at("--shard");
}
