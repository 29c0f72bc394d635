/** `check --github OWNER/REPO`: one repository among the inputs of a check. */
import { createGithubClient, type GithubClient } from "../../api/github/client.ts";
import { readRepository, type RepositoryOptions } from "../../api/github/repository.ts";
import type { RepositoryTarget } from "../../api/github/target.ts";
import { nothingFound } from "../../api/inventory/folder.ts";
import type { FolderContents } from "../../api/input.ts";
import type { Invocation } from "../../shell/command.ts";

/** Calls `act` with a client, and closes the client afterwards. */
export async function withClient<Result>(
  { io }: Invocation,
  act: (client: GithubClient) => Promise<Result>,
): Promise<Result> {
  const client = createGithubClient({
    env: io.env,
    now: io.now,
    onNote: (note) => io.err(`eolgate: note: ${note}\n`),
  });
  try {
    return await act(client);
  } finally {
    await client.close();
  }
}

/**
 * Reads a repository as inputs of a check.
 * @throws EolgateError `nothing-to-check` for a repository without any file of a known kind, and the errors of
 *   `readRepository`
 */
export function readGithubRepository(
  invocation: Invocation,
  target: RepositoryTarget,
  options: RepositoryOptions,
): Promise<FolderContents> {
  return withClient(invocation, async (client) => {
    const contents = await readRepository(client, target, options);
    if (contents.inputs.length === 0) throw nothingFound(contents.coverage.folder, contents.coverage);
    return contents;
  });
}
