/** The look-up commands: each asks the backend, and prints its JSON unchanged or formatted text. */
import { formatList } from "../../messages/format.ts";
import type { TerminalOptions } from "../../report/reporter.ts";
import type { CommandModule, Invocation } from "../../shell/command.ts";
import { openBackend, localLinks } from "../../shell/backend.ts";
import { deliver, jsonText, terminalOptions } from "../../shell/output.ts";
import { openChosenCatalogue } from "../../shell/catalogue.ts";
import { readSettings, stringValue } from "../../shell/settings.ts";
import { AS_OF_FLAG, CATALOGUE_FLAGS, LOOK_UP_FLAGS, OUTCOME_FLAGS, TEXT_OR_JSON_FLAGS } from "../flags/check.ts";
import { assessmentFromScore } from "../../wire/lifecycle.ts";
import type { StatusObject } from "../../wire/schemas.ts";
import { lifecycleWord } from "../../lifecycle/gate.ts";
import { inLocale } from "../../report/terminal/text.ts";
import { cycleList, productList, scoreCard } from "../../report/cards/score-card.ts";
import { escapeTerminal } from "../../report/escape.ts";
import { reportSupplements } from "../../api/check.ts";
import type { Operations } from "../../api/operations/operations.ts";
import { explain } from "../../api/explain.ts";
import type { Catalogue } from "../../model/index.ts";
import { askedVersion, namedCycles } from "../../resolve/typed.ts";
import { findProduct } from "../../resolve/product.ts";
import type { IsoDate } from "../../text/ids.ts";
import { explanationCard } from "../../report/cards/explanation.ts";
import { explanationJson } from "../../report/json/explanation.ts";

/** What questions are read by, also where a service answers them. */
interface QuestionContext {
  readonly catalogue: Catalogue;
  readonly asOf: IsoDate;
}

/** Asks, prints the answer, and resolves to exit code 0. The operation throws an EolgateError if there is no answer. */
export async function lookUp<Answer>(
  invocation: Invocation,
  ask: (operations: Operations, local: QuestionContext) => Promise<Answer>,
  words: (answer: Answer, options: TerminalOptions) => string | Promise<string>,
): Promise<number> {
  const { io } = invocation;
  const settings = await readSettings(invocation);
  const catalogue = await openChosenCatalogue(invocation.io, settings);
  const { operations } = await openBackend(invocation, settings, catalogue);
  const answer = await ask(await operations(), { catalogue, asOf: settings.asOf });
  const output = stringValue(settings.values["output"]);
  const json = stringValue(settings.values["format"]) === "json";
  const options = terminalOptions(io, output !== undefined);
  await deliver(io, output, json ? jsonText(answer) : inLocale(await words(answer, options), options));
  return 0;
}

/** A product and at most its version are taken as written. Any other words are read as a question. */
function askedIn({ args }: Invocation, catalogue: Catalogue, asOf: IsoDate): { slug: string; version?: string } {
  const [slug = "", version, ...more] = args;
  const isProduct = findProduct(catalogue, slug) !== undefined || slug.startsWith("pkg:");
  if (more.length > 0 || !isProduct) {
    const asked = askedVersion(catalogue, args.join(" "), asOf);
    if (asked) return asked;
  }
  return more.length > 0 ? { slug: args.join(" ") } : { slug, ...(version !== undefined && { version }) };
}

const runScore = (invocation: Invocation): Promise<number> =>
  lookUp(
    invocation,
    (operations, { catalogue, asOf }) => {
      const { slug, version } = askedIn(invocation, catalogue, asOf);
      return version === undefined ? operations.highestScore({ slug }) : operations.score({ slug, version });
    },
    (score, options) => scoreCard(assessmentFromScore(score), options, score.requested_version),
  );

const runStatus = (invocation: Invocation): Promise<number> =>
  lookUp(
    invocation,
    (operations, { catalogue, asOf }) => operations.status({ version: "", ...askedIn(invocation, catalogue, asOf) }),
    statusLine,
  );

function statusLine(status: StatusObject): string {
  const others = status.candidates ? `; it can mean ${formatList(status.candidates)}` : "";
  return `${escapeTerminal(`${status.product} ${status.version}  ${formatStatus(status)}${others}`)}\n`;
}

/** `supported until 2028-06-30 by Debian LTS; standard support ended 2026-07-11`. */
function formatStatus({ gate, is_supported: isSupported, is_eol: isEol, ...status }: StatusObject): string {
  const { support_track: track, support_end_date: until, eol_date: standard } = status;
  const end = until === null ? "" : ` ${isSupported ? "until" : "on"} ${until}`;
  const by = track === null ? "" : isSupported ? ` by ${track}` : ` (${track})`;
  const day = track === null || standard === null ? "" : `; standard support ${isEol ? "ended" : "ends"} ${standard}`;
  return `${lifecycleWord(gate.condition, isSupported)}${end}${by}${day}`;
}

const runProduct = (invocation: Invocation): Promise<number> =>
  lookUp(
    invocation,
    (operations) => operations.product({ slug: invocation.args[0] ?? "" }),
    (product, options) =>
      `\n  ${escapeTerminal(product.name)}  ${escapeTerminal(product.category)}, ${product.version_count} lines\n\n${cycleList(product.versions.map(assessmentFromScore), options)}\n\n`,
  );

/** Release cycles that a search names, of which `products` prints the status. */
const MOST_NAMED = 10;

const runProducts = (invocation: Invocation): Promise<number> => {
  const word = invocation.args.join(" ").toLowerCase();
  return lookUp(
    invocation,
    async (operations, { catalogue, asOf }) => {
      const all = await operations.products({});
      const found = all.items.filter(({ slug, name }) => slug.includes(word) || name.toLowerCase().includes(word));
      const { cycles, products, refused } = namedCycles(catalogue, word, asOf);
      const named = new Set<string>(found.length > 0 ? [] : products.map(({ slug }) => slug));
      const items = found.length > 0 ? found : all.items.filter(({ slug }) => named.has(slug));
      const asked = cycles.slice(0, MOST_NAMED);
      const statuses = await Promise.all(
        asked.map((each) => operations.status({ slug: each.product, version: each.cycle })),
      );
      return { ...all, count: items.length, products: items.map(({ slug }) => slug), items, cycles: statuses, refused };
    },
    ({ items, cycles, refused }) => {
      const why = refused === undefined ? "" : `${escapeTerminal(word)}: ${refused}\n`;
      const list = items.length === 0 ? `no product matches "${escapeTerminal(word)}"` : productList(items);
      return `${cycles.map(statusLine).join("")}${why}${list}\n`;
    },
  );
};

async function runExplain(invocation: Invocation): Promise<number> {
  const { io, args } = invocation;
  const settings = await readSettings(invocation);
  const catalogue = await openChosenCatalogue(invocation.io, settings);
  const { policy, asOf } = settings;
  const explained = explain(args.join(" "), { catalogue, policy, asOf });
  const deciding = explained.finding.outcome.assessment ?? explained.finding.assessment;
  const { advice } = reportSupplements([], { catalogue, policy, asOf });
  const explanation = {
    ...explained,
    policy,
    advice: deciding && advice?.(deciding.releaseCycle),
  };
  const output = stringValue(settings.values["output"]);
  const options = terminalOptions(io, output !== undefined);
  await deliver(
    io,
    output,
    stringValue(settings.values["format"]) === "json"
      ? explanationJson(explanation, localLinks(io, catalogue, asOf))
      : inLocale(explanationCard(explanation, options), options),
  );
  return 0;
}

export const commands: readonly CommandModule[] = [
  {
    name: "explain",
    arguments: "<subject...>",
    summary: "explain the result for a purl, CPE, name@version or slug:version, with its sources",
    flags: [...OUTCOME_FLAGS, AS_OF_FLAG, ...CATALOGUE_FLAGS, ...TEXT_OR_JSON_FLAGS],
    examples: [
      "eolgate explain pkg:npm/%40angular/core@14.2.0",
      "eolgate explain debian:11",
      "eolgate explain windows server 2012 r2",
    ],
    run: runExplain,
  },
  {
    name: "score",
    arguments: "<slug> [version...]",
    summary: "print the risk score of a release cycle, or of the riskiest cycle of a product",
    flags: LOOK_UP_FLAGS,
    examples: ["eolgate score nodejs 18.20.4", "eolgate score k8s 1.30"],
    run: runScore,
  },
  {
    name: "status",
    arguments: "<slug> [version...]",
    summary: "print whether a release cycle is supported",
    flags: LOOK_UP_FLAGS,
    examples: ["eolgate status python 3.9", "eolgate node 18", "eolgate is python 3.9 dead"],
    run: runStatus,
  },
  {
    name: "product",
    arguments: "<slug>",
    summary: "list the release cycles of a product",
    flags: LOOK_UP_FLAGS,
    run: runProduct,
  },
  {
    name: "products",
    arguments: "[search...]",
    summary: "list the tracked products, or those whose name or slug contains the text",
    flags: LOOK_UP_FLAGS,
    run: runProducts,
  },
];
