/**
 * GitHub workflows and actions: tools that setup steps install, images of jobs and services, runners, and the runtime
 * of an action.
 */
import { own } from "../../text/own.ts";
import { expand } from "./expressions.ts";
import { imagePins } from "./images.ts";
import { sourceLines } from "./pin.ts";
import type { Pin, PinLocation, PinReader } from "./pin.ts";
import { runnerPins } from "./runners.ts";
import { javaPin, toolPin } from "./tools.ts";
import { under, yamlLeaves } from "./yaml.ts";
import type { Leaf } from "./yaml.ts";

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
};

/** Whether a leaf is below a path. */
const startsWith = (leaf: Leaf, path: readonly string[]): boolean =>
  path.every((key, index) => leaf.path[index] === key);

/** YAML reads an unquoted 3.10 as the number 3.1, so the action installs 3.1. */
const installed = (leaf: Leaf): string =>
  !leaf.quoted && /^\d+\.\d+$/.test(leaf.text) ? String(Number(leaf.text)) : leaf.text;

function pinsOf(leaf: Leaf, tool: string, distribution: string | undefined, all: readonly Leaf[]): readonly Pin[] {
  return expand(leaf, all).flatMap((value) => versionsOf(value, tool, distribution));
}

/** Several versions are lines of one block scalar; each has its own location. */
function versionsOf(leaf: Leaf, tool: string, distribution: string | undefined): readonly Pin[] {
  const pin = (written: string, place: PinLocation): Pin =>
    tool === "java" ? javaPin(written, distribution, place) : toolPin(tool, written, place);
  if (!leaf.text.includes("\n")) return [pin(installed(leaf), leaf.place)];
  const [, ...lines] = sourceLines(leaf.source).filter(({ text }, index) => index === 0 || text.trim() !== "");
  return lines.map(({ text, at }) => {
    const written = text.trim();
    return pin(written, { at: leaf.place.at + at + text.indexOf(written), length: written.length });
  });
}

function setupPins(uses: Leaf, all: readonly Leaf[]): readonly Pin[] {
  const [action = ""] = uses.text.split("@");
  const inputs = own(SETUP, action);
  if (!inputs) return [];
  const step = uses.path.slice(0, -1);
  const given = all.filter((leaf) => startsWith(leaf, [...step, "with"]) && leaf.path.length === step.length + 2);
  const distribution = given.find((leaf) => leaf.path.at(-1) === "distribution")?.text;
  return given.flatMap((leaf) => {
    const name = leaf.path.at(-1) ?? "";
    const tool = own(inputs, name);
    return tool === undefined ? [] : pinsOf(leaf, tool, distribution, all);
  });
}

const runtimePin = (leaf: Leaf): readonly Pin[] => {
  const version = /^node(\d+)$/.exec(leaf.text)?.[1];
  return version === undefined ? [] : [toolPin("node", version, leaf.place)];
};

const imagesOf = (all: readonly Leaf[]): readonly Leaf[] => [
  ...under(all, "jobs", "*", "container"),
  ...under(all, "jobs", "*", "container", "image"),
  ...under(all, "jobs", "*", "services", "*", "image"),
  ...all.filter(({ path, text }) => path.at(-1) === "uses" && text.startsWith("docker://")),
  ...under(all, "runs", "image").filter(({ text }) => text.startsWith("docker://")),
];

const runnersOf = (all: readonly Leaf[]): readonly Leaf[] => [
  ...under(all, "jobs", "*", "runs-on"),
  ...under(all, "jobs", "*", "runs-on", "*").filter(({ path }) => path.at(-1) !== "group"),
  ...under(all, "jobs", "*", "runs-on", "labels", "*"),
];

export const workflow: PinReader = (text) =>
  yamlLeaves(text).flatMap((all) => {
    const steps = all.filter(({ path }) => path.at(-1) === "uses").flatMap((uses) => setupPins(uses, all));
    const expanded = (leaves: readonly Leaf[]): readonly Leaf[] => leaves.flatMap((leaf) => expand(leaf, all));
    const images = expanded(imagesOf(all)).flatMap(({ text: image, place }) => imagePins(image, place));
    const runners = expanded(runnersOf(all)).flatMap(({ text: label, place }) => runnerPins(label, place));
    return [...steps, ...runners, ...images, ...under(all, "runs", "using").flatMap(runtimePin)];
  });
