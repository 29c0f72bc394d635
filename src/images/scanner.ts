/** Runs a scanner that is installed on this machine to get the SBOM of an image: `--with syft`, `--with trivy`. */
import { spawn } from "node:child_process";
import { EolgateError } from "../messages/error.ts";
import { parsePlatform } from "./contents/platform.ts";
import { type ImageTarget, parseImageTarget } from "./registry/reference.ts";
import { openSbom } from "../sbom/open.ts";
import { errorCode } from "../platform/write-error.ts";
import type { ImageReading, ImageRequest } from "./read.ts";
import { collect, digestOfBytes } from "./stream.ts";
import { type ImageContext, splitName } from "./targets.ts";

export type ScannerName = "syft" | "trivy";

type Arguments = (target: ImageTarget, image: string, cwd: string) => readonly string[];

const pathOf = (rest: string, cwd: string): string => splitName(rest, cwd).path;

/** Arguments by scanner. Values cannot be read as options: image names are validated, and paths are absolute. */
const ARGUMENTS: Readonly<Record<ScannerName, Arguments>> = {
  syft: (target, image, cwd) => {
    const quiet = ["--quiet", "--output", "cyclonedx-json"];
    if (target.kind === "registry") return ["scan", `registry:${image}`, ...quiet];
    if (target.kind === "docker-daemon") return ["scan", `docker:${target.name}`, ...quiet];
    const scheme = target.kind === "oci" ? "oci-dir" : target.kind;
    return ["scan", `${scheme}:${pathOf(target.rest, cwd)}`, ...quiet];
  },
  trivy: (target, image, cwd) => {
    const quiet = ["image", "--quiet", "--format", "cyclonedx"];
    if (target.kind === "registry") return [...quiet, "--image-src", "remote", image];
    if (target.kind === "docker-daemon") return [...quiet, "--image-src", "docker", target.name];
    return [...quiet, "--input", pathOf(target.rest, cwd)];
  },
};

/** Milliseconds. */
const TIMEOUT = 15 * 60_000;
const OUTPUT_BYTES = 512 * 1024 * 1024;
const ERROR_BYTES = 64 * 1024;

/**
 * Run a scanner and read its SBOM. eolgate itself does not read the image.
 * @throws EolgateError `not-installed`, `scanner-failed`, and the errors of `openSbom`
 */
export async function scanImage(
  scanner: ScannerName,
  { image, platform }: ImageRequest,
  { cwd, env }: Pick<ImageContext, "cwd" | "env">,
): Promise<ImageReading> {
  const target = parseImageTarget(image);
  if (platform !== undefined) parsePlatform(platform);
  const name = image.replace(/^docker:\/\//, "");
  const args = [...ARGUMENTS[scanner](target, name, cwd), ...(platform === undefined ? [] : ["--platform", platform])];
  const bytes = await runScanner(scanner, args, { cwd, env });
  const document = await openSbom(bytes);
  return {
    inputs: [{ file: `${image} (${scanner})`, digest: digestOfBytes(bytes), document, partOf: image }],
    coverage: {
      image,
      platform: null,
      digest: null,
      evidence: [{ kind: "scanner", source: document.generator ?? scanner, components: document.components.length }],
      notRead: [],
    },
  };
}

async function runScanner(
  scanner: ScannerName,
  args: readonly string[],
  { cwd, env }: Pick<ImageContext, "cwd" | "env">,
): Promise<Uint8Array> {
  const signal = AbortSignal.timeout(TIMEOUT);
  const child = spawn(scanner, args, { cwd, env, signal, killSignal: "SIGKILL", stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number | null>((done, fail) => {
    child.once("error", fail);
    child.once("close", done);
  });
  const outputs = [collect(child.stdout, OUTPUT_BYTES, `the output of ${scanner}`), lastBytes(child.stderr)] as const;
  try {
    const [code, output, messages] = await Promise.all([ended, ...outputs]);
    if (code === 0) return output;
    throw EolgateError.of("scanner-failed", { scanner, reason: lastLine(messages) || `exit code ${String(code)}` });
  } catch (cause) {
    child.kill("SIGKILL");
    if (cause instanceof EolgateError) throw cause;
    if (errorCode(cause) === "ENOENT")
      throw EolgateError.of(
        "not-installed",
        { problem: `${scanner} is not installed`, advice: `Install ${scanner}, or check the image without --with.` },
        { where: "--with", cause },
      );
    const reason = signal.aborted ? "it took longer than 15 minutes" : errorCode(cause);
    throw EolgateError.of("scanner-failed", { scanner, reason }, { cause });
  }
}

async function lastBytes(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  let last = Buffer.alloc(0);
  for await (const chunk of chunks) last = Buffer.concat([last, chunk]).subarray(-ERROR_BYTES);
  return last.toString("utf8");
}

const lastLine = (text: string): string => (text.trim().split("\n").at(-1) ?? "").trim().slice(0, 300);
