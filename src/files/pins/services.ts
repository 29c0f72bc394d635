/**
 * Files of build services, platforms and tools that name an image or a version and little else: Bitbucket, Drone,
 * Woodpecker, Cirrus, Buildkite, Semaphore, Cloud Build, pre-commit, kustomize, quadlets, Netlify, Heroku, fvm
 * and sbt.
 */
import { imagePins } from "./images.ts";
import { found } from "./pin.ts";
import type { PinReader } from "./pin.ts";
import { javaPin, toolPin } from "./tools.ts";
import { parseJson } from "../tree/json.ts";
import { parseToml } from "../tree/toml.ts";
import { contentOf, lastKey, leavesOf, membersAt, type ScalarLeaf, under } from "../tree/tree.ts";
import { yamlLeaves } from "../tree/yaml.ts";

/** `image: x` and `image: { name: x }`, at any depth. */
const isImage = (leaf: ScalarLeaf): boolean =>
  lastKey(leaf) === "image" || (lastKey(leaf) === "name" && leaf.path.at(-2) === "image");

export const pipelineImages: PinReader = (text) =>
  yamlLeaves(text).flatMap((all) => all.filter(isImage).flatMap((leaf) => imagePins(leaf.text, leaf.location)));

/** A step of Cloud Build is an image. */
export const cloudBuild: PinReader = (text) =>
  yamlLeaves(text).flatMap((all) =>
    under(all, "steps", "*", "name").flatMap((leaf) => imagePins(leaf.text, leaf.location)),
  );

export const preCommit: PinReader = (text) =>
  yamlLeaves(text).flatMap((all) =>
    under(all, "default_language_version", "*").map((leaf) => toolPin(lastKey(leaf), leaf.text, leaf.location)),
  );

/** `images` replaces names and tags of the manifests. */
export const kustomization: PinReader = (text) =>
  yamlLeaves(text).flatMap((all) =>
    under(all, "images", "*", "newTag").flatMap((tag) => {
      const beside = (key: string) => under(all, ...tag.path.slice(0, -1), key)[0]?.text;
      return imagePins(`${beside("newName") ?? beside("name") ?? ""}:${tag.text}`, tag.location);
    }),
  );

/** https://docs.podman.io/en/latest/markdown/podman-systemd.unit.5.html */
export const quadlet: PinReader = (text) =>
  found(text, /^Image[ \t]*=[ \t]*(\S+)/dgm, 1).flatMap(({ matched, location }) => imagePins(matched, location));

/** Variables of the build, such as `NODE_VERSION`. */
export const netlify: PinReader = (text) =>
  membersAt(parseToml(text), "build", "environment").flatMap(([name, node]) => {
    const tool = /^(NODE|PYTHON|RUBY|GO|PHP|JAVA|BUN|DENO)_VERSION$/.exec(name)?.[1]?.toLowerCase();
    return tool === undefined || node.text === undefined ? [] : [toolPin(tool, node.text, contentOf(node))];
  });

/** Heroku: `java.runtime.version=11`. */
export const systemProperties: PinReader = (text) =>
  found(text, /^\s*java\.runtime\.version\s*=\s*(\S+)/dgm, 1).map(({ matched, location }) =>
    javaPin(matched, undefined, location),
  );

export const fvmrc: PinReader = (text) =>
  under(leavesOf(parseJson(text), text), "flutter").map((leaf) =>
    toolPin("flutter", leaf.text, contentOf(leaf.location)),
  );

export const sbt: PinReader = (text) => [
  ...found(text, /\bscalaVersion\s*:=\s*"([^"]+)"/dg, 1).map(({ matched, location }) =>
    toolPin("scala", matched, location),
  ),
  ...found(text, /^\s*sbt\.version\s*=\s*(\S+)/dgm, 1).map(({ matched, location }) =>
    toolPin("sbt", matched, location),
  ),
];
