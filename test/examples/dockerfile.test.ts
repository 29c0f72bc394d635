/** The Dockerfile is valid, follows the rules for images that run without rights, and uses supported software. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DockerfileParser } from "dockerfile-ast";
import { validate } from "dockerfile-utils";
import { describe, expect, test } from "vitest";
import { runCommand } from "../cli/fake-io.ts";
import { singleReport } from "../single-report.ts";

const root = join(import.meta.dirname, "../..");
const text = readFileSync(join(root, "Dockerfile"), "utf8");

/** The image of a stage, with the default of the argument that names it. */
function baseImage(file: ReturnType<typeof DockerfileParser.parse>, image: string): string {
  const properties = file.getInitialARGs().map((each) => each.getProperty());
  return properties.find((property) => image === `$${property?.getName()}`)?.getValue() ?? image;
}

/** One sentence for each rule that a Dockerfile breaks. */
function problems(source: string): readonly string[] {
  const file = DockerfileParser.parse(source);
  const instructions = file.getInstructions();
  const last = (keyword: string) => instructions.findLast((each) => each.getKeyword() === keyword);
  const froms = file.getFROMs();
  const stage = instructions.slice(instructions.findLastIndex((each) => each.getKeyword() === "FROM"));
  const execForm = (keyword: string): boolean => last(keyword)?.getRawArgumentsContent()?.includes("[") === true;
  return [
    ...validate(source).map(({ message }) => (typeof message === "string" ? message : message.value)),
    ...froms
      .map((from) => baseImage(file, from.getImage() ?? ""))
      .filter((image) => !/:(?!latest$)[^/:]+$/.test(image))
      .map((image) => `${image} has no tag`),
    ...(/^[1-9]\d*:[1-9]\d*$/.test(last("USER")?.getRawArgumentsContent() ?? "")
      ? []
      : ["USER has to be numbers other than 0, so that Kubernetes can verify it"]),
    ...["ENTRYPOINT", "CMD", "HEALTHCHECK"].filter((keyword) => !execForm(keyword)).map((keyword) => `${keyword} is not in exec form`),
    ...(stage.some((each) => each.getKeyword() === "RUN") ? ["the last stage runs a program, but it has no shell"] : []),
    ...(instructions.some((each) => each.getKeyword() === "ADD") ? ["ADD unpacks and downloads; use COPY"] : []),
  ];
}

test("follows the rules", () => expect(problems(text)).toEqual([]));

describe("the rules detect", () => {
  test.each([
    ["an unknown instruction", "USER 65532", "USERR 65532"],
    ["root", "USER 65532:65532", "USER root"],
    ["an image without a tag", "cc-debian13:nonroot", "cc-debian13"],
    ["the shell form", 'ENTRYPOINT ["/usr/bin/eolgate"]', "ENTRYPOINT /usr/bin/eolgate"],
    ["a command in the last stage", "EXPOSE 8080", "RUN id\nEXPOSE 8080"],
    ["ADD", "COPY . .", "ADD . ."],
  ])("%s", (_, before, after) => {
    expect(text).toContain(before);
    expect(problems(text.replace(before, after))).not.toEqual([]);
  });
});

test("uses supported base images", async () => {
  // On a fixed day: whether it is still supported is asked by `npm run gate`, which reads the file as well.
  const { exit, out } = await runCommand(["check", "Dockerfile", "--as-of", "2026-11-22", "--format", "json"], { cwd: root });
  const { findings, gate } = singleReport(out);
  const named = findings.map(({ product, cycle }: Record<string, unknown>) => `${String(product)} ${String(cycle)}`);
  expect(new Set(named)).toEqual(new Set(["nodejs 24", "debian 13"]));
  expect(gate.verdict).toBe("pass");
  expect(exit).toBe(0);
});

test("copies the files that the script prepares", () => {
  const script = readFileSync(join(root, "tools/executable/image-root.ts"), "utf8");
  for (const folder of ["usr/bin", "usr/share", "var/lib/eolgate"]) expect(script).toContain(folder);
  expect(text).toContain("tools/executable/image-root.ts");
});
