/** `/llms.txt`: a description of the service for language models, in the format of https://llmstxt.org. */
import { OPERATIONS } from "../../api/operations.ts";
import type { Links } from "../../wire/links.ts";
import { SERVICE_OPERATIONS } from "./service-operations.ts";

export function llmsText({ docs, methodology }: Links): string {
  const rows = Object.values({ ...OPERATIONS, ...SERVICE_OPERATIONS }).filter(({ method }) => method === "GET");
  const paths = rows.map(({ path, summary }) => `- \`GET ${path.replaceAll(/:(\w+)/g, "{$1}")}\`: ${summary}`);
  return [
    "# eolgate",
    "",
    "> End-of-life dates of software products, each with its source, the day on which it was checked, and a risk score from 0 to 100.",
    "",
    "The service never guesses: for an unknown product or version, the answer states that it is unknown. Look up the slug of a product first.",
    "",
    "## Documentation",
    "",
    `- [API](${docs})`,
    `- [How scores are calculated](${methodology})`,
    "",
    "## Endpoints",
    "",
    ...paths,
    "- `POST /mcp`: the same operations as tools of the Model Context Protocol",
    "",
  ].join("\n");
}
