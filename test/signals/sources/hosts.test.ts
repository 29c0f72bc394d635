import { afterEach, describe, expect, test } from "vitest";
import { githubSource } from "../../../src/signals/sources/github.ts";
import { repositoryId } from "../../../src/signals/repositories.ts";
import { query, formatOutcome } from "../harness.ts";
import { type RecordedRequest, type Loopback, truncated, loopback, page, noReply, status } from "../loopback.ts";

let server: Loopback | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});
const repository = (id: string) => ({ key: id, repository: { id } });

describe("GitHub", () => {
  test("reports archived repositories and the last commit, and sends names as variables", async () => {
    server = await loopback({
      "/graphql": {
        data: {
          r0: {
            isArchived: true,
            archivedAt: "2024-03-01T10:00:00Z",
            defaultBranchRef: { target: { committedDate: "2023-12-01T00:00:00Z" } },
          },
          r1: { isArchived: false, archivedAt: null, defaultBranchRef: null },
          r2: null,
        },
        errors: [{ type: "NOT_FOUND", path: ["r2"] }],
      },
    });
    const ids = ["github.com/request/request", "github.com/a/empty", "github.com/a/gone"];
    const outcomes = await query(githubSource(new URL("graphql", server.url), "t0ken"), ids.map(repository));
    expect(ids.map((id) => formatOutcome(outcomes.get(id)))).toEqual([
      ["repository-archived 2024-03-01", "last-commit 2023-12-01"],
      [],
      ["not found"],
    ]);
    const { headers, body } = server.received[0] as RecordedRequest;
    expect(headers.authorization).toBe("Bearer t0ken");
    const { query: text, variables } = JSON.parse(body) as { query: string; variables: Record<string, string> };
    expect(text).not.toContain("request/");
    expect(variables).toEqual({ o0: "request", n0: "request", o1: "a", n1: "empty", o2: "a", n2: "gone" });
  });

  test("requests a hundred repositories at a time", async () => {
    server = await loopback({ "/graphql": { data: {} } });
    await query(
      githubSource(new URL("graphql", server.url), "t"),
      Array.from({ length: 201 }, (_, at) => repository(`github.com/a/r${at}`)),
    );
    expect(server.received).toHaveLength(3);
  });
});

test("GitHub gives no answer after a refused token, 429, a malformed response, an HTML page or an empty result", async () => {
  const busy = status(429, { "retry-after": "1" });
  for (const reply of [
    status(401),
    busy,
    status(502),
    truncated,
    page,
    { data: null },
    { errors: [{ message: "rate limited" }] },
  ]) {
    server = await loopback({ "/graphql": reply });
    const outcomes = await query(githubSource(new URL("graphql", server.url), "t"), [repository("github.com/a/b")]);
    expect(formatOutcome(outcomes.get("github.com/a/b"))[0]).toMatch(/^unanswered: /);
    await server.close();
  }
});

test("GitHub gives no answer after a timeout", async () => {
  server = await loopback({ "/graphql": noReply });
  const outcomes = await query(githubSource(new URL("graphql", server.url), "t"), [repository("github.com/a/b")], {
    timeout: 40,
  });
  expect(formatOutcome(outcomes.get("github.com/a/b"))).toEqual(["unanswered: no answer within 0.04 s"]);
});

test.each([
  ["git+https://github.com/Request/Request.git", "github.com/request/request"],
  ["git@github.com:a/b.git", "github.com/a/b"],
  ["ssh://git@github.com:22/a/b", "github.com/a/b"],
  ["github:a/b", "github.com/a/b"],
  ["https://www.github.com/a/b/tree/main/packages/c#readme", "github.com/a/b"],
  ["scm:git:git://github.com/a/b.git", "github.com/a/b"],
  ["https://user:secret@github.com/a/b", "github.com/a/b"],
  ["https://gitlab.com/group/sub/project/-/tree/main", "gitlab.com/group/sub/project"],
  ["bitbucket:a/b", "bitbucket.org/a/b"],
  ["https://github.com/a", undefined],
  ["https://git.corp.example/a/b", undefined],
  ["https://github.com.evil.example/a/b", undefined],
  ["https://github.com/a/b%22%7Dmutation", undefined],
  ["", undefined],
  [undefined, undefined],
])("the repository of %s is %s", (address, id) => expect(repositoryId(address)).toBe(id));
