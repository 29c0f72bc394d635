/**
 * Writes action.yml from the Action's inputs and their flags.
 * Run: npm run generate. A test checks that the file is up to date.
 */
import { writeFileSync } from "node:fs";
import { stringify } from "yaml";
import { FLAG_INPUTS, OWN_INPUTS } from "../src/cli/action/inputs.ts";

const OUTPUTS = {
  verdict: "pass, warn or fail; empty if there is no verdict",
  "exit-code": "the exit code of the gate",
  components: "components in the documents",
  assessed: "components that were assessed",
  failing: "components that fail the policy",
  warning: "components that warn",
  "end-of-life": "components that have reached end of life",
  retired: "components that their maintainers retired",
  superseded: "components of a release cycle that a newer one replaced",
  "ending-soon": "components that end within warn-days",
  "kev-affected": "components that a known exploited vulnerability affects",
  "highest-score": "the highest risk score, 0 to 100",
  "json-report": "path of the JSON report",
  "markdown-report": "path of the Markdown report",
  "sarif-report": "path of the SARIF report, if sarif-file is set",
  "verdict-statement": "path of the statement about the verdict, if statement-file is set",
} as const;

export function actionManifest(): string {
  const own = Object.entries(OWN_INPUTS).map(([name, description]) => [name, { description }] as const);
  const flags = FLAG_INPUTS.map(
    ([name, flag]) =>
      [name, { description: `${flag.summary}${flag.repeat === true ? " (one per line)" : ""}` }] as const,
  );
  const manifest = {
    name: "eolgate",
    description: "Stop end-of-life software before it ships: check SBOMs, lockfiles and version pins.",
    author: "eolgate",
    branding: { icon: "shield", color: "green" },
    inputs: Object.fromEntries([...own, ...flags]),
    outputs: Object.fromEntries(Object.entries(OUTPUTS).map(([name, description]) => [name, { description }])),
    runs: { using: "node24", main: "action/dist/index.js" },
  };
  return `# Made by npm run generate from the flags of the command line.\n${stringify(manifest, { lineWidth: 0 })}`;
}

if (process.argv[1] === import.meta.filename)
  writeFileSync(new URL("../action.yml", import.meta.url), actionManifest());
