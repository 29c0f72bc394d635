/** Parses the value of `--github`: a repository, or all repositories of an organisation or user. */
import { EolgateError } from "../../messages/error.ts";

export interface RepositoryTarget {
  readonly owner: string;
  readonly name: string;
  /** A branch, tag or commit; undefined for the default branch. */
  readonly ref: string | undefined;
}

export interface OwnerTarget {
  readonly owner: string;
  readonly name: undefined;
}

/** GitHub's rules for names: an owner has letters, digits and hyphens, a repository also dots and underscores. */
const TARGET = /^([A-Za-z0-9][A-Za-z0-9-]{0,38})(?:\/([\w.-]{1,100})(?:@([^\s\p{Cc}]{1,255}))?)?$/u;

/** @throws EolgateError `invalid-value` */
export function parseGithubTarget(written: string): RepositoryTarget | OwnerTarget {
  const [, owner, name, ref] = TARGET.exec(written) ?? [];
  if (owner === undefined || name === "." || name === "..")
    throw EolgateError.of("invalid-value", {
      problem: `"${written}" is not a repository, organisation or user`,
      advice: "Use --github OWNER/REPO, OWNER/REPO@REF for a branch, tag or commit, or OWNER for all repositories.",
    }).at("--github");
  return name === undefined ? { owner, name } : { owner, name, ref };
}

/** `OWNER/REPO`, as reports name a repository. */
export const repositoryName = ({ owner, name }: Pick<RepositoryTarget, "owner" | "name">): string => `${owner}/${name}`;
