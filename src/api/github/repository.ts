/**
 * Reads one repository through GitHub's API: the packages of the dependency graph, and the version pins of the default
 * branch. For a ref, or without a dependency graph, also the lockfiles.
 */
import { percentEncode } from "../../text/values.ts";
import type { PinFacts } from "../../files/read.ts";
import { Type } from "typebox";
import { Check } from "typebox/value";
import { retryAfter } from "../../http/client.ts";
import { EolgateError } from "../../messages/error.ts";
import { inputOf } from "../input.ts";
import { asPart } from "../inventory/file-tree.ts";
import { readTree } from "../inventory/folder.ts";
import type { FolderContents, FolderInput } from "../inventory/inputs.ts";
import { readArchive } from "./archive.ts";
import type { GithubClient } from "./client.ts";
import { repositoryName, type RepositoryTarget } from "./target.ts";

const requestedSchema = Type.Object({ sbom_url: Type.String() });
const packagesSchema = Type.Object({ spdxVersion: Type.String(), packages: Type.Array(Type.Unknown()) });
/** The endpoint sends the document itself; an export that was saved has it in `sbom`. */
const reportSchema = Type.Union([packagesSchema, Type.Object({ sbom: packagesSchema })]);

/** Milliseconds. */
const FIRST_REPORT_PAUSE = 2000;
const MAX_REPORT_PAUSE = 30_000;
/** The sum of the pauses while GitHub prepares a report. */
const MAX_REPORT_WAIT = 5 * 60_000;

export interface RepositoryOptions {
  /** Patterns of paths to leave out. */
  readonly exclude: readonly string[];
  /** The names of tools, from the catalogue. */
  readonly facts: PinFacts;
}

/**
 * Reads a repository. A repository without any file of a known kind has no
 * inputs.
 * @throws EolgateError `github-not-found`, `github-archive`, `too-large` and those of the
 *   client
 */
export async function readRepository(
  client: GithubClient,
  target: RepositoryTarget,
  { exclude, facts }: RepositoryOptions,
): Promise<FolderContents> {
  const graph = target.ref === undefined ? await dependencyGraph(client, target) : undefined;
  const tree = await readArchive(await archiveOf(client, target), repositoryName(target), exclude);
  const contents = await readTree(tree, { facts, pinsOnly: graph !== undefined });
  if (graph === undefined) return contents;
  const { inputs, coverage } = contents;
  return {
    inputs: [graph, ...inputs],
    coverage: { ...coverage, read: [{ kind: "GitHub dependency graph", files: 1 }, ...coverage.read] },
  };
}

/**
 * The dependency graph, which describes the default branch; undefined if it cannot be read for any reason except a bad
 * token. Then the reason is noted, and lockfiles are read.
 */
async function dependencyGraph(client: GithubClient, target: RepositoryTarget): Promise<FolderInput | undefined> {
  const name = repositoryName(target);
  const file = `${name}/dependency-graph`;
  try {
    const report = await dependencyReport(client, target);
    if (typeof report !== "string") return asPart(await inputOf(file, report), file, name);
    client.onNote(`${name}: lockfiles are read instead of the dependency graph: ${report}`);
  } catch (cause) {
    if (!(cause instanceof EolgateError) || cause.code === "github-api-refused") throw cause;
    client.onNote(`${name}: lockfiles are read instead of the dependency graph: ${cause.message}`);
  }
  return undefined;
}

/**
 * Requests an SBOM and waits until it is prepared. Returns its bytes, or the reason why there is none.
 * https://docs.github.com/rest/dependency-graph/sboms
 */
async function dependencyReport(client: GithubClient, target: RepositoryTarget): Promise<Uint8Array | string> {
  const path = `${pathOf(target)}/dependency-graph/sbom`;
  const { status, value } = await client.json(`${path}/generate-report`);
  if (status !== 201) return answeredWith(status);
  const id = Check(requestedSchema, value) ? /\/fetch-report\/([\w-]{1,100})$/.exec(value.sbom_url)?.[1] : undefined;
  return id === undefined ? "GitHub named no address of the report" : awaitReport(client, `${path}/fetch-report/${id}`);
}

const answeredWith = (status: number): string => `GitHub answered with HTTP status ${String(status)}`;

async function awaitReport(client: GithubClient, path: string): Promise<Uint8Array | string> {
  let waited = 0;
  for (let backOff = FIRST_REPORT_PAUSE; ; backOff *= 2) {
    // 201 and 202: GitHub prepares the report. Then it redirects to another host.
    const report = await client.json(path);
    if (report.status === 200) return packagesOf(report.value);
    if (report.status !== 201 && report.status !== 202) return answeredWith(report.status);
    const pause = Math.min(MAX_REPORT_PAUSE, Math.max(FIRST_REPORT_PAUSE, retryAfter(report) ?? backOff));
    waited += pause;
    if (waited > MAX_REPORT_WAIT) return "GitHub did not prepare it in time";
    await client.pause(pause);
  }
}

function packagesOf(report: unknown): Uint8Array | string {
  if (!Check(reportSchema, report)) return "the answer is not an SBOM";
  const sbom = "sbom" in report ? report.sbom : report;
  if (sbom.packages.length < 2) return "it has no packages";
  return new TextEncoder().encode(JSON.stringify(sbom));
}

async function archiveOf(client: GithubClient, target: RepositoryTarget): Promise<AsyncIterable<Uint8Array>> {
  const ref = target.ref === undefined ? "" : `/${target.ref.split("/").map(percentEncode).join("/")}`;
  const { status, body, discard } = await client.open(`${pathOf(target)}/tarball${ref}`);
  if (status === 200) return body;
  await discard();
  if (status !== 404 && status !== 409) throw EolgateError.of("github-api-refused", { status, reason: "" });
  const known = await client.json(pathOf(target));
  if (known.status === 200)
    throw EolgateError.of(
      "github-not-found",
      {
        problem: "the repository has no commit, or the ref does not exist",
        advice: "Check the branch, tag or commit after the @.",
      },
      { where: withRef(target) },
    );
  const what = `repository ${repositoryName(target)}`;
  throw EolgateError.of(
    "github-not-found",
    {
      problem: `GitHub has no ${what}, or the token has no access to it`,
      advice: client.hasToken
        ? "Check the name, and that the token has read access to the contents of the repository."
        : "Check the name; private repositories need a token in GITHUB_TOKEN or GH_TOKEN.",
    },
    { where: "--github" },
  );
}

const withRef = (target: RepositoryTarget): string =>
  target.ref === undefined ? repositoryName(target) : `${repositoryName(target)}@${target.ref}`;

const pathOf = ({ owner, name }: RepositoryTarget): string => `/repos/${owner}/${name}`;
