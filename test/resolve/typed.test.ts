/** Questions that a person types, over the bundled catalogue: `score`, `explain`, `products` and the search read them alike. */
import { describe, expect, test } from "vitest";
import { loadCatalogue } from "../../src/catalogue/load.ts";
import { namedCycles, namedVersion } from "../../src/resolve/typed.ts";
import { asIsoDate } from "../../src/text/ids.ts";
import { runCommand } from "../cli/fake-io.ts";

const catalogue = loadCatalogue();
const asOf = asIsoDate("2026-11-22");

/** [question, the only release cycle that it names]. */
const QUESTIONS = [
  ["node18", "nodejs:18"],
  ["node 18", "nodejs:18"],
  ["Node.js v18.20.1", "nodejs:18"],
  ["k8s 1.26", "kubernetes:1.26"],
  [".net 6", "dotnet:6"],
  ["ubuntu focal", "ubuntu:20.04"],
  ["exchange 2016", "msexchange:2016"],
  ["lambda python3.8", "aws-lambda:python3.8"],
  ["windows server 2012 r2", "windows-server:2012-r2"],
  ["is node 18 dead?", "nodejs:18"],
  ["when does python 3.9 end", "python:3.9"],
  ["what is the end of life date of debian 11", "debian:11"],
] as const;

test.each(QUESTIONS)("%s is %s", async (question, expected) => {
  const { cycles } = namedCycles(catalogue, question, asOf);
  expect(cycles.map(({ product, cycle }) => `${product}:${cycle}`)).toEqual([expected]);
  const [slug = "", cycle] = expected.split(":");
  for (const argv of [["score"], ["explain"]]) {
    const answer = await runCommand([...argv, ...question.split(" "), "--format", "json"], { cwd: ".", today: asOf });
    const { product, version, score } = JSON.parse(answer.out);
    expect([product ?? score.product, version ?? score.version], answer.err).toEqual([slug, cycle]);
  }
  const status = await runCommand(["status", ...question.split(" ")], { cwd: ".", today: asOf });
  expect(status.out.startsWith(`${slug} ${cycle ?? ""}  `), status.err).toBe(true);
  expect(status.out).toMatch(/ \d{4}-\d{2}-\d{2}/);
  const listed = await runCommand(["products", question], { cwd: ".", today: asOf });
  expect(listed.out).toContain(status.out);
});

test.each([
  ["node 18", "nodejs 18  ended on 2025-04-30\n"],
  ["Node.js v18.20.1", "nodejs 18  ended on 2025-04-30\n"],
  ["is node 18 dead", "nodejs 18  ended on 2025-04-30\n"],
  ["ubuntu 20", "ubuntu 20  ended; it can mean 20.10, 20.04\n"],
])("eolgate %s is a question about its status", async (question, expected) => {
  const { exit, out } = await runCommand(question.split(" "), { cwd: ".", today: asOf });
  expect([exit, out]).toEqual([0, expected]);
});

test.each([
  ["chek 18", "Did you mean check?"],
  ["check2 2026.json", "Did you mean check?"],
  ["node", "unknown command 'node'"],
  ["./sbom 1.json", "unknown command"],
  ["nope 3", 'product "nope" not found'],
  ["nodejs 99", "newer than the catalogue"],
])("eolgate %s is refused: %s", async (words, message) => {
  const { exit, err } = await runCommand(words.split(" "), { cwd: ".", today: asOf });
  expect([exit, err]).toEqual([2, expect.stringContaining(message)]);
});

test.each([
  ["xunit-2 9876.5", [], ["xunit-2"]],
  ["click-python 9876.5", [], ["click-python"]],
  ["sqlite 3", ["sqlite:3"], ["sqlite"]],
  ["babel 6", ["babel:6"], ["babel", "babel-6-packages"]],
  ["windows server 2012 r2", ["windows-server:2012-r2"], ["windows-server"]],
])("%s names %j", (question, cycles, products) => {
  const named = namedCycles(catalogue, question, asOf);
  expect(named.cycles.map(({ product, cycle }) => `${product}:${cycle}`)).toEqual(cycles);
  expect(named.products.map(({ slug }) => slug)).toEqual(products);
});

test("products states why the version of a product is unknown", async () => {
  const { out } = await runCommand(["products", "nodejs", "99"], { cwd: ".", today: asOf });
  expect(out).toMatch(/^nodejs 99: newer than the catalogue\n {2}nodejs /);
});

test("a version of several ended cycles is answered as a whole", async () => {
  expect(namedVersion(namedCycles(catalogue, "sql server 2014", asOf))).toEqual({
    slug: "mssqlserver",
    version: "2014",
  });
  const { exit, out } = await runCommand(["score", "sql", "server", "2014"], { cwd: ".", today: asOf });
  expect([exit, out]).toEqual([0, expect.stringContaining("Microsoft SQL Server 2014  for 2014")]);
});

test.each(["score", "explain"])("%s lists the products that a question can mean", async (command) => {
  for (const question of ["java 8", "java8", "java v8", "jdk version 11"]) {
    const { exit, err } = await runCommand([command, ...question.split(" ")], { cwd: ".", today: asOf });
    expect([exit, err]).toEqual([
      2,
      expect.stringMatching(
        /^eolgate: version "(?:8|11)" of "(?:java|jdk)" is ambiguous: ask for [a-z-]+ (?:8|11), [a-z-]+ (?:8|11), /,
      ),
    ]);
  }
});

test.each(["gemini-2.5-pro", "express-session", "openjdk@8"])("explain reads %s as a component", async (subject) => {
  const { exit, out } = await runCommand(["explain", subject, "--format", "json"], { cwd: ".", today: asOf });
  expect([exit, JSON.parse(out).read_as]).toEqual([0, "name"]);
});

describe("several release cycles are listed, and none is chosen", () => {
  test.each(["windows 10", "java 8"])("%s", async (question) => {
    expect(namedCycles(catalogue, question, asOf).cycles.length).toBeGreaterThan(5);
    const { exit, err } = await runCommand(["score", ...question.split(" ")], { cwd: ".", today: asOf });
    expect([exit, err]).toEqual([2, expect.stringContaining("is ambiguous: ask for ")]);
  });
});

test.each(["nope 3", "server 2016", "sql 2014 x", "18", "", "e".repeat(500)])("%j names nothing", (question) => {
  expect(namedCycles(catalogue, question, asOf).cycles).toEqual([]);
});
