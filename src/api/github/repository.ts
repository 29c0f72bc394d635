/**
 * Reads one repository through GitHub's API: the packages of the dependency graph, and the version pins of the default
 * branch. For a ref, or without a dependency graph, also the lockfiles.
 */
import { Type } from "typebox";
import { Check } from "typebox/value";
import { EolgateError } from "../../messages/error.ts";
import { collectFailure } from "../failed-document.ts";
import { inputOf } from "../input.ts";
import { asPart } from "../inventory/file-tree.ts";
import { readTree } from "../inventory/folder.ts";
import type { FolderContents, FolderInput } from "../inventory/inputs.ts";
import { readArchive } from "./archive.ts";
import type { GithubClient } from "./client.ts";
import { repositoryName, type RepositoryTarget } from "./target.ts";

/** https://docs.github.com/rest/dependency-graph/sboms#export-a-software-bill-of-materials-sbom-for-a-repository */
const sbomSchema = Type.Object({ sbom: Type.Object({ packages: Type.Array(Type.Unknown()) }) });

/**
 * Reads a repository. `exclude`: patterns of paths to leave out. A repository without any file of a known kind has no
 * inputs.
 * @throws EolgateError `github-not-found`, `github-empty`, `github-archive`, `github-too-large` and those of the
 *   client
 */
export async function readRepository(
  client: GithubClient,
  target: RepositoryTarget,
  exclude: readonly string[],
): Promise<FolderContents> {
  const graph = target.ref === undefined ? await dependencyGraph(client, target) : undefined;
  const tree = await readArchive(await archiveOf(client, target), repositoryName(target), exclude);
  const contents = await readTree(tree, { pinsOnly: graph !== undefined });
  if (graph === undefined) return contents;
  const { inputs, coverage } = contents;
  return {
    inputs: [graph, ...inputs],
    coverage: { ...coverage, read: [{ kind: "GitHub dependency graph", files: 1 }, ...coverage.read] },
  };
}

/** The dependency graph; undefined if it is turned off, has no package, or cannot be read. Then lockfiles are read. */
async function dependencyGraph(client: GithubClient, target: RepositoryTarget): Promise<FolderInput | undefined> {
  const response = await client.get(`${pathOf(target)}/dependency-graph/sbom`);
  const answer = await client.json(response).catch((error: unknown) => {
    if (response.status === 200) throw error;
    return undefined;
  });
  if (response.status === 403 || response.status === 404) return undefined;
  if (response.status !== 200 || !Check(sbomSchema, answer)) throw unexpected(response.status);
  if (answer.sbom.packages.length < 2) return undefined;
  const name = repositoryName(target);
  const file = `${name}/dependency-graph`;
  const bytes = new TextEncoder().encode(JSON.stringify(answer.sbom));
  return collectFailure(file, async () => asPart(await inputOf(file, bytes), file, name));
}

async function archiveOf(client: GithubClient, target: RepositoryTarget): Promise<AsyncIterable<Uint8Array>> {
  const ref = target.ref === undefined ? "" : `/${target.ref.split("/").map(encodeURIComponent).join("/")}`;
  const response = await client.get(`${pathOf(target)}/tarball${ref}`);
  if (response.status === 200) return response.body;
  await client.json(response).catch(() => undefined);
  if (response.status !== 404 && response.status !== 409) throw unexpected(response.status);
  const known = await client.get(pathOf(target));
  await client.json(known).catch(() => undefined);
  if (known.status === 200) throw EolgateError.of("github-empty", {}, { where: withRef(target) });
  const what = `repository ${repositoryName(target)}`;
  throw EolgateError.of("github-not-found", { what, hasToken: client.hasToken }, { where: "--github" });
}

const withRef = (target: RepositoryTarget): string =>
  target.ref === undefined ? repositoryName(target) : `${repositoryName(target)}@${target.ref}`;

const pathOf = ({ owner, name }: RepositoryTarget): string => `/repos/${owner}/${name}`;

const unexpected = (status: number): EolgateError => EolgateError.of("github-api-refused", { status, reason: "" });
