/** The event that started the workflow, and the commit that a pull request from a fork is checked against. */
import { EolgateError } from "../../messages/error.ts";
import { readBoundedFile } from "../../platform/bounded-file.ts";
import { findCommit } from "../../platform/repository-files.ts";
import { NO_CONFIG } from "../../shell/config-file.ts";
import type { ProcessContext } from "../../shell/process-context.ts";

/** The event as GitHub describes it; undefined outside of a workflow. @throws EolgateError `invalid-usage` */
export function readEvent(env: ProcessContext["env"]): unknown {
  const path = env["GITHUB_EVENT_PATH"];
  if (path === undefined || path === "") return undefined;
  const bad = (cause: unknown): EolgateError =>
    EolgateError.of(
      "invalid-usage",
      {
        problem: "the event file of the runner cannot be read, so the pull request is unknown",
        advice: "Check GITHUB_EVENT_PATH.",
      },
      { where: `GITHUB_EVENT_PATH: ${path}`, cause },
    );
  const bytes = readBoundedFile(path, "event file", bad);
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch (cause) {
    throw bad(cause);
  }
}

export const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

/**
 * The environment, with the base commit as `--config-from` for a pull request from another repository. Its author must
 * not change the policy in the same request. The inputs `config-from`, and `config` with `none`, take precedence.
 * @throws EolgateError `invalid-usage`
 */
export async function withBaseCommit({
  env,
  cwd,
}: Pick<ProcessContext, "env" | "cwd">): Promise<ProcessContext["env"]> {
  const { EOLGATE_CONFIG_FROM: chosen = "", EOLGATE_CONFIG: config } = env;
  if (chosen !== "" || config === NO_CONFIG) return env;
  const pull = field(readEvent(env), "pull_request");
  const base = field(pull, "base");
  if (typeof pull !== "object" || pull === null || isSameRepository(field(pull, "head"), base)) return env;
  const commit = field(base, "sha");
  if (typeof commit !== "string" || !/^[0-9a-f]{40,64}$/.test(commit))
    throw EolgateError.of("invalid-usage", {
      problem: "the event of the pull request names no base commit",
      advice: "Set the input config-from to a commit, or config to none.",
    }).at("config-from");
  return { ...env, EOLGATE_CONFIG_FROM: (await available(cwd, [commit, ...mergedInto(env)])) ?? commit };
}

const isSameRepository = (head: unknown, base: unknown): boolean => {
  const [from, to] = [field(field(head, "repo"), "id"), field(field(base, "repo"), "id")];
  return typeof from === "number" && from === to;
};

/** GitHub's merge commit of the pull request: its first parent is the base branch. A checkout of it may lack older ones. */
const mergedInto = ({ GITHUB_EVENT_NAME: event, GITHUB_SHA: merge = "" }: ProcessContext["env"]): readonly string[] =>
  event === "pull_request" && /^[0-9a-f]{40,64}$/.test(merge) ? [`${merge}^1`] : [];

async function available(cwd: string, commits: readonly string[]): Promise<string | undefined> {
  for (const commit of commits) if ((await findCommit(cwd, commit)) !== undefined) return commit;
  return undefined;
}
