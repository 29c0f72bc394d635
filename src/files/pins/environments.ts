/** Development and test environments: devcontainers, Read the Docs, Vagrant and molecule. */
import { imagePins } from "./images.ts";
import { boxPin, runnerPins } from "./machines.ts";
import { found } from "./pin.ts";
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

export const vagrantfile: PinReader = (text) =>
  found(text, /^\s*\w+\.vm\.box\s*=\s*(?<quote>["'])(?<box>[^"']+)\k<quote>/dgm, "box").map(({ matched, location }) =>
    boxPin(matched, location),
  );

/** Platforms are containers (`image`) or machines (`box`), by the driver of the scenario. */
export const molecule: PinReader = (text) =>
  yamlLeaves(text).flatMap((all) => [
    ...under(all, "platforms", "*", "image").flatMap((leaf) => imagePins(leaf.text, leaf.location)),
    ...under(all, "platforms", "*", "box").map((leaf) => boxPin(leaf.text, leaf.location)),
  ]);
