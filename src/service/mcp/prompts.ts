/** The prompts and resources of the Model Context Protocol. A resource is the answer of one tool under an address. */
import type { GetPromptResult, ListPromptsResult } from "@modelcontextprotocol/sdk/types.js";
import { EolgateError } from "../../messages/error.ts";
import type { ToolName } from "./tools.ts";

type Arguments = Readonly<Record<string, string>>;

interface McpPrompt {
  readonly title: string;
  readonly description: string;
  /** The arguments with their descriptions; those that end with `?` can be absent. */
  readonly accepts: Arguments;
  readonly text: (given: Arguments) => string;
}

const SOURCES = "Name the source and the confidence of each date, and list what has no answer with its reason.";

const PROMPTS: Readonly<Record<string, McpPrompt>> = {
  audit_stack: {
    title: "Audit a stack",
    description: "What in a stack has ended or is exploited, and what to upgrade to",
    accepts: { stack: "Products with versions, the text of a manifest or Dockerfile, or an SBOM" },
    text: ({ stack = "" }) =>
      `Find the unsupported software in the stack below. Use check_sbom for a CycloneDX or SPDX document, and scan_stack for anything else; find slugs with list_products. For each release cycle that has ended or ends within a year, call get_kev_exposure and get_upgrade_path. Answer with one table, the highest score first: component, end of life, score, exploited vulnerabilities, upgrade. ${SOURCES}\n\n${stack}`,
  },
  eol_calendar: {
    title: "End-of-life calendar",
    description: "What ends within a number of days, by month",
    accepts: { "products?": "Slugs, separated by commas; all products by default", "days?": "90 by default" },
    text: ({ products, days = "90" }) =>
      `Call get_upcoming_eol with days ${days}${products === undefined ? "" : ` and products ${products}`}. Answer with one list for each month: release cycle, day, days left, score. ${SOURCES}`,
  },
  upgrade_plan: {
    title: "Upgrade plan",
    description: "The steps from a version to a supported release cycle",
    accepts: { product: "Slug or name of the product", version: "The version in use" },
    text: ({ product = "", version = "" }) =>
      `Plan the upgrade of ${product} ${version}. Call check_eol, get_kev_exposure and get_upgrade_path for it. Answer with its end of life, the exploited vulnerabilities that affect it, and each supported release cycle to move to with the end of its support. ${SOURCES}`,
  },
};

const isOptional = (name: string): boolean => name.endsWith("?");
const plainName = (name: string): string => name.replace("?", "");

export const LISTED_PROMPTS: ListPromptsResult["prompts"] = Object.entries(PROMPTS).map(
  ([name, { title, description, accepts }]) => ({
    name,
    title,
    description,
    arguments: Object.entries(accepts).map(([argument, about]) => ({
      name: plainName(argument),
      description: about,
      required: !isOptional(argument),
    })),
  }),
);

/** @throws EolgateError `invalid-request` for an unknown prompt, and for one without a required argument */
export function promptOf(name: string, given: Arguments = {}): GetPromptResult {
  const prompt = Object.entries(PROMPTS).find(([each]) => each === name)?.[1];
  if (!prompt) throw EolgateError.of("invalid-request", { problem: `there is no prompt ${JSON.stringify(name)}` });
  const missing = Object.keys(prompt.accepts).find((each) => !isOptional(each) && !Object.hasOwn(given, each));
  if (missing !== undefined) throw EolgateError.of("invalid-request", { problem: `arguments/${missing} is required` });
  const content = { type: "text", text: prompt.text(given) } as const;
  return { description: prompt.description, messages: [{ role: "user", content }] };
}

interface McpResource {
  readonly tool: ToolName;
  readonly title: string;
  /** Names of the path segments of its address. */
  readonly path: readonly string[];
}

/** By the host of their addresses: `eolgate://product/nodejs`. */
const RESOURCES: Readonly<Record<string, McpResource>> = {
  upcoming: { tool: "get_upcoming_eol", title: "Release cycles that end within 90 days", path: [] },
  product: { tool: "get_product_lifecycle", title: "Every release cycle of a product", path: ["product"] },
  kev: { tool: "get_kev_exposure", title: "Known exploited vulnerabilities of a product", path: ["product"] },
  status: { tool: "check_eol", title: "Support of a version", path: ["product", "version"] },
};

const JSON_DATA = { mimeType: "application/json" } as const;
const listed = Object.entries(RESOURCES).map(([name, { title, path }]) => ({
  name,
  title,
  ...JSON_DATA,
  address: `eolgate://${[name, ...path.map((segment) => `{${segment}}`)].join("/")}`,
}));
const isTemplate = ({ address }: { readonly address: string }): boolean => address.includes("{");

export const LISTED_RESOURCES = listed
  .filter((each) => !isTemplate(each))
  .map(({ address, ...each }) => ({ ...each, uri: address }));
export const RESOURCE_TEMPLATES = listed
  .filter(isTemplate)
  .map(({ address, ...each }) => ({ ...each, uriTemplate: address }));

/** The tool and its arguments for an address. @throws EolgateError `invalid-request` */
export function resourceCall(uri: string): { readonly tool: ToolName; readonly args: Arguments } {
  const [, name = "", rest = ""] = /^eolgate:\/\/([a-z]+)\/?(.*)$/.exec(uri) ?? [];
  const row = Object.entries(RESOURCES).find(([each]) => each === name)?.[1];
  const segments = rest === "" ? [] : rest.split("/");
  if (row === undefined || segments.length !== row.path.length)
    throw EolgateError.of("invalid-request", { problem: `there is no resource ${JSON.stringify(uri)}` });
  try {
    return {
      tool: row.tool,
      args: Object.fromEntries(row.path.map((each, at) => [each, decodeURIComponent(segments[at] ?? "")])),
    };
  } catch (cause) {
    throw EolgateError.of("invalid-request", { problem: `${JSON.stringify(uri)} is not encoded correctly` }, { cause });
  }
}
