/** Development and test environments: devcontainers, Read the Docs, Vagrant and molecule. */
import { imagePins } from "./images.ts";
import { withoutJsonComments } from "../lockfiles/tree.ts";
import { boxPin } from "./boxes.ts";
import { found } from "./pin.ts";
import type { Pin, PinReader } from "./pin.ts";
import { runnerPins } from "./runners.ts";
import { toolPin } from "./tools.ts";
import { under, yamlLeaves } from "./yaml.ts";

const FEATURE = /(?:^|\/)(node|python|go|java|ruby|php|dotnet|rust|terraform|kubectl)(?::[\w.-]+)?$/;

/** `image` and the versions of official features. Without its comments, the file is valid YAML. */
export const devcontainer: PinReader = (text) =>
  yamlLeaves(withoutJsonComments(text)).flatMap((all) => [
    ...under(all, "image").flatMap((leaf) => imagePins(leaf.text, leaf.place)),
    ...under(all, "features", "*", "version").flatMap((leaf): readonly Pin[] => {
      const tool = FEATURE.exec(leaf.path[1] ?? "")?.[1];
      return tool === undefined ? [] : [toolPin(tool, leaf.text, leaf.place)];
    }),
  ]);

/** `build.os` and `build.tools`, and the older `python.version`. */
export const readTheDocs: PinReader = (text) =>
  yamlLeaves(text).flatMap((all) => [
    ...under(all, "build", "os").flatMap((leaf) =>
      runnerPins(leaf.text.replace(/^ubuntu-lts-/, "ubuntu-"), leaf.place),
    ),
    ...under(all, "build", "tools", "*").map((leaf) => toolPin(leaf.path.at(-1) ?? "", leaf.text, leaf.place)),
    ...under(all, "python", "version").map((leaf) => toolPin("python", leaf.text, leaf.place)),
  ]);

export const vagrantfile: PinReader = (text) =>
  found(text, /^\s*\w+\.vm\.box\s*=\s*(?<quote>["'])(?<box>[^"']+)\k<quote>/dgm, "box").map(({ words, place }) =>
    boxPin(words, place),
  );

/** Platforms are containers (`image`) or machines (`box`), by the driver of the scenario. */
export const molecule: PinReader = (text) =>
  yamlLeaves(text).flatMap((all) => [
    ...under(all, "platforms", "*", "image").flatMap((leaf) => imagePins(leaf.text, leaf.place)),
    ...under(all, "platforms", "*", "box").map((leaf) => boxPin(leaf.text, leaf.place)),
  ]);
