/**
 * Files of build services, platforms and tools that name an image or a version and little else: Bitbucket, Drone,
 * Woodpecker, Cirrus, Buildkite, Semaphore, CodeBuild, Cloud Build, pre-commit, kustomize, quadlets, Netlify, Heroku, fvm
 * and sbt.
 */
import { imagePins } from "./images.ts";
import { found, type Pin, type PinReader } from "./pin.ts";
import { runnerPins } from "./machines.ts";
import { toolPin, versionOf, versionsAt } from "./tools.ts";
import { parseJson } from "../tree/json.ts";
import { parseToml } from "../tree/toml.ts";
import {
  contentOf,
  lastKey,
  leafFinder,
  leavesOf,
  membersAt,
  type ScalarLeaf,
  type TreeNode,
  under,
} from "../tree/tree.ts";
import { yamlLeaves } from "../tree/yaml.ts";

/** `image: x` and `image: { name: x }`, at any depth. */
const isImage = (leaf: ScalarLeaf): boolean =>
  lastKey(leaf) === "image" || (lastKey(leaf) === "name" && leaf.path.at(-2) === "image");

/** Images of containers, and systems of machines: `os_image` of Semaphore, `image_family` of Cirrus. */
export const pipelineImages: PinReader = (text) =>
  yamlLeaves(text).flatMap((all) =>
    all.flatMap((leaf): readonly Pin[] => {
      if (isImage(leaf)) return imagePins(leaf.text, leaf.location);
      return /^(?:os_image|image_family)$/.test(lastKey(leaf)) ? machinePins(leaf) : [];
    }),
  );

/** `ubuntu2204`, `ubuntu-2204-lts`, `debian-11`, `freebsd-13-2-snap`. Others are kept as written. */
function machinePins({ text, location }: ScalarLeaf): readonly Pin[] {
  const [, name, ...numbers] = /^(ubuntu|debian|freebsd)-?(\d\d)-?(\d{1,2})?(?!\d)/.exec(text) ?? [];
  if (name === undefined) return runnerPins(text, location);
  return [{ name, version: numbers.filter(Boolean).join("."), kind: "operating-system", location }];
}

/** A step of Cloud Build is an image. */
export const cloudBuild: PinReader = (text) =>
  yamlLeaves(text).flatMap((all) =>
    under(all, "steps", "*", "name").flatMap((leaf) => imagePins(leaf.text, leaf.location)),
  );

/** CodeBuild: `runtime-versions` of the images of AWS, where Java is `corretto17`. */
export const buildspec: PinReader = (text) =>
  yamlLeaves(text).flatMap((all) =>
    under(all, "phases", "*", "runtime-versions", "*").map((leaf) =>
      toolPin(lastKey(leaf), leaf.text.replace(/^corretto(?=\d)/, "corretto-"), leaf.location),
    ),
  );

/** Versions of languages for all hooks of a language, and for one hook. */
export const preCommit: PinReader = (text) =>
  yamlLeaves(text).flatMap((all) => {
    const leafAt = leafFinder(all);
    return [
      ...under(all, "default_language_version", "*").map((leaf) => toolPin(lastKey(leaf), leaf.text, leaf.location)),
      ...under(all, "repos", "*", "hooks", "*", "language_version").flatMap((leaf) => hookPins(leaf, leafAt)),
    ];
  });

/** The language is that of the hook, or named in the version: `python3.8`. It is usually stated elsewhere. */
function hookPins({ text, location, path }: ScalarLeaf, leafAt: ReturnType<typeof leafFinder>): readonly Pin[] {
  const beside = (key: string) => leafAt(...path.slice(0, -1), key)?.text;
  const language = beside("language") ?? /^([a-z]+)\d/.exec(text)?.[1];
  const version = versionOf(text);
  if (version === undefined) return [];
  if (language !== undefined) return [toolPin(language, text, location)];
  return [{ name: `language_version of ${beside("id") ?? "a hook"}`, version, location }];
}

/** `images` replaces names, tags and digests of the manifests. */
export const kustomization: PinReader = (text) =>
  yamlLeaves(text).flatMap((all) => {
    const leafAt = leafFinder(all);
    return under(all, "images", "*", "name").flatMap((name) => {
      const [newName, tag, digest] = ["newName", "newTag", "digest"].map((key) =>
        leafAt(...name.path.slice(0, -1), key),
      );
      const last = digest ?? tag ?? newName;
      const version = digest ? `@${digest.text}` : tag?.text ? `:${tag.text}` : "";
      return last ? imagePins(`${(newName ?? name).text}${version}`, last.location) : [];
    });
  });

/** https://docs.podman.io/en/latest/markdown/podman-systemd.unit.5.html */
export const quadlet: PinReader = (text) =>
  found(text, /^Image[ \t]*=[ \t]*(\S+)/dgm, 1).flatMap(({ matched, location }) => imagePins(matched, location));

/** Variables of the build, such as `NODE_VERSION`, for all contexts and for one. */
export const netlify: PinReader = (text) => {
  const root = parseToml(text);
  const contexts = membersAt(root, "context").map(([name]) => ["context", name, "environment"]);
  return [["build", "environment"], ...contexts].flatMap((path) => membersAt(root, ...path).flatMap(netlifyVariable));
};

function netlifyVariable([name, node]: readonly [string, TreeNode]): readonly Pin[] {
  const tool = /^(NODE|PYTHON|RUBY|GO|PHP|JAVA|BUN|DENO)_VERSION$/.exec(name)?.[1]?.toLowerCase();
  return tool === undefined || node.text === undefined ? [] : [toolPin(tool, node.text, contentOf(node))];
}

/** Heroku: `java.runtime.version=11`. */
export const systemProperties = versionsAt("java", /^[ \t]*java\.runtime\.version\s*=\s*(\S+)/dgm);

export const fvmrc: PinReader = (text) =>
  under(leavesOf(parseJson(text), text), "flutter").map((leaf) => toolPin("flutter", leaf.text, leaf.location));

const scalaVersion = versionsAt("scala", /\bscalaVersion\s*:=\s*"([^"]+)"/dg);
const sbtVersion = versionsAt("sbt", /^[ \t]*sbt\.version\s*=\s*(\S+)/dgm);
export const sbt: PinReader = (...file) => [...scalaVersion(...file), ...sbtVersion(...file)];
