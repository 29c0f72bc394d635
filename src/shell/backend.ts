/** Chooses the local or the remote operations of a command. Without `--api`, no socket is opened. */
import { EolgateError } from "../messages/error.ts";
import type { IsoDate } from "../text/ids.ts";
import type { Assessment, Catalogue, CycleRef } from "../model/index.ts";
import { type Links, linksUnder, sourceLinks } from "../wire/links.ts";
import { assessLocally, type Assess } from "../api/assess.ts";
import type { Operations } from "../api/operations/operations.ts";
import { escapeTerminal } from "../report/escape.ts";
import { catalogueAssessments } from "../resolve/answer.ts";
import { cycleByName } from "../resolve/version/resolve.ts";
import type { Invocation } from "./command.ts";
import { isEnabled, type Settings, stringValue } from "./settings.ts";

export interface Backend {
  /** Loaded when it is called: a check needs none of them. */
  readonly operations: () => Promise<Operations>;
  /** The assess step of a check. */
  readonly assess: Assess;
  /** Addresses in answers: below the service or EOLGATE_PUBLIC_URL, else the sources of the dates. */
  readonly links: Links;
}

/**
 * Links in local answers. Without EOLGATE_PUBLIC_URL they lead to the sources, because reports are often read on other
 * machines.
 */
export function localLinks({ env }: Invocation["io"], catalogue: Catalogue, asOf: IsoDate): Links {
  const publicUrl = stringValue(env["EOLGATE_PUBLIC_URL"]);
  if (publicUrl === undefined) return sourceLinks(catalogue, asOf);
  if (/^https?:/.test(publicUrl) && URL.canParse(publicUrl)) return linksUnder(publicUrl);
  throw EolgateError.of("invalid-value", {
    problem: `"${publicUrl}" is not an http or https address`,
    advice: "Use an address such as https://eol.example.org.",
  }).at("EOLGATE_PUBLIC_URL");
}

/** The API key without the trailing line break that pasted or piped secrets often have. */
function keyOf({ env }: Invocation["io"]): string | undefined {
  const key = stringValue(env["EOLGATE_API_KEY"]?.trim());
  if (key === undefined || /^[\x21-\x7e]+$/.test(key)) return key;
  throw EolgateError.of("invalid-value", {
    problem: "the API key contains invalid characters",
    advice: "Check how the secret is passed to the command. The key itself is not printed.",
  }).at("EOLGATE_API_KEY");
}

export async function openBackend(
  { io, flags }: Invocation,
  settings: Settings,
  catalogue: Catalogue,
  { isServer = false }: { readonly isServer?: boolean } = {},
): Promise<Backend> {
  // An unset variable of a script, such as --api "$SERVICE", must not check without the service.
  if (flags["api"] === "")
    throw EolgateError.of("invalid-value", { problem: "the address of the service is empty" }).at("--api");
  const api = stringValue(settings.values["api"]);
  if (api === undefined) {
    const { asOf } = settings;
    const links = localLinks(io, catalogue, asOf);
    return {
      operations: async () => (await import("../api/operations/local.ts")).createLocal({ catalogue, asOf, links }),
      assess: assessLocally(catalogue, asOf),
      links,
    };
  }
  if (stringValue(settings.values["asOf"]) !== undefined) throw asOfError();
  const [{ createRemote }, { assessByService, assessBySentDocument }] = await Promise.all([
    import("../api/remote/remote.ts"),
    import("../api/remote/assess.ts"),
  ]);
  const sendSbom = isEnabled(settings.values["sendSbom"]);
  const key = keyOf(io);
  const remote = createRemote({
    base: api,
    env: io.env,
    sendSbom,
    asOf: settings.asOf,
    known: knownIn(catalogue, settings.asOf),
    onNotice: (notice) => io.err(`eolgate: ${escapeTerminal(notice)}\n`),
    ...(isServer && { budget: Number.POSITIVE_INFINITY }),
    ...(key !== undefined && { key }),
  });
  const assess = sendSbom ? assessBySentDocument(remote, { strict: settings.policy.strict }) : assessByService(remote);
  return { operations: async () => remote, assess, links: linksUnder(api) };
}

/** The assessments of the local catalogue; undefined for cycles that only the service knows. */
function knownIn(catalogue: Catalogue, asOf: IsoDate): (cycle: CycleRef) => Assessment | undefined {
  const { assessed } = catalogueAssessments(catalogue, asOf);
  return ({ product: slug, cycle: name }) => {
    const product = catalogue.product(slug);
    const cycle = product && cycleByName(product, name, asOf);
    return product && cycle && assessed(product, cycle);
  };
}

/** A service assesses on its own day; mixing it with the policy of another day would give wrong results silently. */
const asOfError = (): EolgateError =>
  EolgateError.of("invalid-usage", {
    problem: "--as-of cannot be used with --api: a service always uses the current date",
    advice: "Omit --api to use the local catalogue, which works for any date.",
  }).at("--as-of");
