/** Infrastructure as code: Terraform, serverless.yml, SAM and CloudFormation, Compose, Kubernetes, Helm. */
import { getOwn } from "../../text/values.ts";
import { substitute } from "./dockerfile.ts";
import { imagePins } from "./images.ts";
import { found } from "./pin.ts";
import type { Pin, PinReader } from "./pin.ts";
import { requiredPin } from "./tools.ts";
import { contentOf, lastKey, type ScalarLeaf, type TextLocation, under } from "../tree/tree.ts";
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

/** Resources whose `version` is that of a managed product. */
const RESOURCES: readonly { readonly type: RegExp; readonly key: string; readonly product: string }[] = [
  { type: /^aws_eks_cluster$/, key: "version", product: "amazon-eks" },
  { type: /^aws_eks_node_group$/, key: "version", product: "amazon-eks" },
  { type: /^azurerm_kubernetes_cluster$/, key: "kubernetes_version", product: "azure-kubernetes-service" },
  { type: /^google_container_cluster$/, key: "min_master_version", product: "google-kubernetes-engine" },
  { type: /^azurerm_postgresql_(?:flexible_)?server$/, key: "version", product: "azure-database-for-postgresql" },
  { type: /^azurerm_mysql_(?:flexible_)?server$/, key: "version", product: "azure-database-for-mysql" },
  { type: /^aws_msk_cluster$/, key: "kafka_version", product: "amazon-msk" },
];

interface Attribute {
  readonly key: string;
  readonly value: string;
  readonly location: TextLocation;
  /** Type of the resource, `module` with its source, or another kind of block. */
  readonly block: string;
  readonly blockAt: number;
}

const BLOCK = /^(?<kind>\w+)(?:\s+"(?<type>[^"]*)")?(?:\s+"[^"]*")?\s*\{/gm;
const ATTRIBUTE = /^[ \t]*(?<key>\w+)[ \t]*=[ \t]*"(?<value>[^"\n]*)"/dgm;

/** `key = "literal"` inside its outermost block; references and functions are skipped. */
function attributes(text: string): readonly Attribute[] {
  const code = text.replace(/^\s*(?:#|\/\/).*$|\/\*[^]*?\*\//gm, (comment) => comment.replace(/[^\n]/g, " "));
  const blocks = [...code.matchAll(BLOCK)];
  const values = found(code, ATTRIBUTE, "value");
  return found(code, ATTRIBUTE, "key").map(({ matched: key, location }, index): Attribute => {
    const value = values[index] ?? { matched: "", location };
    const block = blocks.findLast((each) => each.index <= location.at);
    return {
      key,
      value: value.matched,
      location: value.location,
      block: blockName(block),
      blockAt: block?.index ?? -1,
    };
  });
}

/** The type of a resource; of other blocks their kind. */
function blockName(block: RegExpExecArray | undefined): string {
  const { kind = "", type = "" } = block?.groups ?? {};
  return kind === "resource" ? type : kind;
}

export const terraform: PinReader = (text) => {
  const all = attributes(text).filter(({ value }) => !value.includes("${"));
  return all.flatMap((attribute) => terraformPin(attribute, all));
};

function terraformPin(attribute: Attribute, all: readonly Attribute[]): readonly Pin[] {
  const { key, value, location, block } = attribute;
  if (key === "required_version" && block === "terraform") return [requiredPin("terraform", value, location)];
  if (key === "runtime" && block.startsWith("aws_lambda_")) return [lambdaPin(value, location)];
  if (key === "cluster_version") return [{ name: "amazon-eks", version: value, location }];
  if (key === "engine_version") return engineOf(attribute, all).map((engine) => enginePin(engine, value, location));
  return RESOURCES.filter(({ type, key: wanted }) => type.test(block) && key === wanted).map(({ product }) => ({
    name: product,
    version: value,
    location,
  }));
}

const engineOf = ({ blockAt }: Attribute, all: readonly Attribute[]): readonly string[] =>
  all
    .filter((other) => other.blockAt === blockAt && other.key === "engine")
    .map(({ value }) => value)
    .slice(0, 1);

/** One engine name may mean several products (`elasticsearch`, `valkey`); such names are kept as written. */
const enginePin = (engine: string, version: string, location: TextLocation): Pin => ({
  name: getOwn(ENGINES, engine) ?? engine,
  version,
  location,
});

/** A runtime of AWS Lambda (`nodejs16.x`, `python3.8`), which has an end of its own. */
const lambdaPin = (runtime: string, location: TextLocation): Pin => ({
  name: "aws-lambda",
  version: runtime,
  location,
});

const isReference = ({ text }: ScalarLeaf): boolean => /\$\{|^!/.test(text);

/** `provider.runtime` and the runtimes of functions, where the provider is AWS. */
export const serverlessYml: PinReader = (text) =>
  yamlLeaves(text).flatMap((all) => {
    const isAws = all.some(({ path, text: value }) => path.join("/") === "provider/name" && value === "aws");
    return all
      .filter((leaf) => isAws && lastKey(leaf) === "runtime" && !isReference(leaf))
      .map((leaf) => lambdaPin(leaf.text, leaf.location));
  });

/** `Runtime` of functions and layers, `EngineVersion` of databases. */
export const cloudFormation: PinReader = (text) =>
  yamlLeaves(text).flatMap((all) =>
    all.flatMap((leaf): readonly Pin[] => {
      if (isReference(leaf)) return [];
      if (lastKey(leaf) === "Runtime" && /^[a-z]+\d/.test(leaf.text)) return [lambdaPin(leaf.text, leaf.location)];
      if (lastKey(leaf) !== "EngineVersion") return [];
      const path = [...leaf.path.slice(0, -1), "Engine"].join("/");
      const engine = all.find((other) => other.path.join("/") === path)?.text;
      return engine === undefined ? [] : [enginePin(engine, leaf.text, leaf.location)];
    }),
  );

/** Variables get their defaults (`${TAG:-15}`), because the environment is not part of the file. */
export const composeYaml: PinReader = (text) =>
  yamlLeaves(text).flatMap((all) => {
    // An image that a service builds is the project's own; its Dockerfile is read separately.
    const built = new Set(
      all.filter(({ path }) => path[0] === "services" && path[2] === "build").map(({ path }) => path[1]),
    );
    return under(all, "services", "*", "image")
      .filter(({ path }) => !built.has(path[1]))
      .flatMap((leaf) => imagePins(substitute(leaf.text, new Map()), leaf.location));
  });

const CONTAINERS = new Set(["containers", "initContainers", "ephemeralContainers"]);

/** `…/containers/0/image`, at any depth, because pod templates are nested. */
function isContainerImage({ path }: ScalarLeaf): boolean {
  return path.at(-1) === "image" && CONTAINERS.has(path.at(-3) ?? "");
}

export const kubernetesYaml: PinReader = (text) =>
  yamlLeaves(text)
    .filter((all) => under(all, "apiVersion").length > 0 && under(all, "kind").length > 0)
    .flatMap((all) => all.filter(isContainerImage))
    .flatMap((leaf) => imagePins(leaf.text, leaf.location));

/** `image: { registry, repository, tag }` at any depth, and `image: name:tag`. */
export const helmValues: PinReader = (text) =>
  yamlLeaves(text).flatMap((all) => {
    const byPath = new Map(all.map((leaf) => [leaf.path.join("/"), leaf]));
    return all.flatMap((leaf): readonly Pin[] => {
      if (/^image$/i.test(lastKey(leaf)) && /^[\w./-]+:[\w.-]+$/.test(leaf.text))
        return imagePins(leaf.text, leaf.location);
      const isRepository = lastKey(leaf) === "repository" && /image/i.test(leaf.path.at(-2) ?? "");
      return isRepository ? repositoryPins(leaf, byPath) : [];
    });
  });

function repositoryPins(leaf: ScalarLeaf, byPath: ReadonlyMap<string, ScalarLeaf>): readonly Pin[] {
  const beside = (key: string): ScalarLeaf | undefined => byPath.get([...leaf.path.slice(0, -1), key].join("/"));
  const parts = [beside("registry")?.text, leaf.text].filter(Boolean).join("/");
  const tag = beside("tag");
  return tag && tag.text !== "" ? imagePins(`${parts}:${tag.text}`, tag.location) : imagePins(parts, leaf.location);
}

/** `kubeVersion` is the range of Kubernetes that the chart allows. */
export const helmChart: PinReader = (text) =>
  yamlLeaves(text).flatMap((all) =>
    under(all, "kubeVersion").map(({ text: version, location }) => ({
      ...(/[<>=^~*x|,\s-]/.test(version) && { minimum: true }),
      name: "kubernetes",
      version,
      location: contentOf({ ...location, text: version }),
    })),
  );
