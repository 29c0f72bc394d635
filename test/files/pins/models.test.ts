/** Hosted AI models in configuration: exact ids under keys that name a model. */
import { expect, test } from "vitest";
import { inventoryKindOf, readInventory } from "../../../src/files/read.ts";
import { loadCatalogue } from "../../../src/catalogue/load.ts";

const { facts } = loadCatalogue();

/** `line name` of the models in a file. */
async function modelsIn(path: string, text: string): Promise<readonly string[]> {
  const kind = inventoryKindOf(path, () => text);
  if (kind === undefined) return ["not read"];
  const document = await readInventory(kind, new TextEncoder().encode(text), facts);
  return [...document.components]
    .filter(({ kind }) => kind === "model")
    .map(({ name, span }) => `${String(document.position(span.start).line)} ${name}`);
}

const STEP = (inputs: string) =>
  `on: push\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps:\n      - uses: anthropics/claude-code-action@v1\n        with:\n${inputs}`;

test.each<readonly [path: string, text: string, expected: readonly string[]]>([
  [".github/workflows/a.yml", STEP("          model: claude-3-5-sonnet-20241022\n"), ["8 claude-3-5-sonnet-20241022"]],
  [
    ".github/workflows/a.yml",
    STEP(
      '          claude_args: |\n            --model claude-3-opus-20240229\n            --fallback-model "gpt-4-0314"\n',
    ),
    ["9 claude-3-opus-20240229", "10 gpt-4-0314"],
  ],
  [".github/workflows/a.yml", STEP("          model: ${{ vars.MODEL }}\n          # model: gpt-4\n"), []],
  [
    "compose.yml",
    "services:\n  a:\n    image: app:1\n    environment:\n      OPENAI_MODEL: gpt-4-0314\n",
    ["5 gpt-4-0314"],
  ],
  [
    "litellm_config.yaml",
    "model_list:\n  - litellm_params:\n      model: openrouter/openai/gpt-4-32k\n",
    ["3 gpt-4-32k"],
  ],
  ["litellm_config.yaml", "model_list:\n  - litellm_params:\n      model: azure/gpt-4o-eu\n", []],
  [".aider.conf.yml", "model: gemini/gemini-1.5-pro\nweak-model: o1-mini\n", ["1 gemini-1.5-pro", "2 o1-mini"]],
  ["settings.json", '{ "model": "claude-2.1" }', ["1 claude-2.1"]],
  ["application.yml", "spring:\n  ai:\n    chat:\n      model: text-davinci-003\n", ["4 text-davinci-003"]],
  [
    "agent.tf",
    'resource "aws_bedrockagent_agent" "a" {\n  foundation_model = "anthropic.claude-v2:1"\n}\n',
    ["2 anthropic.claude-v2:1"],
  ],
  [".env", "OPENAI_MODELS=gpt-4-0314,gpt-4o\nNODE_VERSION=18\n", ["1 gpt-4-0314", "1 gpt-4o"]],
  [
    "Dockerfile",
    "FROM debian:12\nENV ANTHROPIC_MODEL=us.anthropic.claude-3-haiku-20240307-v1:0\n",
    ["2 anthropic.claude-3-haiku-20240307-v1:0"],
  ],
  [
    "values.yaml",
    "image: a/b:1\nmodel: base\nmodelName: gpt4all\nclass: text-classification\ntitle: model gpt-4 was used\n",
    [],
  ],
])("%s with %j has %j", async (path, text, expected) => {
  expect(await modelsIn(path, text)).toEqual(expected);
});
