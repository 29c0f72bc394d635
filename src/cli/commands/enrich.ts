/** `eolgate enrich`: lifecycle facts into documents, or out of them, with every other byte as it was. */
import { resolve } from "node:path";
import { Fault } from "../../core/errors.ts";
import type { SbomDocument } from "../../core/model.ts";
import { enrich, removeEnrichment, type Edited } from "../../core/sbom/enrich/enrich.ts";
import { toEnrichment } from "../../core/sbom/enrich/facts.ts";
import { openSbom } from "../../core/sbom/open.ts";
import { linksUnder } from "../../core/wire/links.ts";
import { expandFiles, readInput, type Input } from "../../operations/input.ts";
import { scanDocument } from "../../operations/scan.ts";
import { VERSION } from "../../operations/version.ts";
import type { Invocation } from "../commands.ts";
import { doorOf } from "../door.ts";
import { deliverDiff, deliverDocument, told, validated, type Destination } from "../enriched.ts";
import { faultText } from "../run.ts";
import { on, openCatalogue, readSettings, text } from "../workspace.ts";

/** What becomes of one document. */
type Editor = (input: Input, document: SbomDocument) => Promise<Edited>;

export async function run(invocation: Invocation): Promise<number> {
  const { io, args, flags } = invocation;
  const files = await expandFiles(args, io.cwd);
  refuseContradictions(files, flags);
  const editor = on(flags["remove"]) ? remover(flags) : await enricher(invocation);
  let exit = 0;
  for (const file of files) {
    try {
      await edit(invocation, file, editor);
    } catch (error) {
      // One document without an answer does not keep the others from theirs.
      if (!(error instanceof Fault) || files.length === 1 || error.exit === 70) throw error;
      const { message, where = file, hint = "" } = error;
      io.err(faultText({ message, where, hint }));
      exit = Math.max(exit, error.exit);
    }
  }
  return exit;
}

const usage = (code: string, message: string, hint: string): Fault => new Fault("usage", { code, message, hint });

function refuseContradictions(files: readonly string[], flags: Invocation["flags"]): void {
  const inPlace = on(flags["inPlace"]);
  if (files.length === 0)
    throw usage("no-file", "no document was named", "Give a file: eolgate enrich bom.json -o out.json");
  if (inPlace && flags["output"] !== undefined)
    throw usage("contradiction", "--in-place and --output exclude each other", "Give one of them");
  if (inPlace && files.includes("-"))
    throw usage("contradiction", "standard input cannot be written in place", "Leave --in-place out, or name a file");
  if (files.length > 1 && !inPlace && !on(flags["dryRun"]) && !on(flags["diff"]))
    throw usage("several-files", "several documents need a place each", "Give --in-place, or one document at a time");
}

const remover =
  (flags: Invocation["flags"]): Editor =>
  (_input, document) =>
    Promise.resolve(removeEnrichment(document, { breakSignature: on(flags["breakSignature"]) }));

async function enricher(invocation: Invocation): Promise<Editor> {
  const settings = await readSettings(invocation);
  const catalogue = await openCatalogue(invocation, settings);
  const { assessLines, base } = await doorOf(invocation, settings, catalogue);
  const { asOf, policy } = settings;
  const properties = namesOf(invocation.flags["properties"]);
  return async (input, document) => {
    const { file, digest } = input;
    const scan = await scanDocument({ file, digest, document }, { catalogue, policy, asOf, assessLines });
    const enrichment = toEnrichment(scan, {
      asOf,
      tool: { name: "eolgate", version: VERSION },
      purlMapDate: catalogue.stamp.purlMapDate,
      scoreCard: linksUnder(base).scoreCard,
      properties,
    });
    return enrich(document, enrichment, { breakSignature: on(invocation.flags["breakSignature"]) });
  };
}

const namesOf = (value: unknown): "lifecycle" | "cdx" | "both" =>
  value === "cdx" || value === "both" ? value : "lifecycle";

async function edit({ io, flags }: Invocation, file: string, editor: Editor): Promise<void> {
  const input = await readInput(file, io.cwd, io.stdin);
  if (input.gzipped && on(flags["inPlace"]))
    throw new Fault("usage", {
      code: "gzip-in-place",
      message: "a gzip file cannot be enriched in place",
      where: file,
      hint: "Unpack it first, or write the plain document with -o FILE",
    });
  const document = await openSbom(input.bytes);
  const edited = await editor(input, document);
  const chunks = on(flags["validate"]) ? await validated(edited, document) : edited.chunks;
  if (on(flags["diff"])) await deliverDiff(io, edited, input.file);
  io.err(told(edited, input.file, on(flags["dryRun"])));
  const to = destination(io.cwd, file, flags);
  // The diff took standard output, so the document goes there no more.
  if (on(flags["dryRun"]) || (on(flags["diff"]) && to === STANDARD_OUTPUT)) return;
  await deliverDocument(io, chunks, to);
}

const STANDARD_OUTPUT: Destination = {};

function destination(cwd: string, file: string, flags: Invocation["flags"]): Destination {
  if (on(flags["inPlace"])) return { replace: resolve(cwd, file) };
  const output = text(flags["output"]);
  return output === undefined ? STANDARD_OUTPUT : { output };
}
