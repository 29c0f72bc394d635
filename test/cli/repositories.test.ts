/** `check .` on repositories of six ecosystems with the bundled catalogue: every finding with its line. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runCommand } from "./fake-io.ts";

const root = fileURLToPath(new URL("../fixtures/repositories", import.meta.url));
const repositories = readdirSync(root, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);

interface Report {
  readonly documents: readonly {
    readonly document: { readonly file: string };
    readonly findings: readonly {
      readonly name: string;
      readonly version?: string | null;
      readonly product?: string;
      readonly cycle?: string;
      readonly line?: number | null;
      readonly outcome: { readonly severity: string };
      readonly unmatched?: { readonly reason: string };
    }[];
  }[];
}

/** `file:line name version → product:cycle severity`; severities of supported cycles change with time and are omitted. */
function shown({ documents }: Report): string {
  const lines = documents.flatMap(({ document, findings }) =>
    findings.map(({ name, version, line, product, cycle, outcome }) => {
      const result =
        product === undefined
          ? "not assessed"
          : `${product}:${cycle ?? ""}${outcome.severity === "fail" ? " fails" : ""}`;
      return `${document.file}:${String(line)} ${name} ${version ?? "(no version)"} → ${result}`;
    }),
  );
  return `${lines.join("\n")}\n`;
}

test("has six repositories", () => {
  expect(repositories).toHaveLength(6);
});

test.each(repositories)("%s", async (name) => {
  const args = ["check", ".", "--as-of", "2027-01-01", "--format", "json"];
  const { exit, out } = await runCommand(args, { cwd: join(root, name) });
  expect(exit).toBe(1);
  await expect(shown(JSON.parse(out) as Report)).toMatchFileSnapshot(join(root, `${name}.txt`));
});
