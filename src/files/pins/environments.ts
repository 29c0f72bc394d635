/** Development environments: devcontainers and Read the Docs. */
import { imagePins } from "./images.ts";
import { runnerPins } from "./machines.ts";
import type { Pin, PinReader } from "./pin.ts";
import { toolPin } from "./tools.ts";
import { parseJson } from "../tree/json.ts";
import { leavesOf, under } from "../tree/tree.ts";
import { yamlLeaves } from "../tree/yaml.ts";

const FEATURE = /(?:^|\/)(node|python|go|java|ruby|php|dotnet|rust|terraform|kubectl)(?::[\w.-]+)?$/;

/** `image` and the versions of official features. */
export const devcontainer: PinReader = (text) => {
  const all = leavesOf(parseJson(text, { comments: true }), text);
  return [
    ...under(all, "image").flatMap((leaf) => imagePins(leaf.text, leaf.location)),
    ...under(all, "features", "*", "version").flatMap((leaf): readonly Pin[] => {
      const tool = FEATURE.exec(leaf.path[1] ?? "")?.[1];
      return tool === undefined ? [] : [toolPin(tool, leaf.text, leaf.location)];
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
