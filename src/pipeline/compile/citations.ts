/**
 * Which addresses may be cited. A statement is what a project publishes: a change that somebody proposed is not published
 * yet, and a fork is not the project. What was merged is cited where it was merged to.
 */
import { Type } from "typebox";
import type { Problems } from "./shared.ts";

/** Addresses of proposed changes and of comparisons, on the hosts of repositories; `/-/` is GitLab on any host. */
const PROPOSALS: readonly RegExp[] = [
  /^https?:\/\/(?:www\.)?github\.com\/[^/]+\/[^/]+\/(?:pull|pulls|compare)(?:[/?#]|$)/i,
  /^https?:\/\/patch-diff\.githubusercontent\.com\//i,
  /^https?:\/\/(?:www\.)?(?:github\.com\/[^/]+\/[^/]+\/(?:blob|raw|tree)|raw\.githubusercontent\.com\/[^/]+\/[^/]+)\/refs\/pull\//i,
  /^https?:\/\/[^/]+\/.+\/-\/(?:merge_requests|compare)(?:[/?#]|$)/i,
  /^https?:\/\/gitlab\.com\/.+\/merge_requests\//i,
  /^https?:\/\/bitbucket\.org\/[^/]+\/[^/]+\/(?:pull-requests|branches\/compare)(?:[/?#]|$)/i,
];

export const isProposal = (url: string): boolean => PROPOSALS.some((form) => form.test(url));

/** The page of a statement, or `@name` of one in pages.json. */
export const page = Type.Refine(
  Type.String({ minLength: 1 }),
  (url) => !isProposal(url),
  (url) => `${url} is a proposed change or a comparison: cite the default branch or the vendor's page`,
);

const PACKAGE = /^pkg:(?:github|githubactions|(?:golang|swift)\/github\.com)\/([^/@?#]+)\/([^/@?#]+)/i;
const REPOSITORY =
  /^https?:\/\/(?:(?:www\.)?github\.com|raw\.githubusercontent\.com)\/([^/]+)\/([^/?#]+?)(?:\.git)?(?:[/?#]|$)/i;

interface Cited {
  readonly slug: string;
  /** Package URLs and addresses that name the product's own repositories. */
  readonly own: readonly string[];
  /** Addresses of its statements. */
  readonly pages: readonly string[];
}

/** Refuses pages in a repository of the same name under another owner than the product's packages and policy name. */
export function refuseForks(problems: Problems, { slug, own, pages }: Cited): void {
  const owners = ownersByName(own);
  for (const url of pages) {
    const [, owner = "", name = ""] = REPOSITORY.exec(url) ?? [];
    const right = owners.get(name.toLowerCase());
    if (right === undefined || right.has(owner.toLowerCase())) continue;
    problems.refuse("fork", slug, `${url} is a repository of ${owner}: ${slug} is at ${[...right].join(", ")}`);
  }
}

function ownersByName(places: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const owners = new Map<string, Set<string>>();
  for (const place of places) {
    const [, owner, name] = PACKAGE.exec(place) ?? REPOSITORY.exec(place) ?? [];
    if (owner === undefined || name === undefined) continue;
    owners.set(name.toLowerCase(), (owners.get(name.toLowerCase()) ?? new Set<string>()).add(owner.toLowerCase()));
  }
  return owners;
}
