/** `check --github OWNER`: a run over all repositories of an organisation or user. */
import { failedDocument } from "../../api/input.ts";
import { type RepositoryList, listRepositories, readRepository } from "../../api/github/repository.ts";
import { parseGithubTarget, repositoryName, type RepositoryTarget } from "../../api/github/target.ts";
import { EolgateError } from "../../messages/error.ts";
import { formatCount } from "../../messages/format.ts";
import type { Catalogue } from "../../model/index.ts";
import type { Invocation } from "../../shell/command.ts";
import { type Settings, stringValue } from "../../shell/settings.ts";
import { createChecker } from "./checker.ts";
import { checkAll, type RunPlan } from "./check-all.ts";
import { jobsOf, part } from "./plan.ts";
import { formatFailedDocument } from "../start/format-error.ts";
import type { CheckTargets } from "../inputs/targets.ts";
import { type PlannedOutputs, refuseOverwriting } from "../planned-outputs.ts";
import { withSupport } from "../signals.ts";
import { withClient } from "../inputs/github.ts";

/** The number of repositories that are read at the same time. GitHub recommends few concurrent requests. */
const WORKERS = 2;

/** Resolves to the exit code. One line for each repository; a report of all of them is NDJSON. */
export function runOwner(
  invocation: Invocation,
  settings: Settings,
  catalogue: Catalogue,
  { owner, outputs, exclude }: OwnerRun,
): Promise<number> {
  const { io } = invocation;
  refuseOverwriting(outputs.paths, [], settings, io.cwd);
  return withClient(invocation, async (client) => {
    const list = await listRepositories(client, owner);
    io.err(`eolgate: note: ${owner}: ${formatList(list)}\n`);
    const collect = async (name: string) => {
      const { inputs, coverage } = await readRepository(client, repositoryTarget(name), {
        exclude,
        facts: catalogue.facts,
      });
      return { inputs, folders: [coverage], images: [] };
    };
    const plan = ownerPlan(settings, { owner, outputs, exclude }, list);
    const result = await withSupport(io, settings, catalogue, async (determineSupport) => {
      const reports = outputs.documentReports;
      const options = { catalogue, format: plan.format, reports, determineSupport, collect };
      const checker = await createChecker(invocation, settings, options);
      const jobs = jobsOf(stringValue(settings.values["jobs"])) ?? WORKERS;
      const workers = Array.from({ length: jobs }, () => checker.check);
      return checkAll(invocation, settings, plan, { checker, workers });
    });
    for (const failed of result.failed) io.err(formatFailedDocument(failed));
    return result.exit.code;
  });
}

function ownerPlan({ values }: Settings, { owner, outputs }: OwnerRun, { repositories }: RepositoryList): RunPlan {
  return {
    subjects: part(repositories, stringValue(values["shard"])).map(repositoryName),
    failed: [],
    format: outputs.format === "ndjson" ? "ndjson" : "table",
    outputs,
    whenEmpty: failedDocument(owner, EolgateError.of("nothing-to-check", { unread: "" }).at(owner)),
  };
}

function repositoryTarget(name: string): RepositoryTarget {
  const target = parseGithubTarget(name);
  if (target.name !== undefined) return target;
  throw new TypeError(`${name} is not a repository`);
}

export interface OwnerRun {
  readonly owner: string;
  readonly outputs: PlannedOutputs;
  /** Patterns of paths to leave out. */
  readonly exclude: CheckTargets["exclude"]["patterns"];
}

/** `120 repositories; 12 archived, 3 forks and 1 empty are not checked`. */
function formatList({ repositories, skipped }: RepositoryList): string {
  const count = formatCount(repositories.length, "repository", "repositories");
  const parts = [
    ...(skipped.archived > 0 ? [`${String(skipped.archived)} archived`] : []),
    ...(skipped.forks > 0 ? [`${String(skipped.forks)} forked`] : []),
    ...(skipped.empty > 0 ? [`${String(skipped.empty)} empty`] : []),
  ];
  return parts.length === 0 ? count : `${count}; not checked: ${parts.join(", ")}`;
}
