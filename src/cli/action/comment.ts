/**
 * Writes the report as one comment on the pull request. A later run updates the comment that has the
 * marker and the author of the token: anybody can write a comment with the marker.
 */
import { EolgateError } from "../../messages/error.ts";
import type { ProcessContext } from "../../shell/process-context.ts";
import { field, readEvent } from "./event.ts";

const MARKER = "<!-- eolgate -->";
/** GitHub refuses comments of more than 65,536 characters. */
const LIMIT = 65_000;

export async function writeComment(env: ProcessContext["env"], token: string, markdown: string): Promise<void> {
  if (token === "")
    throw EolgateError.of("invalid-usage", {
      problem: "a pull request comment needs a token",
      advice: "Set github-token to ${{ github.token }} and grant the permission pull-requests: write.",
    }).at("github-token");
  const number = pullRequest(env);
  if (number === undefined) return;
  const base = `${env["GITHUB_API_URL"] ?? "https://api.github.com"}/repos/${env["GITHUB_REPOSITORY"] ?? ""}/issues`;
  const body = JSON.stringify({
    body: `${MARKER}\n${markdown.length <= LIMIT ? markdown : `${markdown.slice(0, markdown.lastIndexOf("\n", LIMIT))}\n\nThe rest is in the step summary.`}`,
  });
  const access = { env, token };
  const earlier = await findComment(base, number, access);
  if (earlier === undefined) await sendRequest(`${base}/${number}/comments`, "POST", access, body);
  else await sendRequest(`${base}/comments/${earlier}`, "PATCH", access, body);
}

/** Number of the pull request of the event; none on a push. */
function pullRequest(env: ProcessContext["env"]): number | undefined {
  const number = field(field(readEvent(env), "pull_request"), "number");
  return typeof number === "number" ? number : undefined;
}

const PAGES = 10;
/** Milliseconds for one request. */
const DEADLINE = 15_000;
/** A page of 100 comments of the maximum size. */
const MAX_ANSWER = 16 * 1024 * 1024;

interface ApiAccess {
  readonly env: ProcessContext["env"];
  readonly token: string;
}

async function findComment(base: string, number: number, access: ApiAccess): Promise<number | undefined> {
  let own: Promise<unknown> | undefined;
  for (let page = 1; page <= PAGES; page += 1) {
    const comments = await sendRequest(`${base}/${number}/comments?per_page=100&page=${page}`, "GET", access);
    if (!Array.isArray(comments) || comments.length === 0) return undefined;
    for (const comment of comments) {
      const id = field(comment, "id");
      if (typeof id !== "number" || !String(field(comment, "body")).startsWith(MARKER)) continue;
      const author = field(field(comment, "user"), "login");
      if (typeof author === "string" && author === (await (own ??= ownLogin(access)))) return id;
    }
  }
  return undefined;
}

/** Only GraphQL names the author of a workflow's token. */
async function ownLogin(access: ApiAccess): Promise<unknown> {
  const url = access.env["GITHUB_GRAPHQL_URL"] ?? "https://api.github.com/graphql";
  const answer = await sendRequest(url, "POST", access, JSON.stringify({ query: "{viewer{login}}" }));
  return field(field(field(answer, "data"), "viewer"), "login");
}

async function sendRequest(
  url: string,
  method: "GET" | "POST" | "PATCH",
  { env, token }: ApiAccess,
  body?: string,
): Promise<unknown> {
  const { createHttpClient } = await import("../../http/client.ts");
  const client = createHttpClient({ env, deadline: DEADLINE, limit: MAX_ANSWER });
  try {
    const { status, body: answer } = await client.send({
      url: new URL(url),
      method,
      headers: { accept: "application/vnd.github+json", "content-type": "application/json" },
      credentials: { authorization: `Bearer ${token}` },
      ...(body !== undefined && { body }),
    });
    if (status >= 300)
      throw EolgateError.of("unexpected-status", {
        problem: `the GitHub API answered ${method} with HTTP status ${status}`,
        advice: "Grant the job the permission pull-requests: write.",
      }).at("comment");
    return JSON.parse(answer.toString("utf8"));
  } catch (cause) {
    if (cause instanceof EolgateError) throw cause;
    throw EolgateError.of(
      "no-answer",
      { problem: "the GitHub API did not answer" },
      { where: new URL(url).host, cause },
    );
  } finally {
    await client.close();
  }
}
