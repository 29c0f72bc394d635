/**
 * Terraform: `required_version`, and the versions of managed products that resources name. Variables and locals have the
 * values that the module states: in `terraform.tfvars`, as a default, or in `locals`. Others are computed values.
 */
import { enginePin, lambdaPin } from "./infrastructure.ts";
import { found } from "./pin.ts";
import type { Pin, PinReader } from "./pin.ts";
import { requiredPin } from "./tools.ts";
import type { TextLocation } from "../tree/tree.ts";

interface ResourceRow {
  readonly type: RegExp;
  readonly key: RegExp;
  /** `$1` is the group of the key, or of the value where `value` has one. */
  readonly product: string;
  /** The version in the value, in its last group; the whole value without it. */
  readonly value?: RegExp;
}

/** Resources whose attribute is the version of a managed product. */
const RESOURCES: readonly ResourceRow[] = [
  { type: /^aws_eks_(?:cluster|node_group)$/, key: /^version$/, product: "amazon-eks" },
  { type: /^azurerm_kubernetes_cluster$/, key: /^kubernetes_version$/, product: "azure-kubernetes-service" },
  { type: /^google_container_cluster$/, key: /^min_master_version$/, product: "google-kubernetes-engine" },
  { type: /^azurerm_postgresql_(?:flexible_)?server$/, key: /^version$/, product: "azure-database-for-postgresql" },
  { type: /^azurerm_mysql_(?:flexible_)?server$/, key: /^version$/, product: "azure-database-for-mysql" },
  { type: /^aws_msk_cluster$/, key: /^kafka_version$/, product: "amazon-msk" },
  {
    type: /^google_sql_database_instance$/,
    key: /^database_version$/,
    product: "google-cloud-sql-$1",
    value: /^(POSTGRES|MYSQL|SQLSERVER)_(\d+(?:_\d+)*)/,
  },
  {
    type: /^google_cloudfunctions2?_function$/,
    key: /^runtime$/,
    product: "google-cloud-functions-$1",
    value: /^([a-z]+)(\d+)$/,
  },
  {
    type: /^azurerm_(?:linux|windows)_web_app(?:_slot)?$/,
    key: /^(node|php|python|dotnet|java|ruby)_version$/,
    product: "azure-app-service-$1",
    value: /^[~v]?(\d[\d.]*)/,
  },
  {
    type: /^azurerm_(?:linux|windows)_function_app(?:_slot)?$/,
    key: /^(node|python|dotnet|java)_version$/,
    product: "azure-functions-$1",
    value: /^[~v]?(\d[\d.]*)/,
  },
];

interface Attribute {
  readonly key: string;
  /** The literal, the value of a variable of the module, or the expression. */
  readonly value: string;
  readonly location: TextLocation;
  /** Type of the resource; of another block its kind. */
  readonly block: string;
  /** The name of a variable. */
  readonly label: string;
  readonly blockAt: number;
}

const BLOCK = /^(?<kind>\w+)(?:\s+"(?<type>[^"]*)")?(?:\s+"[^"]*")?\s*\{/gm;
const ATTRIBUTE = /(?:^|[{,;])[ \t]*(?<key>\w+)[ \t]*=[ \t]*(?<written>"[^"\n]*"|(?:var|local)\.\w+)/dgm;
const OUTSIDE = { block: "", label: "", blockAt: -1 };

/** Attributes with a literal or a reference, each inside its outermost block. */
function attributes(text: string): readonly Attribute[] {
  const code = text.replace(/^\s*(?:#|\/\/).*$|\/\*[^]*?\*\//gm, (comment) => comment.replace(/[^\n]/g, " "));
  const blocks = [...code.matchAll(BLOCK)].map(({ index, groups: { kind = "", type = "" } = {} }) => ({
    block: kind === "resource" ? type : kind,
    label: type,
    blockAt: index,
  }));
  const keys = found(code, ATTRIBUTE, "key");
  return found(code, ATTRIBUTE, "written").map(({ matched, location }, index): Attribute => {
    const quotes = matched.startsWith('"') ? 1 : 0;
    return {
      ...(blocks.findLast(({ blockAt }) => blockAt <= location.at) ?? OUTSIDE),
      key: keys[index]?.matched ?? "",
      value: matched.slice(quotes, matched.length - quotes),
      location: { at: location.at + quotes, length: matched.length - 2 * quotes },
    };
  });
}

/** Files of a module that by convention state values; a module may have others. */
const MODULE_FILES = ["variables.tf", "locals.tf", "main.tf", "versions.tf", "terraform.tf"];

/** The values of `var.name` and `local.name` in the module. */
function moduleValues(text: string, related: (path: string) => string | undefined): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const part of [...MODULE_FILES.map((name) => related(name) ?? ""), text])
    for (const { key, value, block, label } of attributes(part)) {
      if (block === "variable" && key === "default") values.set(`var.${label}`, value);
      if (block === "locals") values.set(`local.${key}`, value);
    }
  for (const { key, value } of attributes(related("terraform.tfvars") ?? "")) values.set(`var.${key}`, value);
  return values;
}

const REFERENCE = /^(?:\$\{\s*)?((?:var|local)\.\w+)(?:\s*\})?$/;

/** The value behind a reference; the expression itself where the module does not state it. */
function valueOf(written: string, values: ReadonlyMap<string, string>, depth = 0): string {
  const reference = REFERENCE.exec(written)?.[1];
  const value = reference === undefined ? undefined : values.get(reference);
  return value === undefined || depth > 5 ? written : valueOf(value, values, depth + 1);
}

export const terraform: PinReader = (text, related) => {
  const values = moduleValues(text, related);
  const all = attributes(text).map((each) => ({ ...each, value: valueOf(each.value, values) }));
  return all.flatMap((attribute) => terraformPin(attribute, all));
};

function terraformPin(attribute: Attribute, all: readonly Attribute[]): readonly Pin[] {
  const { key, value, location, block } = attribute;
  if (key === "required_version" && block === "terraform") return [requiredPin("terraform", value, location)];
  if (key === "runtime" && block.startsWith("aws_lambda_")) return [lambdaPin(value, location)];
  if (key === "cluster_version" && block !== "variable") return [{ name: "amazon-eks", version: value, location }];
  if (key === "engine_version") return engineOf(attribute, all).map((engine) => enginePin(engine, value, location));
  return RESOURCES.filter((row) => row.type.test(block) && row.key.test(key)).map((row) => resourcePin(row, attribute));
}

const engineOf = ({ blockAt }: Attribute, all: readonly Attribute[]): readonly string[] =>
  all
    .filter((other) => other.blockAt === blockAt && other.key === "engine")
    .map(({ value }) => value)
    .slice(0, 1);

/** Names of languages in attributes and runtimes that differ from those of the products. */
const LANGUAGES: Readonly<Record<string, string>> = { node: "nodejs" };

function resourcePin({ key: name, product, value: pattern }: ResourceRow, { key, value, location }: Attribute): Pin {
  const groups = pattern?.exec(value)?.slice(1) ?? [];
  const version = groups.at(-1) ?? value;
  const named = (name.exec(key)?.[1] ?? groups[0] ?? "").toLowerCase();
  return { name: product.replace("$1", LANGUAGES[named] ?? named), version: dotted(named, version), location };
}

/** `python37` is Python 3.7, and `9_6` is 9.6. */
const dotted = (language: string, version: string): string =>
  (language === "python" ? version.replace(/^3(?=\d)/, "3.") : version).replaceAll("_", ".");
