/** Infrastructure as code: serverless.yml, SAM and CloudFormation, Compose, Kubernetes, Helm; terraform.ts reads HCL. */
import { getOwn } from "../../text/values.ts";
import { substitute } from "../expansion.ts";
import { configuration } from "./configuration.ts";
import { imagePins } from "./images.ts";
import { assignments, chartPurl, type Pin, type PinReader } from "./pin.ts";
import { contentOf, lastKey, leafFinder, type ScalarLeaf, type TextLocation, under } from "../tree/tree.ts";
import { yamlLeaves } from "../tree/yaml.ts";

/** Providers' names of managed database engines → product of the catalogue. */
const ENGINES: Readonly<Record<string, string>> = {
  "aurora-postgresql": "amazon-aurora-postgresql",
  docdb: "amazon-documentdb",
  mariadb: "amazon-rds-mariadb",
  mysql: "amazon-rds-mysql",
  neptune: "amazon-neptune",
  postgres: "amazon-rds-postgresql",
  redis: "amazon-elasticache-redis",
};

/** One engine name may mean several products (`elasticsearch`, `valkey`); such names are kept as written. */
export const enginePin = (engine: string, version: string, location: TextLocation): Pin => ({
  name: getOwn(ENGINES, engine) ?? engine,
  version,
  location,
});

/** A runtime of AWS Lambda (`nodejs16.x`, `python3.8`), which has an end of its own. */
export const lambdaPin = (version: string, location: TextLocation): Pin => ({ name: "aws-lambda", version, location });

const isReference = ({ text }: ScalarLeaf): boolean => /\$\{|^!/.test(text);

/** `provider.runtime` and the runtimes of functions. Those of other clouds than AWS are judged by their language. */
export const serverlessYml: PinReader = (text, related) =>
  yamlLeaves(text).flatMap((all) => {
    const isAws = all.some(({ path, text: value }) => path.join("/") === "provider/name" && value === "aws");
    if (!isAws) return configuration(text, related);
    return all
      .filter((leaf) => lastKey(leaf) === "runtime" && !isReference(leaf))
      .map((leaf) => lambdaPin(leaf.text, leaf.location));
  });

/** `Runtime` of functions and layers, `EngineVersion` of databases. */
export const cloudFormation: PinReader = (text) =>
  yamlLeaves(text).flatMap((all) => {
    const leafAt = leafFinder(all);
    return all.flatMap((leaf): readonly Pin[] => {
      if (isReference(leaf)) return [];
      if (lastKey(leaf) === "Runtime" && /^[a-z]+\d/.test(leaf.text)) return [lambdaPin(leaf.text, leaf.location)];
      if (lastKey(leaf) !== "EngineVersion") return [];
      const engine = leafAt(...leaf.path.slice(0, -1), "Engine")?.text;
      return engine === undefined ? [] : [enginePin(engine, leaf.text, leaf.location)];
    });
  });

/** Variables have the values of the file `.env` beside it, else their defaults (`${TAG:-15}`). */
export const composeYaml: PinReader = (text, related) => {
  const variables = assignments(related(".env"));
  return yamlLeaves(text).flatMap((all) => {
    // An image that a service builds is the project's own; its Dockerfile is read separately.
    const built = new Set(
      all.filter(({ path }) => path[0] === "services" && path[2] === "build").map(({ path }) => path[1]),
    );
    return under(all, "services", "*", "image")
      .filter(({ path }) => !built.has(path[1]))
      .flatMap((leaf) => imagePins(substitute(leaf.text, variables), leaf.location));
  });
};

const CONTAINERS = new Set(["containers", "initContainers", "ephemeralContainers"]);

/** `…/containers/0/image`, at any depth, because pod templates are nested. */
function isContainerImage({ path }: ScalarLeaf): boolean {
  return path.at(-1) === "image" && CONTAINERS.has(path.at(-3) ?? "");
}

/** What a template computes (`{{ … }}`) is not known before it is rendered, and most templates are no YAML before. */
export const kubernetesYaml: PinReader = (text) => {
  try {
    return yamlLeaves(text)
      .filter((all) => under(all, "apiVersion").length > 0 && under(all, "kind").length > 0)
      .flatMap((all) => all.filter((leaf) => isContainerImage(leaf) && !leaf.text.includes("{{")))
      .flatMap((leaf) => imagePins(leaf.text, leaf.location));
  } catch (cause) {
    if (text.includes("{{")) return [];
    throw cause;
  }
};

/** `image: { registry, repository, tag }` at any depth, and `image: name:tag`. */
export const helmValues: PinReader = (text, related) =>
  yamlLeaves(text).flatMap((all) => {
    const appVersion = /^appVersion:\s*["']?([^"'\s#]+)/m.exec(related("Chart.yaml") ?? "")?.[1];
    const leafAt = leafFinder(all);
    return all.flatMap((leaf): readonly Pin[] => {
      if (/^image$/i.test(lastKey(leaf)) && /^[\w./-]+:[\w.-]+$/.test(leaf.text))
        return imagePins(leaf.text, leaf.location);
      const isRepository = lastKey(leaf) === "repository" && /image/i.test(leaf.path.at(-2) ?? "");
      return isRepository ? repositoryPins(leaf, leafAt, appVersion) : [];
    });
  });

/** Charts use their `appVersion` where the tag is empty. */
function repositoryPins(
  leaf: ScalarLeaf,
  leafAt: ReturnType<typeof leafFinder>,
  appVersion: string | undefined,
): readonly Pin[] {
  const beside = (key: string): ScalarLeaf | undefined => leafAt(...leaf.path.slice(0, -1), key);
  const parts = [beside("registry")?.text, leaf.text].filter(Boolean).join("/");
  const tag = beside("tag");
  const used = tag?.text === "" ? appVersion : tag?.text;
  return imagePins(used ? `${parts}:${used}` : parts, tag?.text ? tag.location : leaf.location);
}

/** The chart itself where it is deprecated, the charts that it needs, and `kubeVersion`, the range of Kubernetes that the chart allows. */
export const helmChart: PinReader = (text) =>
  yamlLeaves(text).flatMap((all) => {
    const leafAt = leafFinder(all);
    const name = leafAt("name");
    return [
      ...(name === undefined ? [] : under(all, "deprecated"))
        .filter(({ text: stated }) => stated === "true")
        .map(({ location }): Pin => ({
          name: name?.text ?? "",
          purl: `pkg:helm/${name?.text ?? ""}`,
          version: leafAt("version")?.text,
          location: leafAt("version")?.location ?? location,
          retirement: { kind: "deprecated", at: location.at },
        })),
      ...under(all, "dependencies", "*", "version").map((version): Pin => {
        const beside = (key: string): string | undefined => leafAt(...version.path.slice(0, -1), key)?.text;
        const name = beside("name") ?? "";
        const purl = chartPurl(name, beside("repository"));
        return { name, purl, version: version.text, location: version.location };
      }),
      ...under(all, "kubeVersion").map(({ text: version, location }): Pin => ({
        ...(/[<>=^~*x|,\s-]/.test(version) && { minimum: true }),
        name: "kubernetes",
        version,
        location: contentOf({ ...location, text: version }),
      })),
    ];
  });
