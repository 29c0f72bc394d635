/** Development environments: devcontainers and Read the Docs. */
import { imagePins } from "./images.ts";
import { runnerPins } from "./machines.ts";
import type { Pin, PinReader } from "./pin.ts";
import { toolPin } from "./tools.ts";
import { parseJson } from "../tree/json.ts";
import { lastKey, leavesOf, under } from "../tree/tree.ts";
import { yamlLeaves } from "../tree/yaml.ts";

const FEATURE = /(?:^|\/)(node|python|go|java|ruby|php|dotnet|rust|terraform|kubectl)(?::[\w.-]+)?$/;

/** `version`, the lists of further versions, and those of .NET without its SDK; `none` installs nothing. */
const FEATURE_VERSIONS = /^(?:version|additionalVersions|(?:dotnet|aspNetCore)RuntimeVersions)$/;

/** `image` and the versions of official features. */
export const devcontainer: PinReader = (text) => {
  const all = leavesOf(parseJson(text, { comments: true }), text);
  return [
    ...under(all, "image").flatMap((leaf) => imagePins(leaf.text, leaf.location)),
    ...under(all, "features", "*", "*").flatMap((leaf): readonly Pin[] => {
      const tool = FEATURE.exec(leaf.path[1] ?? "")?.[1];
      if (tool === undefined || !FEATURE_VERSIONS.test(lastKey(leaf)) || leaf.text === "none") return [];
      const { at, length } = leaf.location;
      const versions = text.slice(at, at + length).matchAll(/[^\s,"]+/g);
      return [...versions].map(({ 0: version, index }) =>
        toolPin(tool, version, { at: at + index, length: version.length }),
      );
    }),
  ];
};

/** `build.os` and `build.tools`, and the older `python.version`. */
export const readTheDocs: PinReader = (text) =>
  yamlLeaves(text).flatMap((all) => [
    ...under(all, "build", "os").flatMap((leaf) =>
      runnerPins(leaf.text.replace(/^ubuntu-lts-/, "ubuntu-"), leaf.location),
    ),
    ...under(all, "build", "tools", "*").map((leaf) => toolPin(leaf.path.at(-1) ?? "", leaf.text, leaf.location)),
    ...under(all, "python", "version").map((leaf) => toolPin("python", leaf.text, leaf.location)),
  ]);
