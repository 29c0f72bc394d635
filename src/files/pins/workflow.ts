/**
 * GitHub workflows and actions: tools that setup steps install, images of jobs and services, runners, and the runtime of
 * an action. Expressions (`${{ matrix.os }}`, `${{ env.NODE }}`) refer to values of the same file.
 */
import { getOwn } from "../../text/values.ts";
import { lockfileError } from "../errors.ts";
import { replaceVariables } from "../expansion.ts";
import { actionPin, runtimePin } from "./actions.ts";
import { imagePins } from "./images.ts";
import type { Pin, PinReader } from "./pin.ts";
import { runnerPins } from "./machines.ts";
import { javaPin, toolPin } from "./tools.ts";
import { leafFinder, linesOf, type ScalarLeaf, type TextLocation, under } from "../tree/tree.ts";
import { yamlLeaves } from "../tree/yaml.ts";

/** Action → input → the tool whose version the input sets. */
const SETUP: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "actions/setup-node": { "node-version": "node" },
  "actions/setup-python": { "python-version": "python" },
  "actions/setup-go": { "go-version": "go" },
  "actions/setup-java": { "java-version": "java" },
  "actions/setup-dotnet": { "dotnet-version": "dotnet" },
  "ruby/setup-ruby": { "ruby-version": "ruby" },
  "shivammathur/setup-php": { "php-version": "php" },
  "hashicorp/setup-terraform": { terraform_version: "terraform" },
  "opentofu/setup-opentofu": { tofu_version: "opentofu" },
  "erlef/setup-beam": { "otp-version": "erlang", "elixir-version": "elixir" },
  "denoland/setup-deno": { "deno-version": "deno" },
  "oven-sh/setup-bun": { "bun-version": "bun" },
  "pnpm/action-setup": { version: "pnpm" },
  "gradle/actions/setup-gradle": { "gradle-version": "gradle" },
  "julia-actions/setup-julia": { version: "julia" },
  "dtolnay/rust-toolchain": { toolchain: "rust" },
  "actions-rs/toolchain": { toolchain: "rust" },
  "actions-rust-lang/setup-rust-toolchain": { toolchain: "rust" },
  "azure/setup-kubectl": { version: "kubectl" },
  "azure/setup-helm": { version: "helm" },
  "subosito/flutter-action": { "flutter-version": "flutter" },
};

/** YAML reads an unquoted 3.10 as the number 3.1, so the action installs 3.1. */
const installed = ({ text, source }: ScalarLeaf): string => (/^\d+\.\d+$/.test(source) ? String(Number(text)) : text);

/** Several versions are lines of one block scalar; each has its own location. */
function versionsOf(leaf: ScalarLeaf, tool: string, distribution: string | undefined): readonly Pin[] {
  const pin = (written: string, location: TextLocation): Pin =>
    tool === "java" ? javaPin(written, distribution, location) : toolPin(tool, written, location);
  if (!leaf.text.includes("\n")) return [pin(installed(leaf), leaf.location)];
  const [, ...lines] = linesOf(leaf.source).filter(({ text }, index) => index === 0 || text.trim() !== "");
  return lines.map(({ text, at }) => {
    const written = text.trim();
    return pin(written, { at: leaf.location.at + at + text.indexOf(written), length: written.length });
  });
}

function setupPins(uses: ScalarLeaf, values: WorkflowValues): readonly Pin[] {
  const [action = "", ref = ""] = uses.text.split("@");
  const inputs = getOwn(SETUP, action.toLowerCase());
  if (!inputs) return [];
  // `dtolnay/rust-toolchain@1.70.0`: the reference is the version.
  const byReference =
    action === "dtolnay/rust-toolchain" && /^\d/.test(ref) ? [toolPin("rust", ref, uses.location)] : [];
  const given = (input: string) => values.at(...uses.path.slice(0, -1), "with", input);
  const distribution = given("distribution")?.text;
  const named = Object.entries(inputs).flatMap(([input, tool]) => {
    const leaf = given(input);
    return leaf === undefined ? [] : values.expand(leaf).flatMap((value) => versionsOf(value, tool, distribution));
  });
  return [...byReference, ...named];
}

const runtimePins = (leaf: ScalarLeaf): readonly Pin[] => {
  const version = /^node(\d+)$/.exec(leaf.text)?.[1];
  return version === undefined ? [] : [runtimePin(leaf.text, version, leaf.location)];
};

const imagesOf = (all: readonly ScalarLeaf[]): readonly ScalarLeaf[] => [
  ...under(all, "jobs", "*", "container"),
  ...under(all, "jobs", "*", "container", "image"),
  ...under(all, "jobs", "*", "services", "*", "image"),
  ...all.filter(({ path, text }) => path.at(-1) === "uses" && text.startsWith("docker://")),
  ...under(all, "runs", "image").filter(({ text }) => text.startsWith("docker://")),
];

const runnersOf = (all: readonly ScalarLeaf[]): readonly ScalarLeaf[] => [
  ...under(all, "jobs", "*", "runs-on"),
  ...under(all, "jobs", "*", "runs-on", "*").filter(({ path }) => path.at(-1) !== "group"),
  ...under(all, "jobs", "*", "runs-on", "labels", "*"),
];

export const workflow: PinReader = (text) =>
  yamlLeaves(text).flatMap((all) => {
    const values = new WorkflowValues(all, text);
    const uses = all.filter(({ path }) => path.at(-1) === "uses");
    const steps = uses.flatMap((each) => setupPins(each, values));
    const actions = uses.flatMap(({ text: action, location }) => actionPin(action, location) ?? []);
    const expanded = (leaves: readonly ScalarLeaf[]): readonly ScalarLeaf[] =>
      leaves.flatMap((leaf) => values.expand(leaf));
    const images = expanded(imagesOf(all)).flatMap(({ text: image, location }) => imagePins(image, location));
    const runners = expanded(runnersOf(all)).flatMap(({ text: label, location }) =>
      runnerPins(label, location, "github-hosted-runner"),
    );
    return [...steps, ...actions, ...runners, ...images, ...under(all, "runs", "using").flatMap(runtimePins)];
  });

const EXPRESSION = /\$\{\{\s{0,20}(matrix|env)\.([\w-]+)\s*\}\}/;
/** Values that all expressions of a file may stand for. GitHub starts at most 256 jobs for a matrix. */
const MAX_VALUES = 20_000;

/** The values of a workflow to which expressions refer. */
class WorkflowValues {
  /** The leaf at a path. */
  readonly at: (...path: readonly string[]) => ScalarLeaf | undefined;
  private readonly text: string;
  /** The values of a key of a job's matrix, by the job and the key. */
  private readonly matrices = new Map<string, ScalarLeaf[]>();
  private count = 0;

  constructor(all: readonly ScalarLeaf[], text: string) {
    this.text = text;
    this.at = leafFinder(all);
    const ofMatrix = [
      ...under(all, "*", "*", "strategy", "matrix", "*", "*").map((leaf) => [leaf.path[4], leaf] as const),
      ...under(all, "*", "*", "strategy", "matrix", "include", "*", "*").map((leaf) => [leaf.path[6], leaf] as const),
    ];
    for (const [name = "", leaf] of ofMatrix) {
      const key = matrixKey(leaf, name);
      const known = this.matrices.get(key);
      if (known) known.push(leaf);
      else this.matrices.set(key, [leaf]);
    }
  }

  /**
   * Returns the leaf once for every value of its expression, with the location of that value. Returns the leaf itself if
   * the value is not in the file. `${{ matrix.image }}:${{ matrix.tag }}` is resolved step by step.
   * @throws EolgateError `lockfile-broken` for expressions that multiply each other without end
   */
  expand(leaf: ScalarLeaf, depth = 0): readonly ScalarLeaf[] {
    const variants = depth > 4 ? [] : this.variants(leaf);
    return variants.length === 0 ? [leaf] : variants.flatMap((each) => this.expand(each, depth + 1));
  }

  /** The leaf with each value of its first expression; none if a value is unknown, or makes the text too long. */
  private variants(leaf: ScalarLeaf): readonly ScalarLeaf[] {
    const [whole, scope, name] = EXPRESSION.exec(leaf.text) ?? [];
    if (whole === undefined || name === undefined) return [];
    const values = scope === "matrix" ? (this.matrices.get(matrixKey(leaf, name)) ?? []) : this.env(name, leaf);
    this.count += values.length;
    if (this.count > MAX_VALUES) {
      const problem = "the expressions of the file stand for too many values";
      throw lockfileError("lockfile-broken", problem, this.text, leaf.location.at);
    }
    const variants = values.flatMap((value) => insertValue(leaf, whole, value) ?? []);
    return variants.length < values.length ? [] : variants;
  }

  /** The nearest variable of the name: of the step, the job, the workflow. */
  private env(name: string, { path }: ScalarLeaf): readonly ScalarLeaf[] {
    const scopes = [path.slice(0, 4), path.slice(0, 2), []];
    const found = scopes.map((scope) => this.at(...scope, "env", name)).find((leaf) => leaf !== undefined);
    return found === undefined ? [] : [found];
  }
}

const matrixKey = ({ path: [jobs = "", job = ""] }: ScalarLeaf, name: string): string => [jobs, job, name].join("\0");

/** Undefined if the text would be too long. */
function insertValue(leaf: ScalarLeaf, whole: string, value: ScalarLeaf): ScalarLeaf | undefined {
  if (leaf.text.trim() === whole) return { ...value, path: leaf.path };
  const text = replaceVariables(leaf.text, new RegExp(EXPRESSION, "g"), ([each]) =>
    each === whole ? value.text : each,
  );
  return text === undefined ? undefined : { ...leaf, text, location: value.location };
}
