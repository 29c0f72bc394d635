/** The steps of .github/workflows/release.yml: which of them the rehearsal runs, and why the others cannot run here. */
import { parse } from "yaml";
import { objectOf } from "../json.ts";

/** The name of the step of the rehearsal that runs the same, or the reason why nothing here can. */
type Row = { readonly here: string } | { readonly notHere: string };

const CHECKED_OUT: Row = { notHere: "the working tree takes its place; the step 'version' requires it to be clean" };
const NODE: Row = { notHere: "the Node of the installation takes its place" };
const INSTALLED: Row = { notHere: "the installation of the clone takes its place; .ci/run repeats it" };
const TRANSFER: Row = { notHere: "the files stay in one folder" };
const IDENTITY = "only the workflow has the identity that is accepted";

/** A row for each step, by its job and title. */
export const WORKFLOW_ROWS: Readonly<Record<string, Row>> = {
  "build: actions/checkout": CHECKED_OUT,
  "build: actions/setup-node": NODE,
  "build: Compare the tag with package.json and take the notes from the changelog": { here: "changelog" },
  "build: npm ci": INSTALLED,
  "build: npm run check": { notHere: "it takes minutes; .ci/run runs it" },
  "build: npm run audit -- --required": { notHere: "it asks the registry for advisories; .ci/run runs it" },
  "build: npm test": { notHere: "it takes more than five minutes; .ci/run runs it" },
  "build: Build the package twice and keep the tarball": { here: "two builds" },
  "build: Write the SBOM and the VEX of the package and gate on them": { here: "SBOM and VEX" },
  "build: Bundle the GitHub Action": { here: "Action" },
  "build: Write the checksums": { here: "signatures" },
  "build: actions/upload-artifact": TRANSFER,
  "executable: actions/checkout": CHECKED_OUT,
  "executable: actions/setup-node": NODE,
  "executable: npm ci": INSTALLED,
  "executable: node tools/executable/build.ts": { here: "executable" },
  "executable: Run the end-to-end tests with it": {
    notHere: "they take minutes; npm test runs them with an executable",
  },
  "executable: Run it": { here: "executable" },
  "executable: Pack it with the licences": { here: "executable" },
  "executable: Lay out the files of the container image": { here: "image root" },
  "executable: actions/upload-artifact": TRANSFER,
  "npm: actions/setup-node": NODE,
  "npm: actions/download-artifact": TRANSFER,
  "npm: sha256sum --check SHA256SUMS": { here: "verification" },
  "npm: Publish with provenance": { notHere: `npm publishes with the provenance of a workflow: ${IDENTITY}` },
  "image: actions/checkout": CHECKED_OUT,
  "image: actions/download-artifact": TRANSFER,
  "image: Build for both architectures and push": {
    notHere: "it needs Docker and the registry of the repository; 'image root' checks the files that it adds",
  },
  "github: actions/checkout": CHECKED_OUT,
  "github: actions/download-artifact": TRANSFER,
  "github: sha256sum --check SHA256SUMS": { here: "verification" },
  "github: Add the executables and their checksums": { here: "signatures" },
  "github: actions/attest": { notHere: `Sigstore signs for the workflow: ${IDENTITY}; 'provenance' uses a test key` },
  "github: Create the tag with the Action's bundle": { notHere: "it pushes to the repository" },
  "github: Create the GitHub release": { notHere: "it publishes; the files are those of the other steps" },
};

export interface WorkflowStep {
  readonly title: string;
  readonly row: Row;
}

interface Workflow {
  readonly jobs?: Readonly<Record<string, { readonly steps: readonly Readonly<Record<string, string>>[] }>>;
}

/**
 * The steps of the workflow in order. Throws for a step without a row, a row without a step, and a row that names no
 * step of the rehearsal: each means that the rehearsal is not one of this workflow.
 *
 * @param rehearsed the names of the steps of the rehearsal
 */
export function workflowSteps(text: string, rehearsed: ReadonlySet<string>): readonly WorkflowStep[] {
  const { jobs = {} }: Workflow = objectOf(parse(text));
  const titles = Object.entries(jobs).flatMap(([job, { steps }]) => steps.map((step) => `${job}: ${titleOf(step)}`));
  const rows = new Map(Object.entries(WORKFLOW_ROWS));
  const known = new Set(titles);
  const problems = [
    ...titles.filter((title) => !rows.has(title)).map((title) => `the step "${title}" has no row`),
    ...[...rows.keys()].filter((title) => !known.has(title)).map((title) => `the workflow has no step "${title}"`),
    ...[...rows.values()].flatMap((row) =>
      "here" in row && !rehearsed.has(row.here) ? [`the rehearsal has no step "${row.here}"`] : [],
    ),
  ];
  if (problems.length > 0) throw new Error(`${problems.join("; ")} (tools/release/workflow.ts)`);
  return titles.flatMap((title) => {
    const row = rows.get(title);
    return row === undefined ? [] : [{ title, row }];
  });
}

/** Its name, the name of its action, or its command. */
const titleOf = ({ name, uses, run }: Readonly<Record<string, string>>): string =>
  name ?? uses?.split("@", 1)[0] ?? run?.trim().split("\n", 1)[0] ?? "";
