/**
 * What runs in a cluster: the answer of `kubectl get … -o json` or `-o yaml`, with an entry for each image of each
 * workload. Pods of one workload that run the same image are one entry.
 */
import { EolgateError } from "../../messages/error.ts";
import type { ToolNames } from "../../model/index.ts";
import type { InventoryContents } from "../document.ts";
import { brokenPinFile } from "../errors.ts";
import { imagePins } from "./images.ts";
import { modelPins } from "./models.ts";
import { namedPins } from "./tools.ts";
import { parseJson } from "../tree/json.ts";
import { child, contentOf, itemsAt, textAt, type TextLocation, type TreeNode } from "../tree/tree.ts";
import { yamlTrees } from "../tree/yaml.ts";

export interface RunningImage {
  /** Absent for objects of the whole cluster. */
  readonly namespace: string | undefined;
  /** `Deployment/web`: what the Pods belong to. */
  readonly owner: string;
  readonly container: string;
  /** As the Pod or its template names it. */
  readonly image: string;
  readonly location: TextLocation;
  /** The manifest that a Pod runs; absent for a template, and where the node states none. */
  readonly digest: string | undefined;
  /** The range of the container in the text. */
  readonly within: TextLocation;
}

/**
 * The images of what runs, each with its components and the models that its container names.
 * @throws EolgateError `pin-file-broken` with the line
 */
export function runningContents(
  text: string,
  names: ToolNames,
): readonly (readonly [RunningImage, InventoryContents])[] {
  try {
    return runningImages(text).map((running) => {
      const { image, location, within } = running;
      const pins = imagePins(image, location).flatMap((pin) => namedPins(pin, names));
      const models = modelPins(text.slice(within.at, within.at + within.length)).map((pin) => ({
        ...pin,
        location: { ...pin.location, at: within.at + pin.location.at },
      }));
      return [running, { format: "pins", specVersion: "kubernetes", entries: [...pins, ...models] }];
    });
  } catch (cause) {
    throw cause instanceof EolgateError ? brokenPinFile(cause) : cause;
  }
}

/**
 * The images of a text with a list of objects, or with an object that a cluster stores. None for a manifest, which is
 * read as a file of its project.
 * @throws EolgateError `lockfile-broken` with the line
 */
function runningImages(text: string): readonly RunningImage[] {
  const roots = /^\s*\{/.test(text) ? [parseJson(text)] : yamlTrees(text);
  if (!roots.some((root) => isList(root) || textAt(root, "metadata", "uid") !== undefined)) return [];
  return unique(roots.flatMap(objectsIn).flatMap(imagesOf));
}

const isList = (node: TreeNode): boolean =>
  textAt(node, "kind")?.endsWith("List") === true && child(node, "items")?.items !== undefined;

interface ClusterObject {
  readonly kind: string;
  readonly object: TreeNode;
}

/** The items of a typed list (`PodList`) have no kind of their own. */
function objectsIn(root: TreeNode): readonly ClusterObject[] {
  const kind = textAt(root, "kind") ?? "";
  if (!isList(root)) return [{ kind, object: root }];
  const ofList = kind.replace(/List$/, "");
  return itemsAt(root, "items").map((object) => ({ kind: textAt(object, "kind") ?? ofList, object }));
}

function imagesOf({ kind, object }: ClusterObject): readonly RunningImage[] {
  // Earlier revisions of a Deployment are kept with no Pods.
  if (kind === "ReplicaSet" && textAt(object, "spec", "replicas") === "0") return [];
  const namespace = textAt(object, "metadata", "namespace");
  const owner = ownerOf(kind, object);
  const digests = digestsOf(object);
  return containersIn(object).flatMap((node): readonly RunningImage[] => {
    const [image, container = ""] = [child(node, "image"), textAt(node, "name")];
    if (image?.text === undefined || image.text.trim() === "") return [];
    const digest = kind === "Pod" ? digests.get(container) : undefined;
    return [{ namespace, owner, container, image: image.text, location: contentOf(image), digest, within: node }];
  });
}

/**
 * The workload of a Pod. A Deployment owns its Pods by a ReplicaSet, which has its name and the hash of the template; a
 * static Pod, which its node owns, is its own workload.
 */
function ownerOf(kind: string, object: TreeNode): string {
  const owners = itemsAt(object, "metadata", "ownerReferences");
  const owner = owners.find((each) => textAt(each, "controller") === "true") ?? owners[0];
  const [ownerKind, name = ""] = [textAt(owner, "kind"), textAt(owner, "name")];
  if (ownerKind === undefined || ownerKind === "Node") return `${kind}/${textAt(object, "metadata", "name") ?? ""}`;
  const hash = textAt(object, "metadata", "labels", "pod-template-hash");
  const isDeployment = ownerKind === "ReplicaSet" && hash !== undefined && name.endsWith(`-${hash}`);
  return isDeployment ? `Deployment/${name.slice(0, -hash.length - 1)}` : `${ownerKind}/${name}`;
}

const STATUSES = ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"];

/** `docker.io/library/node@sha256:…`. An id without a repository is that of a configuration, and of no manifest. */
const digestsOf = (object: TreeNode): ReadonlyMap<string, string> =>
  new Map(
    STATUSES.flatMap((key) => itemsAt(object, "status", key)).flatMap((status) => {
      const digest = /@(sha256:[0-9a-f]{64})$/.exec(textAt(status, "imageID") ?? "")?.[1];
      return digest === undefined ? [] : [[textAt(status, "name") ?? "", digest] as const];
    }),
  );

const CONTAINERS = new Set(["containers", "initContainers", "ephemeralContainers"]);

/** At any depth, because templates of Pods are nested. */
function containersIn({ members, items = [] }: TreeNode): readonly TreeNode[] {
  const inner = [...(members ?? [])].flatMap(([key, value]) =>
    CONTAINERS.has(key) ? (value.items ?? []) : containersIn(value),
  );
  return [...inner, ...items.flatMap(containersIn)];
}

/** A template is left out where its Pods are in the text, too: they state what runs. */
function unique(images: readonly RunningImage[]): readonly RunningImage[] {
  const keyOf = ({ namespace = "", owner, container, image }: RunningImage): string =>
    JSON.stringify([namespace, owner, container, image]);
  const running = new Set(images.filter(({ digest }) => digest !== undefined).map(keyOf));
  const first = new Map<string, RunningImage>();
  for (const each of images) {
    const key = `${keyOf(each)} ${each.digest ?? ""}`;
    if (!first.has(key) && (each.digest !== undefined || !running.has(keyOf(each)))) first.set(key, each);
  }
  return [...first.values()];
}
