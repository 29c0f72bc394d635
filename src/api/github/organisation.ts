/** Lists the repositories of an organisation or a user. */
import { Type } from "typebox";
import { Check } from "typebox/value";
import { EolgateError } from "../../messages/error.ts";
import type { GithubClient } from "./client.ts";

export interface ListedRepository {
  readonly owner: string;
  readonly name: string;
  /** Milliseconds since the epoch of the last push; 0 when GitHub states none. */
  readonly pushed: number;
}

export interface RepositoryList {
  /** By name. */
  readonly repositories: readonly ListedRepository[];
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
    pushed_at: Type.Optional(Type.Union([Type.Null(), Type.String()])),
  }),
);

const PAGE = 100;
/** Maximum number of pages, for 100,000 repositories. */
const MAX_PAGES = 1000;

/**
 * Lists the repositories of `owner` by name.
 * @throws EolgateError `github-not-found` for an unknown name, `github-refused`, and those of the client
 */
export async function listRepositories(client: GithubClient, owner: string): Promise<RepositoryList> {
  const kind = (await isOrganisation(client, owner)) ? "orgs" : "users";
  const repositories: ListedRepository[] = [];
  const skipped = { archived: 0, forks: 0, empty: 0 };
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const listed = await readPage(
      client,
      `/${kind}/${owner}/repos?per_page=${String(PAGE)}&page=${String(page)}`,
      owner,
    );
    for (const each of listed) {
      if (each.archived) skipped.archived += 1;
      else if (each.fork) skipped.forks += 1;
      else if (each.size === 0) skipped.empty += 1;
      else
        repositories.push({ owner: each.owner.login, name: each.name, pushed: Date.parse(each.pushed_at ?? "") || 0 });
    }
    if (listed.length < PAGE) {
      repositories.sort((one, other) => (one.name < other.name ? -1 : 1));
      return { repositories, skipped };
    }
  }
  throw EolgateError.of("github-unanswered", { reason: ": the list of repositories does not end" });
}

async function isOrganisation(client: GithubClient, owner: string): Promise<boolean> {
  const response = await client.get(`/orgs/${owner}`);
  await client.json(response).catch(() => undefined);
  return response.status === 200;
}

async function readPage(client: GithubClient, path: string, owner: string): Promise<Type.Static<typeof pageSchema>> {
  const response = await client.get(path);
  const answer = await client.json(response);
  if (response.status === 404) {
    const what = `organisation or user ${owner}`;
    throw EolgateError.of("github-not-found", { what, hasToken: client.hasToken }, { where: "--github" });
  }
  if (response.status !== 200 || !Check(pageSchema, answer))
    throw EolgateError.of("github-api-refused", { status: response.status, reason: "" });
  return answer;
}
