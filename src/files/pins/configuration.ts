/**
 * Configuration that no other reader takes: YAML, JSON, TOML, HCL and templates of them. Values under keys of images,
 * pairs of a repository and a tag, charts, runtimes, and versions of products that the catalogue lists are pins.
 */
import { imagePins } from "./images.ts";
import { chartPurl, found, type KnownPin, type Pin, type PinReader } from "./pin.ts";
import { toolPin } from "./tools.ts";
import { parseJson } from "../tree/json.ts";
import { lastKey, leavesOf, linesOf, type ScalarLeaf } from "../tree/tree.ts";
import { parseToml } from "../tree/toml.ts";
import { yamlLeaves } from "../tree/yaml.ts";

/** `image`, `baseImage`, `docker_image`, `IMAGE`, `imageName`; `Image` with a name below it. */
const IMAGE_KEY = /image(?:[-_]?(?:name|ref|reference|ur[il]))?$/i;
const NAME_KEY = /^(?:name|ur[il]|location|source|ref|reference)$/i;
/** A reference with a tag or a digest. A picture has an extension, an address a scheme, a port four or five digits. */
const TAGGED =
  /^(?=[\w./:@-]*[a-z])[a-z0-9][\w.-]*(?::\d{2,5}\/)?[\w./-]*(?::(?!\d{4,5}$)\w[\w.-]*(?:@sha256:[0-9a-f]{64})?|@sha256:[0-9a-f]{64})$/i;
/** A name without a tag, in a registry or not. */
const UNTAGGED = /^[a-z0-9][a-z0-9._-]*(?:\/[a-z0-9._-]+)*$/;
const VERSION = /^v?\d+(?:\.\d+)*(?:\.[x*]|[-+.]?[a-z][\w.+-]*)?$/i;
/** `node_version`, `PHP_VERSION`, `nodeVersion`, `postgresMajorVersion`, `python-versions`. */
const VERSION_KEY = /^([a-z][a-z0-9-]*?)(?:[_-]?(?:major|default))?[_-]?versions?$/i;
const RUNTIME = /^([a-z]+)-?(\d[\d.]*)(?:\.x|-?lts)?$/i;
/** Languages whose runtimes are written without a point: `python37`, `php72`, `go116`. */
const WITHOUT_POINT = /^(?:python(?=3\d)|php(?=\d\d)|ruby(?=\d\d)|go(?=1\d\d))(\d)(\d+)$/;

/** Keys of the tag beside a repository or a name, best first. */
const TAG_KEYS = ["tag", "newTag", "imageTag", "image_tag", "docker_image_tag", "version"];

/** Most values are no images and versions of products: only names that the catalogue lists are pins. */
const known = (...pins: readonly Pin[]): readonly KnownPin[] => [
  { known: pins.filter((pin) => "tool" in pin || "repository" in pin) },
];

export const configuration: PinReader = (text) => {
  const documents = documentsOf(text);
  return documents.flatMap((leaves) => {
    const byPath = new Map(leaves.map((leaf) => [leaf.path.join("\n"), leaf]));
    const beside = (leaf: ScalarLeaf, key: string) => byPath.get([...leaf.path.slice(0, -1), key].join("\n"));
    return leaves.flatMap((leaf) => pinsOf(leaf, (key) => beside(leaf, key)));
  });
};

type Beside = (key: string) => ScalarLeaf | undefined;

/** The first rule that reads a value decides. */
function pinsOf(leaf: ScalarLeaf, beside: Beside): readonly Pin[] {
  if (leaf.text.length > 300 || leaf.text.includes("{{")) return [];
  const rules = [builtImage, chart, repository, image, runtime, namedVersion, anyReference];
  for (const rule of rules) {
    const pins = rule(leaf, beside);
    if (pins !== undefined) return pins;
  }
  return [];
}

type ValueRule = (leaf: ScalarLeaf, beside: Beside) => readonly Pin[] | undefined;

/** `docker-image://node:18` of Docker's bake files. */
const builtImage: ValueRule = ({ text, location }) =>
  text.startsWith("docker-image://") ? imagePins(text.slice("docker-image://".length), location) : undefined;

/** `chart` with `version` or `targetRevision`: Flux, Argo CD, helmfile and Terraform. */
const chart: ValueRule = (leaf, beside) => {
  const version = lastKey(leaf) === "chart" ? (beside("version") ?? beside("targetRevision")) : undefined;
  if (version === undefined) return undefined;
  const name = leaf.text.slice(leaf.text.lastIndexOf("/") + 1);
  const purl = chartPurl(name, (beside("repoURL") ?? beside("repository"))?.text);
  return [{ name, purl, version: version.text, location: version.location }];
};

/** `repository` and `tag`, also with a `registry`; `name` and `newTag`; `docker_image_name` and its tag. */
const repository: ValueRule = (leaf, beside) => {
  if (!/^repository$/i.test(lastKey(leaf)) && !IMAGE_KEY.test(lastKey(leaf))) return undefined;
  const tag = TAG_KEYS.map(beside).find((found) => found !== undefined && VERSION.test(found.text));
  if (tag === undefined || !UNTAGGED.test(leaf.text)) return undefined;
  const registry = beside("registry")?.text;
  return imagePins(`${registry ? `${registry}/` : ""}${leaf.text}:${tag.text}`, tag.location);
};

const image: ValueRule = ({ path, text, location }) => {
  const [key = "", above = ""] = [path.at(-1), path.at(-2)];
  const isImage = IMAGE_KEY.test(key) || (IMAGE_KEY.test(above) && (NAME_KEY.test(key) || /^\d+$/.test(key)));
  if (!isImage) return undefined;
  if (TAGGED.test(text)) return imagePins(text, location);
  return UNTAGGED.test(text) ? known(...imagePins(text, location)) : undefined;
};

const runtime: ValueRule = (leaf) => {
  const [, language = "", version = ""] = /^(?:runtime|engine|stack)$/i.test(lastKey(leaf))
    ? (RUNTIME.exec(leaf.text) ?? [])
    : [];
  if (language === "") return undefined;
  const dotted = WITHOUT_POINT.exec(leaf.text.toLowerCase());
  return known(toolPin(language, dotted ? `${dotted[1] ?? ""}.${dotted[2] ?? ""}` : version, leaf.location));
};

/** `php_version: 7.4`, items of `node_versions`, and the pairs `key: NODE_VERSION`, `value: 14` and `type`, `version`. */
const namedVersion: ValueRule = (leaf, beside) => {
  const product = VERSION.test(leaf.text) ? productOf(leaf, beside) : "";
  return product === "" ? undefined : known(toolPin(product, leaf.text, leaf.location));
};

function productOf(leaf: ScalarLeaf, beside: Beside): string {
  const own = (/^\d+$/.test(lastKey(leaf)) ? leaf.path.at(-2) : lastKey(leaf)) ?? "";
  const text = (...keys: readonly string[]) => keys.map(beside).find((found) => found !== undefined)?.text ?? "";
  if (own === "version") return text("type", "engine");
  return VERSION_KEY.exec(own === "value" ? text("key", "name") : own)?.[1] ?? "";
}

/** `box: node:14`, `type: php:7.4`, `nodejs@14` in a list. The catalogue lists the image, or else the tool. */
const anyReference: ValueRule = ({ text, location }) => {
  const [, name, separator, version = ""] = /^([a-z][a-z0-9-]*)([@:])(\d[\w.-]*)$/.exec(text) ?? [];
  if (/^(?:\d{4,5}|80|443)$/.test(version) || (name === undefined && !TAGGED.test(text))) return undefined;
  const tools = name === undefined ? [] : [toolPin(name, version, location)];
  return known(...(separator === "@" ? [] : imagePins(text, location)), ...tools);
};

const FIRST_LINE = /^(?![ \t]*(?:#|\/\/|$)).*$/m;

/** The values of a text with their paths. A text that is none of the three formats is read line by line. */
function documentsOf(text: string): readonly (readonly ScalarLeaf[])[] {
  const isJson = /^\s*[[{]/.test(FIRST_LINE.exec(text)?.[0] ?? "");
  const isToml = /^[ \t]*\[{1,2}[\w."-]+\]{1,2}[ \t]*(?:#.*)?$/m.test(text);
  const readers = [
    ...(isJson ? [() => [leavesOf(parseJson(text, { comments: true }), text)]] : []),
    ...(isToml ? [() => [leavesOf(parseToml(text), text)]] : []),
    () => yamlLeaves(text),
  ];
  for (const read of readers) {
    try {
      return read();
    } catch {
      // The next format, and at last no format.
    }
  }
  return [lineLeaves(text)];
}

const LINE_VALUE = /(?:^|[\s{,([])["']?([A-Za-z][\w.-]*)["']?[ \t]*(?:=>|[:=])[ \t]*["']?([^\s"',;{}()[\]]+)/dg;

/** Keys and values on one line. Lines of equal indentation that follow one another belong together. */
function lineLeaves(text: string): readonly ScalarLeaf[] {
  let [block, indentation] = [0, ""];
  return linesOf(text).flatMap((line) => {
    const indent = /^[ \t]*(?:-[ \t]+)?/.exec(line.text)?.[0] ?? "";
    if (/^(?:#|\/\/|;)/.test(line.text.slice(indent.length)) || line.text.length > 10_000) return [];
    if (indent.length !== indentation.length || indent.includes("-")) [block, indentation] = [block + 1, indent];
    return found(line.text, LINE_VALUE, 2).map(({ matched, location }) => {
      const at = line.at + location.at;
      const key =
        /([A-Za-z][\w.-]*)["']?[ \t]*(?:=>|[:=])[ \t]*["']?$/.exec(line.text.slice(0, location.at))?.[1] ?? "";
      return { path: [String(block), key], text: matched, source: matched, location: { at, length: matched.length } };
    });
  });
}

const COMPUTED = /image[\w-]*["']?[ \t]*[:=][ \t]*["']?(?:[\w./:-]*[$%{<]|[\w-]+\.[\w.-]+\/|[\w./-]*[a-z]:\d)/i;
const STARTED = /\b(?:docker|podman|nerdctl)(?:[ \t]+(?:image|container))?[ \t]+(?:run|pull|create)\b/;

/** Whether a text without pins mentions images: it computes their names, or its commands start them. */
export const mentionsImages = (text: string): boolean => COMPUTED.test(text) || STARTED.test(text);
