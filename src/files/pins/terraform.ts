/**
 * Terraform: `required_version`, and the versions of managed products that resources name. Variables, locals and
 * attributes of resources have the values that the module states: in `terraform.tfvars`, as a default, in `locals`, or in
 * the resource. Other expressions are computed values, written as `${expression}`.
 */
import { enginePin, lambdaPin } from "./infrastructure.ts";
import { blanked, type Pin, type PinReader } from "./pin.ts";
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
  /** The literal, or `${expression}`. */
  readonly value: string;
  readonly location: TextLocation;
  /** Type of the resource; of another block its kind. */
  readonly block: string;
  /** The name of a variable, resource or module. */
  readonly label: string;
  readonly blockAt: number;
}

const BLOCK = /^(?<kind>\w+)(?:\s+"(?<first>[^"]*)")?(?:\s+"(?<second>[^"]*)")?\s*\{/gm;
const ATTRIBUTE = /(?:^|[{,;])[ \t]*(?<key>\w+)[ \t]*=(?![=>])[ \t]*/gm;
const LITERAL = /^(?:"(?<text>(?:[^"\\]|\\.)*)"|(?<number>\d+(?:\.\d+)*))$/;
const OUTSIDE = { block: "", label: "", blockAt: -1 };
/** Comments, and heredocs, which often contain scripts. Strings are matched because they can contain the same characters. */
const NO_CODE = /"(?:\\.|[^"\\\n])*"|(?:#|\/\/).*$|\/\*[^]*?\*\/|<<[-~]?(?<end>\w+)$[^]*?^\s*\k<end>$/gm;

/** The attributes of a file, each inside its outermost block. */
function attributes(text: string): readonly Attribute[] {
  const code = blanked(text, NO_CODE);
  const blocks = blocksOf(code);
  let block = -1;
  return [...code.matchAll(ATTRIBUTE)].flatMap(({ 0: whole, index, groups: { key = "" } = {} }): Attribute[] => {
    const at = index + whole.length;
    while ((blocks[block + 1]?.blockAt ?? Infinity) <= at) block++;
    const attribute = attributeAt(code, at);
    return attribute ? [{ ...(blocks[block] ?? OUTSIDE), key, ...attribute }] : [];
  });
}

const blocksOf = (code: string) =>
  [...code.matchAll(BLOCK)].map(({ index, groups: { kind = "", first = "", second = "" } = {} }) => ({
    block: kind === "resource" ? first : kind,
    label: second || first,
    blockAt: index,
  }));

/** Undefined for `null`, which leaves the attribute out, and for a list or an object, which has attributes of its own. */
function attributeAt(code: string, at: number): Pick<Attribute, "value" | "location"> | undefined {
  const written = expressionAt(code, at);
  if (written === "" || written === "null" || /^[[{]/.test(written)) return undefined;
  const { text: quoted, number } = LITERAL.exec(written)?.groups ?? {};
  if (quoted !== undefined) return { value: quoted, location: { at: at + 1, length: quoted.length } };
  return { value: number ?? `\${${written.replace(/\s+/g, " ")}}`, location: { at, length: written.length } };
}

/** Longer expressions are shown up to this length. */
const MAX_EXPRESSION = 200;
const CLOSING: Readonly<Record<string, number>> = { "(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1 };

/** The expression at a position: up to the end of its line, or of the block or list that it is in. */
function expressionAt(code: string, start: number): string {
  let depth = 0;
  const tokens = /"(?:\\.|[^"\\\n])*"|[^]/gy;
  tokens.lastIndex = start;
  for (let token = tokens.exec(code)?.[0]; token !== undefined; token = tokens.exec(code)?.[0]) {
    depth += CLOSING[token] ?? 0;
    const ends = depth < 0 || (depth === 0 && /^[\n,;]$/.test(token));
    const at = tokens.lastIndex - (ends ? 1 : 0);
    if (ends || at - start > MAX_EXPRESSION) return code.slice(start, at).trimEnd();
  }
  return code.slice(start).trimEnd();
}

/** Files of a module that by convention state values; a module may have others. */
const MODULE_FILES = ["variables.tf", "locals.tf", "main.tf", "versions.tf", "terraform.tf"];

/** The values of `var.name` and `local.name` in the module. */
function moduleValues(text: string, related: (path: string) => string | undefined): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const part of [...MODULE_FILES.map((name) => related(name) ?? ""), text])
    for (const { key, value, block, label } of attributes(part)) {
      if (block === "variable" && key === "default") values.set(`var.${label}`, value);
      else if (block === "locals") values.set(`local.${key}`, value);
      else if (block.includes("_")) values.set(`${block}.${label}.${key}`, value);
    }
  for (const { key, value } of attributes(related("terraform.tfvars") ?? "")) values.set(`var.${key}`, value);
  return values;
}

const REFERENCE = /^\$\{\s*([\w.]+)\s*\}$/;

/** The value behind a reference; the expression itself where the module does not state it. */
function valueOf(written: string, values: ReadonlyMap<string, string>, depth = 0): string {
  const value = values.get(REFERENCE.exec(written)?.[1] ?? "");
  return value === undefined || depth > 5 ? written : valueOf(value, values, depth + 1);
}

export const terraform: PinReader = (text, related) => {
  const values = moduleValues(text, related);
  const all = attributes(text).map((each) => ({ ...each, value: valueOf(each.value, values) }));
  const engines = new Map(all.filter(({ key }) => key === "engine").map(({ blockAt, value }) => [blockAt, value]));
  return all.flatMap((attribute) => terraformPin(attribute, engines));
};

function terraformPin(attribute: Attribute, engines: ReadonlyMap<number, string>): readonly Pin[] {
  const { key, value, location, block, blockAt } = attribute;
  const named = unitOf(attribute);
  if (key === "required_version" && block === "terraform") return [requiredPin("terraform", value, location)];
  if (key === "runtime" && block.startsWith("aws_lambda_")) return [lambdaPin(value, location)];
  if (key === "cluster_version" && named !== undefined) return [{ name: "amazon-eks", version: value, location }];
  if (key === "engine_version" && named !== undefined)
    return [enginePin(engines.get(blockAt) ?? named, value, location)];
  return RESOURCES.filter((row) => row.type.test(block) && row.key.test(key)).map((row) => resourcePin(row, attribute));
}

/** The type of a resource, or the name of a module; undefined for other blocks. */
const unitOf = ({ block, label }: Attribute): string | undefined =>
  block === "module" ? `module.${label}` : block.includes("_") ? block : undefined;

/** Names of languages in attributes and runtimes that differ from those of the products. */
const LANGUAGES: Readonly<Record<string, string>> = { node: "nodejs" };

function resourcePin({ key: name, product, value: pattern }: ResourceRow, { key, value, location }: Attribute): Pin {
  const groups = groupsOf(pattern, value);
  const named = ([...groupsOf(name, key), ...groups][0] ?? "").toLowerCase();
  // The value names the product, too, so a computed one names none.
  if (named === "" && product.includes("$1")) return { name: value, location };
  const number = groups.at(-1);
  const version = number === undefined ? value : dotted(named, number);
  return { name: product.replace("$1", LANGUAGES[named] ?? named), version, location };
}

const groupsOf = (pattern: RegExp | undefined, text: string): readonly string[] => pattern?.exec(text)?.slice(1) ?? [];

/** `python37` is Python 3.7, and `9_6` is 9.6. */
const dotted = (language: string, version: string): string =>
  (language === "python" ? version.replace(/^3(?=\d)/, "3.") : version).replaceAll("_", ".");
