/** Files that others include are read with them, or listed as not read. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readFolder } from "../../src/api/inventory/folder.ts";
import { loadCatalogue } from "../../src/catalogue/load.ts";

const folder = mkdtempSync(join(tmpdir(), "eolgate-references-"));
afterAll(() => rmSync(folder, { recursive: true }));
const { facts } = loadCatalogue();

const OTHER = "django==3.2\n";
const IMAGE = "services:\n  a:\n    image: node:16\n";
const JOB = "job:\n  image: node:16\n";

test.each([
  ["-r", { "requirements.txt": "-r other.txt\nflask==2\n", "other.txt": OTHER }, ["django", "flask"], []],
  ["-r without a space", { "requirements.txt": "-rother.txt\n", "other.txt": OTHER }, ["django"], []],
  [
    "a chain",
    { "requirements.txt": "-r a/b.txt\n", "a/b.txt": "--requirement=c.txt\n", "a/c.txt": OTHER },
    ["django"],
    [],
  ],
  ["a circle", { "requirements.txt": "-r a.txt\n", "a.txt": "-r requirements.txt\ndjango==3.2\n" }, ["django"], []],
  [
    "a file of its own kind",
    { "requirements.txt": "-r requirements-b.txt\n", "requirements-b.txt": OTHER },
    ["django"],
    [],
  ],
  ["a constraint", { "requirements.txt": "-c other.txt\nflask==2\n", "other.txt": OTHER }, ["flask"], []],
  ["a missing file", { "requirements.txt": "-r absent.txt\nflask==2\n" }, ["flask"], ["absent.txt"]],
  ["a file outside", { "requirements.txt": "-r ../x.txt\nflask==2\n" }, ["flask"], ["../x.txt"]],
  ["compose", { "compose.yaml": "include:\n  - more/web.yaml\n", "more/web.yaml": IMAGE }, ["node"], []],
  ["compose, before", { "compose.yaml": "include:\n  - a/web.yaml\n", "a/web.yaml": IMAGE }, ["node"], []],
  ["compose with a path", { "compose.yaml": "include:\n  - path: web.yaml\n", "web.yaml": IMAGE }, ["node"], []],
  ["compose, missing", { "compose.yaml": `include: [oci://h/x]\n${IMAGE}` }, ["node"], ["oci://h/x"]],
  ["GitLab", { ".gitlab-ci.yml": "include:\n  - local: /ci/build.yml\n", "ci/build.yml": JOB }, ["node"], []],
  ["compose by another name", { "stack.yml": `include: [web.yaml]\n${IMAGE}`, "web.yaml": JOB }, ["node", "node"], []],
  [
    "compose by another name, before",
    { "a.yaml": JOB, "stack.yml": `include: [a.yaml]\n${IMAGE}` },
    ["node", "node"],
    [],
  ],
  [
    "two that include it",
    { "compose.yaml": "include: [a.yaml]\n", ".gitlab-ci.yml": "include: a.yaml\n", "a.yaml": IMAGE },
    ["node"],
    [],
  ],
  [
    "a file that another reader takes by its name",
    { "compose.yaml": "include: [values.yaml]\n", "values.yaml": IMAGE },
    ["node"],
    [],
  ],
  ["GitLab, short", { ".gitlab-ci.yml": "include: ci/build.yml\n", "ci/build.yml": JOB }, ["node"], []],
  [
    "GitLab, remote",
    { ".gitlab-ci.yml": `include:\n  - remote: https://h/x.yml\n${JOB}` },
    ["node"],
    ["https://h/x.yml"],
  ],
] as const)("%s", async (_, files, names, notRead) => {
  const cwd = mkdtempSync(join(folder, "project-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  }
  const { inputs, coverage } = await readFolder(".", cwd, { facts });
  const found = inputs.flatMap((input) =>
    "document" in input ? [...input.document.components].map(({ name }) => name) : [],
  );
  expect(found.toSorted()).toEqual(names);
  const listed = coverage.notRead.flatMap(({ examples }) => examples);
  expect(listed).toEqual(
    notRead.map((each) => expect.stringContaining(each.replace(/^.*:\/\//, "").replace(/^\.\.\//, ""))),
  );
});
