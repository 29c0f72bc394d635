/** The steps of the rehearsal, in order. What fails within a second comes before what takes minutes. */
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readObject } from "../json.ts";
import { releaseNotes } from "../release-notes.ts";
import { installation, provenance, signatures, verification } from "./published.ts";
import * as rehearsal from "./rehearsal.ts";
import { archiveName, checkCommand, demand, gate, git, node, run, type Rehearsal, type Step } from "./rehearsal.ts";
import { sbomOfPackage } from "./sbom.ts";
import { workflowSteps } from "./workflow.ts";

function version({ root, source }: Rehearsal): string {
  const changes = git(root, "status", "--porcelain");
  demand(changes === "", `the tree has changes that no commit contains:\n${changes}`);
  demand(/^\d+\.\d+\.\d+(?:-[\w.-]+)?$/.test(source.version), `"${source.version}" is no semantic version`);
  const tag = `v${source.version}`;
  demand(git(root, "tag", "--list", tag) === "", `the tag ${tag} exists: set the next version in package.json`);
  return `${source.version} at ${source.commit.slice(0, 12)}: no changes, no tag ${tag}`;
}

function changelog({ root, release, source }: Rehearsal): string {
  const result = releaseNotes(readFileSync(join(root, "CHANGELOG.md"), "utf8"), source.version, true);
  if ("problem" in result) throw new Error(result.problem);
  writeFileSync(join(release, "notes.md"), `${result.notes}\n`);
  return `${result.notes.split("\n").length} lines of notes`;
}

function workflow({ root }: Rehearsal): string {
  const steps = workflowSteps(workflowText(root), new Set(STEPS.map(({ name }) => name)));
  const lines = steps.map(({ title, row }) =>
    "here" in row ? `    run here (${row.here}): ${title}` : `    not run here: ${title}\n      ${row.notHere}`,
  );
  return [`${steps.length} steps of release.yml`, ...lines].join("\n");
}

const workflowText = (root: string): string => readFileSync(join(root, ".github/workflows/release.yml"), "utf8");

const EXPECTED = ["bin/eolgate.js", "CHANGELOG.md", "dist/eolgate.1", "dist/types/index.d.ts", "LICENSE", "NOTICE"];

function packageContents({ root, release, scratch, source }: Rehearsal): string {
  const folder = mkdtempSync(join(scratch, "package-"));
  run(["tar", "-xzf", join(release, rehearsal.tarballName(source)), "-C", folder], { cwd: root });
  const content = join(folder, "package");
  demand(rehearsal.manifestOf(content).version === source.version, "the tarball has another version");
  const paths = new Set(readdirSync(content, { recursive: true, encoding: "utf8" }));
  const missing = EXPECTED.filter((path) => !paths.has(join(path)));
  demand(missing.length === 0, `the tarball does not contain ${missing.join(", ")}`);
  run(["npx", "publint", "--strict", content], { cwd: root });
  return `${paths.size} files and folders; publint finds nothing`;
}

/** npm compares the repository of the manifest with that of the workflow, and refuses to publish where they differ. */
function npmMetadata({ root, source }: Rehearsal): string {
  demand(/^https:\/\/github\.com\/[^/]+\/[^/]+$/.test(source.repository), "package.json names no repository of GitHub");
  const text = workflowText(root);
  demand(/npm publish .*--provenance/.test(text), "the workflow publishes without --provenance");
  demand(text.includes("id-token: write"), "the workflow has no identity to sign with (id-token)");
  return `${source.repository}, published with --provenance`;
}

function action({ root, scratch, release, source }: Rehearsal): string {
  const folder = join(scratch, "action/dist");
  node(root, "tools/bundle-action.ts", folder);
  run(["tar", "-czf", join(release, `eolgate-action-${source.version}.tar.gz`), "action/dist"], { cwd: scratch });
  return `${readdirSync(folder).length} files`;
}

function executable(context: Rehearsal): string {
  const { root, scratch, release, source } = context;
  const output = node(root, "tools/executable/build.ts").trim();
  checkCommand([join(root, "build", rehearsal.executableName)], context);
  const name = archiveName(source);
  node(root, "tools/executable/collect.ts", join(scratch, name));
  run(["tar", "-czf", join(release, `${name}.tar.gz`), name], { cwd: scratch });
  return `${name}, ${output.split(": ").at(-1)}`;
}

function imageRoot({ root, scratch }: Rehearsal): string {
  const folder = join(scratch, "image");
  node(root, "tools/executable/image-root.ts", folder);
  const report = join(scratch, "image.json");
  gate(root, "--rootfs", folder, "--report", `json=${report}`);
  const { coverage = {} }: { readonly coverage?: Readonly<Record<string, number>> } = readObject(report);
  const { assessed = 0, not_assessed: rest = 0 } = coverage;
  demand(assessed > 0, "eolgate assesses nothing in the root of the image");
  return `${assessed} of ${assessed + rest} components assessed; the gate passes`;
}

function sbomAndVex({ root, release, source }: Rehearsal): string {
  const file = join(release, `eolgate-${source.version}.cdx.json`);
  const sbom = sbomOfPackage(join(release, rehearsal.tarballName(source)));
  writeFileSync(file, `${JSON.stringify(sbom, null, 1)}\n`);
  gate(root, file, "--report", `vex=${join(release, `eolgate-${source.version}.vex.json`)}`);
  return `${sbom.components?.length ?? 0} packages; the gate passes`;
}

export const STEPS: readonly Step[] = [
  { name: "version", run: version },
  { name: "changelog", run: changelog },
  { name: "workflow", run: workflow },
  { name: "npm metadata", run: npmMetadata },
  { name: "two builds", run: ({ root, release }) => node(root, "tools/package-reproduce.ts", release).trim() },
  { name: "package", run: packageContents },
  { name: "Action", run: action },
  { name: "executable", run: executable },
  { name: "image root", run: imageRoot },
  { name: "SBOM and VEX", run: sbomAndVex },
  { name: "signatures", run: signatures },
  { name: "provenance", run: provenance },
  { name: "verification", run: verification },
  { name: "installation", run: installation },
];
