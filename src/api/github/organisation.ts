/** Lists the repositories of an organisation or a user. */
import { Type } from "typebox";
import { Check } from "typebox/value";
import { EolgateError } from "../../messages/error.ts";
import { unanswered, type GithubClient } from "./client.ts";

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
/** Maximum number of pages, for 100,000 repositories when they are full. */
const MAX_PAGES = 1000;

/**
 * Lists the repositories of `owner` by name.
 * @throws EolgateError `github-not-found` for an unknown name, `unexpected-status`, and those of the client
 */
export async function listRepositories(client: GithubClient, owner: string): Promise<RepositoryList> {
  const kind = (await isOrganisation(client, owner)) ? "orgs" : "users";
  const repositories: ListedRepository[] = [];
  const skipped = { archived: 0, forks: 0, empty: 0 };
  let path: string | undefined = `/${kind}/${owner}/repos?per_page=${String(PAGE)}&page=1`;
  for (let pages = 1; path !== undefined; pages += 1) {
    if (pages > MAX_PAGES) throw unanswered(": the list of repositories does not end");
    const page: RepositoryPage = await readPage(client, path, owner);
    for (const each of page.repositories) {
      if (each.archived) skipped.archived += 1;
      else if (each.fork) skipped.forks += 1;
      else if (each.size === 0) skipped.empty += 1;
      else
        repositories.push({ owner: each.owner.login, name: each.name, pushed: Date.parse(each.pushed_at ?? "") || 0 });
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
  if (status === 404) {
    const what = `organisation or user ${owner}`;
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
