/**
 * Rules for our workflows. They follow GitHub's guide to secure use and the checks of OpenSSF Scorecard:
 * https://docs.github.com/en/actions/reference/security/secure-use
 */
interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly permissions?: unknown;
  readonly "timeout-minutes"?: number | undefined;
  readonly needs?: string | readonly string[];
  readonly steps?: readonly Step[];
}

export interface Workflow {
  readonly on?: unknown;
  readonly permissions?: unknown;
  readonly concurrency?: unknown;
  readonly defaults?: { readonly run?: { readonly shell?: string } };
  readonly jobs: Readonly<Record<string, Job>>;
}

/** @returns one sentence for each rule that the workflow breaks. `text` is its source, which has the comments. */
export function workflowProblems(workflow: Workflow, text: string): readonly string[] {
  const jobs = Object.entries(workflow.jobs);
  return [
    ...(isEmptyObject(workflow.permissions)
      ? []
      : ["permissions of the workflow have to be {}; each job asks for its own"]),
    // Without a named shell, the exit code of a pipe is that of its last command.
    ...(workflow.defaults?.run?.shell !== "bash" && jobs.some(([, { steps = [] }]) => steps.some(hasPipe))
      ? ["defaults.run.shell has to be bash, because a script contains a pipe"]
      : []),
    ...(workflow.concurrency === undefined ? ["concurrency is missing"] : []),
    ...(JSON.stringify(workflow.on ?? "").includes("pull_request_target")
      ? ["pull_request_target runs code of a fork with secrets"]
      : []),
    ...jobs.flatMap(([name, job]) => jobProblems(name, job, Object.keys(workflow.jobs))),
    ...jobs.flatMap(([name, { steps = [] }]) => steps.flatMap((step) => stepProblems(name, step, text))),
  ];
}

function jobProblems(name: string, job: Job, names: readonly string[]): readonly string[] {
  const unknown = [job.needs ?? []].flat().filter((needed) => !names.includes(needed));
  return [
    ...(job.permissions === undefined ? [`${name}: permissions are missing`] : []),
    ...(job["timeout-minutes"] === undefined ? [`${name}: timeout-minutes is missing`] : []),
    ...signingProblems(name, job),
    ...unknown.map((needed) => `${name}: needs the unknown job ${needed}`),
  ];
}

/** A job with a private key signs and does nothing else: no packages, no other code, no right to write. */
function signingProblems(name: string, job: Job): readonly string[] {
  if (!JSON.stringify(job).includes("SIGN_KEY }}")) return [];
  const scripts = (job.steps ?? []).map(({ run = "" }) => run).join("\n");
  return [
    ...(/\bnp[mx]\b|\bcurl\b/.test(scripts) ? [`${name}: a job with a private key runs nothing but signing`] : []),
    // `dist` and a packed program were made beside the development packages.
    ...(/\btar\b|\bunzip\b|\bbin\/|\bdist\//.test(scripts) || !/^ *node tools\/sign-channel\.ts /m.test(scripts)
      ? [`${name}: a job with a private key signs with tools/sign-channel.ts of the checkout`]
      : []),
    ...artifactProblems(name, job),
    ...(JSON.stringify(job.permissions ?? {}).includes("write")
      ? [`${name}: a job with a private key has no right to write`]
      : []),
  ];
}

/** An artifact of another job stays outside of the checkout, whose files run beside the key. */
const artifactProblems = (name: string, { steps = [] }: Job): readonly string[] =>
  steps
    .filter(({ uses }) => uses?.startsWith("actions/download-artifact@"))
    .filter(
      (step) => !String(step.with?.["path"]).startsWith("${{ runner.temp }}/") || step.with?.["name"] === undefined,
    )
    .map(() => `${name}: an artifact beside a private key is named, and unpacked outside of the checkout`);

function stepProblems(name: string, step: Step, text: string): readonly string[] {
  const problems: string[] = [];
  // An expression is replaced before the shell reads the script, so its value would be run as code.
  if (step.run?.includes("--allow-unsigned")) problems.push(`${name}: reads a channel without its public key`);
  if (step.run?.includes("${{")) problems.push(`${name}: expression in a script; pass it through env`);
  if (step.uses === undefined || step.uses.startsWith("./")) return problems;
  const [action = "", ref = ""] = step.uses.split("@");
  if (!/^[0-9a-f]{40}$/.test(ref)) problems.push(`${name}: ${step.uses} is not pinned by a commit`);
  else if (!new RegExp(`${action}@${ref} # v\\d+\\.\\d+\\.\\d+`).test(text))
    problems.push(`${name}: ${action} has no comment with its version`);
  if (action === "actions/checkout" && step.with?.["persist-credentials"] !== false)
    problems.push(`${name}: checkout without persist-credentials: false`);
  return problems;
}

/** A pipe between commands, which `||` and a literal block are not. */
const hasPipe = ({ run = "" }: Step): boolean => /[^|]\|(?!\|)/.test(run);

const isEmptyObject = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0;
