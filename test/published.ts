/**
 * The schemas of others, as they are published. The package that contains them is a copy of the public schema store; only
 * its files are read. Nothing here is fetched.
 */
import { readFileSync } from "node:fs";
import { Ajv, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";

const store = new URL("schemas/json/", import.meta.resolve("schemastore/package.json"));
const read = (path: string): Record<string, unknown> => JSON.parse(readFileSync(new URL(path, store), "utf8"));

/** Where each lies in the store. SARIF's is the one of OASIS. */
export const PUBLISHED_SCHEMAS = {
  sarif: "sarif-2.1.0.json",
  workflow: "github-workflow.json",
  issueForm: "github-issue-forms.json",
  issueConfig: "github-issue-config.json",
  dependabot: "dependabot-2.0.json",
  gitlab: "gitlab.com/gitlab-org/gitlab/-/raw/master/app/assets/javascripts/editor/schema/ci.json",
  azure: "raw.githubusercontent.com/microsoft/azure-pipelines-vscode/master/service-schema.json",
  hooks: "pre-commit-hooks.json",
  hooksConfig: "pre-commit-config.json",
} as const;

/** Keys that are newer than the copy of a schema, with their schema: the path in the schema, then the key. */
const NEWER: Partial<
  Record<keyof typeof PUBLISHED_SCHEMAS, readonly (readonly [path: readonly string[], key: string, schema: object])[]>
> = {
  workflow: [
    // https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#permissions
    [["definitions", "permissions-event", "properties"], "attestations", { enum: ["read", "write", "none"] }],
  ],
};

/** The violations of a schema; empty when the document is valid. */
export function published(name: keyof typeof PUBLISHED_SCHEMAS): (document: unknown) => readonly string[] {
  const schema = read(PUBLISHED_SCHEMAS[name]);
  for (const [path, key, value] of NEWER[name] ?? []) {
    const target = path.reduce<unknown>((node, part) => Object(node)[part], schema);
    Object.assign(Object(target), { [key]: value });
  }
  return validator(schema);
}

function validator(schema: Record<string, unknown>): (document: unknown) => readonly string[] {
  // Their patterns are older than the flag `u`, their keywords than the strict mode; draft 4 has no meta-schema in ajv.
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false, validateSchema: false });
  addFormats.default(ajv);
  // Of all that these refer to, only this is not a part of the same file.
  ajv.addSchema(modern(read(PUBLISHED_SCHEMAS.hooks)), `https://json.schemastore.org/${PUBLISHED_SCHEMAS.hooks}`);
  const validate: ValidateFunction = ajv.compile(modern(schema));
  return (document) => {
    validate(document);
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}

/** Without the keys by which drafts name themselves; what these use of draft 4 is as in draft 7. */
const modern = (schema: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => !["id", "$id", "$schema"].includes(key)));

/**
 * GitLab publishes no schema of code quality for others to use, and no package contains one: these are the fields of its
 * documentation (Code Quality report format), all of them required there, with the values that it accepts.
 */
export const codeQuality = validator({
  type: "array",
  items: {
    type: "object",
    required: ["description", "check_name", "fingerprint", "severity", "location"],
    properties: {
      description: { type: "string", minLength: 1 },
      check_name: { type: "string", minLength: 1 },
      fingerprint: { type: "string", pattern: "^[0-9a-f]{16}$" },
      severity: { enum: ["info", "minor", "major", "critical", "blocker"] },
      location: {
        type: "object",
        required: ["path", "lines"],
        properties: {
          path: { type: "string", pattern: "^(?!\\.?/)" },
          lines: {
            type: "object",
            required: ["begin"],
            properties: { begin: { type: "integer", minimum: 1 } },
            additionalProperties: false,
          },
        },
        additionalProperties: false,
      },
    },
    additionalProperties: false,
  },
});
