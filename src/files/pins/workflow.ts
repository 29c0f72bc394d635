/**
 * GitHub workflows and actions: tools that setup steps install, images of jobs and services, runners, and the runtime of
 * an action. Expressions (`${{ matrix.os }}`, `${{ env.NODE }}`) refer to values of the same file.
 */
import { getOwn } from "../../text/values.ts";
import { actionPin, runtimePin } from "./actions.ts";
import { imagePins } from "./images.ts";
import type { Pin, PinReader } from "./pin.ts";
import { runnerPins } from "./machines.ts";
import { javaPin, toolPin } from "./tools.ts";
import { linesOf, type ScalarLeaf, type TextLocation, under } from "../tree/tree.ts";
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

/** Whether a leaf is below a path. */
const startsWith = (leaf: ScalarLeaf, path: readonly string[]): boolean =>
  path.every((key, index) => leaf.path[index] === key);

/** YAML reads an unquoted 3.10 as the number 3.1, so the action installs 3.1. */
const installed = ({ text, source }: ScalarLeaf): string => (/^\d+\.\d+$/.test(source) ? String(Number(text)) : text);

function pinsOf(
  leaf: ScalarLeaf,
  tool: string,
  distribution: string | undefined,
  all: readonly ScalarLeaf[],
): readonly Pin[] {
  return expand(leaf, all).flatMap((value) => versionsOf(value, tool, distribution));
}

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

function setupPins(uses: ScalarLeaf, all: readonly ScalarLeaf[]): readonly Pin[] {
  const [action = "", ref = ""] = uses.text.split("@");
  const inputs = getOwn(SETUP, action.toLowerCase());
  if (!inputs) return [];
  // `dtolnay/rust-toolchain@1.70.0`: the reference is the version.
  const byReference =
    action === "dtolnay/rust-toolchain" && /^\d/.test(ref) ? [toolPin("rust", ref, uses.location)] : [];
  const step = uses.path.slice(0, -1);
  const given = all.filter((leaf) => startsWith(leaf, [...step, "with"]) && leaf.path.length === step.length + 2);
  const distribution = given.find((leaf) => leaf.path.at(-1) === "distribution")?.text;
  const named = given.flatMap((leaf) => {
    const name = leaf.path.at(-1) ?? "";
    const tool = getOwn(inputs, name);
    return tool === undefined ? [] : pinsOf(leaf, tool, distribution, all);
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
    const uses = all.filter(({ path }) => path.at(-1) === "uses");
    const steps = uses.flatMap((each) => setupPins(each, all));
    const actions = uses.flatMap(({ text: action, location }) => actionPin(action, location) ?? []);
    const expanded = (leaves: readonly ScalarLeaf[]): readonly ScalarLeaf[] =>
      leaves.flatMap((leaf) => expand(leaf, all));
    const images = expanded(imagesOf(all)).flatMap(({ text: image, location }) => imagePins(image, location));
    const runners = expanded(runnersOf(all)).flatMap(({ text: label, location }) =>
      runnerPins(label, location, "github-hosted-runner"),
    );
    return [...steps, ...actions, ...runners, ...images, ...under(all, "runs", "using").flatMap(runtimePins)];
  });

const EXPRESSION = /\$\{\{\s*(matrix|env)\.([\w-]+)\s*\}\}/;

/**
 * Returns the leaf once for every value of its expression, with the location of that value. Returns the leaf itself if
 * the value is not in the file. `${{ matrix.image }}:${{ matrix.tag }}` is resolved step by step.
 */
export function expand(leaf: ScalarLeaf, all: readonly ScalarLeaf[], depth = 0): readonly ScalarLeaf[] {
  const [whole, scope, name] = EXPRESSION.exec(leaf.text) ?? [];
  if (whole === undefined || name === undefined || depth > 4) return [leaf];
  const values = scope === "matrix" ? matrixValues(name, leaf, all) : envValues(name, leaf, all);
  if (values.length === 0) return [leaf];
  return values.flatMap((value) => expand(substitute(leaf, whole, value), all, depth + 1));
}

function substitute(leaf: ScalarLeaf, whole: string, value: ScalarLeaf): ScalarLeaf {
  if (leaf.text.trim() === whole) return { ...value, path: leaf.path };
  return { ...leaf, text: leaf.text.replace(whole, () => value.text), location: value.location };
}

/** The values of a key of the matrix of the leaf's own job. */
function matrixValues(name: string, { path }: ScalarLeaf, all: readonly ScalarLeaf[]): readonly ScalarLeaf[] {
  const [jobs = "", job = ""] = path;
  return [
    ...under(all, jobs, job, "strategy", "matrix", name, "*"),
    ...under(all, jobs, job, "strategy", "matrix", "include", "*", name),
  ];
}

/** The nearest variable of the name: of the step, the job, the workflow. */
function envValues(name: string, { path }: ScalarLeaf, all: readonly ScalarLeaf[]): readonly ScalarLeaf[] {
  const scopes = [path.slice(0, 4), path.slice(0, 2), []];
  return scopes.map((scope) => under(all, ...scope, "env", name)).find((found) => found.length > 0) ?? [];
}
