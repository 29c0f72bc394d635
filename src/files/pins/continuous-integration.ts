/** Pipelines of GitLab, CircleCI, Azure, Jenkins and Travis: their images, machines and language versions. */
import { getOwn } from "../../text/values.ts";
import { substitute } from "../expansion.ts";
import { imagePins } from "./images.ts";
import { blanked, found, JAVA_COMMENTS, type Pin, type PinReader } from "./pin.ts";
import { runnerPins } from "./machines.ts";
import { javaPin, toolPin } from "./tools.ts";
import { lastKey, leafFinder, type ScalarLeaf, under } from "../tree/tree.ts";
import { yamlLeaves } from "../tree/yaml.ts";

/** The key of a leaf in a list: `services/0` → `services`. */
const listKey = ({ path }: ScalarLeaf): string | undefined =>
  /^\d+$/.test(path.at(-1) ?? "") ? path.at(-2) : undefined;
const imagesOf = (leaves: readonly ScalarLeaf[]): readonly Pin[] =>
  leaves.flatMap(({ text, location }) => imagePins(text, location));

/** `image: x` or `image: { name: x }`, and the same in the list of services, for all jobs or for one. */
function isGitlabImage(leaf: ScalarLeaf): boolean {
  const path = lastKey(leaf) === "name" ? leaf.path.slice(0, -1) : leaf.path;
  const isService = /^\d+$/.test(path.at(-1) ?? "") && path.at(-2) === "services";
  const depth = isService ? path.length - 1 : path.length;
  return (isService || path.at(-1) === "image") && depth <= 2;
}

/** Global variables are substituted. Variables of the runner are unknown, so their images have no version. */
export const gitlabCi: PinReader = (text) =>
  yamlLeaves(text).flatMap((all) => {
    const variables = new Map(
      [...under(all, "variables", "*"), ...under(all, "variables", "*", "value")].map(({ path, text: value }) => [
        path[1] ?? "",
        value,
      ]),
    );
    return imagesOf(all.filter(isGitlabImage).map((leaf) => ({ ...leaf, text: substitute(leaf.text, variables) })));
  });

/** `jobs` and `executors` with Docker images, and machine images such as `ubuntu-2204:2024.01.1`. */
export const circleCi: PinReader = (text) =>
  yamlLeaves(text).flatMap((all) => [
    ...imagesOf(all.filter((leaf) => lastKey(leaf) === "image" && leaf.path.at(-3) === "docker")),
    ...all
      .filter((leaf) => lastKey(leaf) === "image" && leaf.path.at(-2) === "machine")
      .flatMap(({ text: image, location }) => {
        const [, year, month] = /^ubuntu-(\d\d)(\d\d)(?::.*)?$/.exec(image) ?? [];
        return runnerPins(year === undefined ? image : `ubuntu-${year}.${month ?? ""}`, location);
      }),
  ]);

/** Tasks of Azure Pipelines → the input that names a version → the tool. */
const AZURE_TASKS: Readonly<Record<string, readonly [input: string, tool: string]>> = {
  NodeTool: ["versionSpec", "node"],
  UseNode: ["version", "node"],
  UsePythonVersion: ["versionSpec", "python"],
  UseDotNet: ["version", "dotnet"],
  UseRubyVersion: ["versionSpec", "ruby"],
  GoTool: ["version", "go"],
  JavaToolInstaller: ["versionSpec", "java"],
};

export const azurePipelines: PinReader = (text) =>
  yamlLeaves(text).flatMap((all) => {
    const leafAt = leafFinder(all);
    return [
      ...all
        .filter((leaf) => lastKey(leaf) === "vmImage")
        .flatMap((leaf) => runnerPins(leaf.text, leaf.location, "azure-pipelines-agent")),
      ...imagesOf([...under(all, "resources", "containers", "*", "image"), ...all.filter(isAzureContainer)]),
      ...all.filter((leaf) => lastKey(leaf) === "task").flatMap((task) => azureTask(task, leafAt)),
    ];
  });

/** `container: node:18`; a name without a tag refers to `resources.containers`. */
const isAzureContainer = (leaf: ScalarLeaf): boolean =>
  lastKey(leaf) === "container"
    ? leaf.text.includes(":")
    : lastKey(leaf) === "image" && leaf.path.at(-2) === "container";

function azureTask(task: ScalarLeaf, leafAt: ReturnType<typeof leafFinder>): readonly Pin[] {
  const [input, tool] = getOwn(AZURE_TASKS, task.text.split("@")[0] ?? "") ?? [];
  if (input === undefined || tool === undefined) return [];
  const leaf = leafAt(...task.path.slice(0, -1), "inputs", input);
  return leaf === undefined ? [] : [toolPin(tool, leaf.text, leaf.location)];
}

/** `docker 'node:18'` and `image 'node:18'` of an agent, and `docker.image("node:18")`; comments are replaced by blanks. */
export const jenkinsfile: PinReader = (text) => {
  const code = blanked(text, JAVA_COMMENTS);
  return found(code, /\b(?:image|docker)\s*[(\s]\s*(?<quote>["'])(?<image>[^"'\n]+)\k<quote>/dg, "image").flatMap(
    ({ matched, location }) => imagePins(matched, location),
  );
};

/** Languages of Travis, by the key that lists their versions. */
const TRAVIS_KEYS: Readonly<Record<string, string>> = {
  python: "python",
  node_js: "node",
  rvm: "ruby",
  ruby: "ruby",
  php: "php",
  go: "go",
  rust: "rust",
  perl: "perl",
  elixir: "elixir",
  otp_release: "erlang",
  scala: "scala",
};

export const travisCi: PinReader = (text) => yamlLeaves(text).flatMap((all) => all.flatMap(travisPin));

function travisPin(leaf: ScalarLeaf): readonly Pin[] {
  const key = listKey(leaf) ?? lastKey(leaf);
  const tool = getOwn(TRAVIS_KEYS, key);
  if (tool !== undefined) return [toolPin(tool, leaf.text, leaf.location)];
  if (key === "dist")
    return [{ name: "ubuntu", version: leaf.text, kind: "operating-system", location: leaf.location }];
  if (key !== "jdk") return [];
  const [, vendor, version = leaf.text] = /^(openjdk|oraclejdk)(\d+)$/.exec(leaf.text) ?? [];
  return [javaPin(version, vendor === "oraclejdk" ? "oracle" : undefined, leaf.location)];
}
