/** Compose files and Kubernetes manifests: the images that they run. */
import { substitute } from "./dockerfile.ts";
import { imagePins } from "./images.ts";
import type { PinReader } from "./pin.ts";
import { under, yamlLeaves } from "./yaml.ts";
import type { Leaf } from "./yaml.ts";

/** Variables get their defaults (`${TAG:-15}`), because the environment is not part of the file. */
export const composeYaml: PinReader = (text) =>
  yamlLeaves(text).flatMap((all) => {
    // An image that a service builds is the project's own; its Dockerfile is read separately.
    const built = new Set(
      all.filter(({ path }) => path[0] === "services" && path[2] === "build").map(({ path }) => path[1]),
    );
    return under(all, "services", "*", "image")
      .filter(({ path }) => !built.has(path[1]))
      .flatMap((leaf) => imagePins(substitute(leaf.text, new Map()), leaf.place));
  });

const CONTAINERS = new Set(["containers", "initContainers", "ephemeralContainers"]);

/** `…/containers/0/image`, at any depth, because pod templates are nested. */
function isContainerImage({ path }: Leaf): boolean {
  return path.at(-1) === "image" && CONTAINERS.has(path.at(-3) ?? "");
}

export const kubernetesYaml: PinReader = (text) =>
  yamlLeaves(text)
    .filter((all) => under(all, "apiVersion").length > 0 && under(all, "kind").length > 0)
    .flatMap((all) => all.filter(isContainerImage))
    .flatMap((leaf) => imagePins(leaf.text, leaf.place));
