/**
 * Repositories on GitHub: lists those of an owner, and reads one: the packages of the dependency graph, and the version
 * pins of the default branch. For a ref, or without a dependency graph, also the lockfiles.
 */
import { Type } from "typebox";
import { Check } from "typebox/value";
import { EolgateError } from "../../messages/error.ts";
import { type GithubClient, unanswered } from "./client.ts";
import { percentEncode } from "../../text/values.ts";
import type { PinFacts } from "../../files/read.ts";
import { retryAfter } from "../../http/client.ts";
import { type FolderContents, type FolderInput, inputOf } from "../input.ts";
import { readTree } from "../inventory/folder.ts";
import { readArchive } from "./archive.ts";
import { type RepositoryTarget, repositoryName } from "./target.ts";

export interface RepositoryList {
  /** By name. */
  readonly repositories: readonly RepositoryTarget[];
  /** The number of repositories that are skipped: archived ones, forks, and those without a commit. */
  readonly skipped: { readonly archived: number; readonly forks: number; readonly empty: number };
}

const pageSchema = Type.Array(
  Type.Object({
    name: Type.String({ pattern: String.raw`^[\w.-]{1,100}$` }),
    owner: Type.Object({ login: Type.String({ pattern: "^[A-Za-z0-9-]{1,100}$" }) }),
    archived: Type.Boolean(),
    fork: Type.Boolean(),
    size: Type.Number(),
  }),
);

const PAGE = 100;
/** Maximum number of pages, for 100,000 repositories when they are full. */
const MAX_PAGES = 1000;

/**
 * Lists the repositories of `owner` by name.
 * @throws EolgateError `github-not-found` for an unknown name, `unexpected-status`, and those of the client
 */
export async function listRepositories(client: GithubClient, owner: string): Promise<RepositoryList> {
  const kind = (await isOrganisation(client, owner)) ? "orgs" : "users";
  const repositories: RepositoryTarget[] = [];
  const skipped = { archived: 0, forks: 0, empty: 0 };
  let path: string | undefined = `/${kind}/${owner}/repos?per_page=${String(PAGE)}&page=1`;
  for (let pages = 1; path !== undefined; pages += 1) {
    if (pages > MAX_PAGES) throw unanswered(": the list of repositories does not end");
    const page: RepositoryPage = await readPage(client, path, owner);
    for (const each of page.repositories) {
      if (each.archived) skipped.archived += 1;
      else if (each.fork) skipped.forks += 1;
      else if (each.size === 0) skipped.empty += 1;
      else repositories.push({ owner: each.owner.login, name: each.name, ref: undefined });
    }
    path = page.next;
  }
  repositories.sort((one, other) => (one.name < other.name ? -1 : 1));
  return { repositories, skipped };
}

async function isOrganisation(client: GithubClient, owner: string): Promise<boolean> {
  return (await client.json(`/orgs/${owner}`)).status === 200;
}

interface RepositoryPage {
  readonly repositories: Type.Static<typeof pageSchema>;
  /** Path of the next page. GitHub may leave out repositories, so that a page before the last one is short. */
  readonly next: string | undefined;
}

async function readPage(client: GithubClient, path: string, owner: string): Promise<RepositoryPage> {
  const { status, headers, value } = await client.json(path);
  if (status === 404) throw notFound(client, `organisation or user ${owner}`);
  if (status !== 200 || !Check(pageSchema, value)) throw EolgateError.of("github-api-refused", { status, reason: "" });
  const next = nextAddress(headers["link"]);
  if (next === undefined) return { repositories: value, next: undefined };
  const nextPath = client.pathOf(next);
  if (nextPath !== undefined) return { repositories: value, next: nextPath };
  throw unanswered(": the list of repositories continues at another address");
}

/** The address with `rel="next"` in a Link header. RFC 8288 */
function nextAddress(header: string | string[] | undefined): string | undefined {
  const links = [header ?? []].flat().join(",");
  return /<([^>]*)>(?:\s*;\s*[\w*]+\s*=\s*(?:"[^"]*"|[^\s",;]+))*?\s*;\s*rel="?next\b/i.exec(links)?.[1];
}

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
 * Reads a repository. A repository without any file of a known kind has no inputs.
 * @throws EolgateError `github-not-found`, `github-archive`, `too-large` and those of the client
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
  const read = [{ kind: "GitHub dependency graph", files: 1 }, ...contents.coverage.read];
  return { inputs: [graph, ...contents.inputs], coverage: { ...contents.coverage, read } };
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
    if (typeof report !== "string") return { ...(await inputOf(file, report)), partOf: name };
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
    throw EolgateError.of("github-not-found", {
      problem: "the repository has no commit, or the ref does not exist",
      advice: "Check the branch, tag or commit after the @.",
    }).at(withRef(target));
  throw notFound(client, `repository ${repositoryName(target)}`);
}

const notFound = ({ hasToken }: GithubClient, what: string): EolgateError =>
  EolgateError.of("github-not-found", {
    problem: `GitHub has no ${what}, or the token has no access to it`,
    advice: hasToken
      ? "Check the name, and that the token has read access to the contents of the repository."
      : "Check the name; private repositories need a token in GITHUB_TOKEN or GH_TOKEN.",
  }).at("--github");

const withRef = (target: RepositoryTarget): string =>
  target.ref === undefined ? repositoryName(target) : `${repositoryName(target)}@${target.ref}`;

const pathOf = ({ owner, name }: RepositoryTarget): string => `/repos/${owner}/${name}`;
