/**
 * `eolgate doctor`: prints information for support questions: versions, the effective configuration, the catalogue, the
 * cache, and on request whether the catalogue channel answers.
 */
import { access, constants, mkdir } from "node:fs/promises";
import { availableParallelism, release } from "node:os";
import { locate } from "../../catalogue/channel/location.ts";
import { RELEASE_CHANNEL, updateCommand } from "../../catalogue/places.ts";
import { openCatalogue } from "../../catalogue/file.ts";
import { catalogueInfo } from "../../catalogue/info/info.ts";
import { verifySignature } from "../../catalogue/signature.ts";
import { EolgateError } from "../../messages/error.ts";
import { worstExit } from "../../policy/exit.ts";
import { VERSION } from "../../platform/version.ts";
import { escapeTerminal } from "../../report/escape.ts";
import type { CommandModule, Invocation } from "../../shell/command.ts";
import { isEnabled, readSettings, stringValue, flagValues } from "../../shell/settings.ts";
import { deliverAnswer } from "../../shell/output.ts";
import { cacheOf, currentCatalogueFile, trustOf } from "../../shell/catalogue-file.ts";
import { CATALOGUE_FLAG, TEXT_OR_JSON_FLAGS } from "../flags/check.ts";
import { CONFIG_FLAGS } from "../../shell/flag.ts";
import { toEolgateError } from "../start/format-error.ts";
import { asRecord } from "../../text/values.ts";
import { KEY_FLAG } from "../flags/catalogue.ts";

const doctor: CommandModule = {
  name: "doctor",
  summary: "print versions, the effective configuration and the state of the catalogue, for support questions",
  flags: [
    { flags: "--network", summary: "also check whether the catalogue channel answers" },
    { flags: "--service <url>", summary: "also check whether the service at this address is ready (health checks)" },
    ...CONFIG_FLAGS,
    CATALOGUE_FLAG,
    KEY_FLAG,
    ...TEXT_OR_JSON_FLAGS,
  ],
  examples: ["eolgate doctor", "eolgate doctor --network --format json"],
  run,
};
export const commands: readonly CommandModule[] = [doctor];

/** One line of the output. A problem has the exit code that commands would have because of it. */
interface DoctorCheck {
  readonly name: string;
  readonly state: "ok" | "note" | "problem";
  readonly detail: string;
  readonly exit: number;
}

type Probe = (invocation: Invocation) => Promise<Omit<DoctorCheck, "name">>;

const ok = (detail: string): Omit<DoctorCheck, "name"> => ({ state: "ok", detail, exit: 0 });
const note = (detail: string): Omit<DoctorCheck, "name"> => ({ state: "note", detail, exit: 0 });

/** In the order in which they are printed. */
const PROBES: Readonly<Record<string, Probe>> = {
  eolgate: () => Promise.resolve(ok(VERSION)),
  node: () => Promise.resolve(ok(`${process.versions.node}, V8 ${process.versions.v8}`)),
  system: () =>
    Promise.resolve(ok(`${process.platform} ${release()}, ${process.arch}, ${String(availableParallelism())} cores`)),
  "working directory": ({ io }) => Promise.resolve(ok(io.cwd)),
  configuration,
  variables: ({ io }) => Promise.resolve(variables(io.env)),
  catalogue,
  "catalogue signature": signature,
  "catalogue folder": (invocation) => writable(cacheOf(invocation.io)),
};

async function run(invocation: Invocation): Promise<number> {
  const values = flagValues(invocation);
  const probes = {
    ...PROBES,
    ...(isEnabled(values["network"]) && { channel }),
    ...(stringValue(values["service"]) !== undefined && { service }),
  };
  const checks: DoctorCheck[] = [];
  for (const [name, probe] of Object.entries(probes)) checks.push({ name, ...(await outcomeOf(probe, invocation)) });
  await deliverAnswer(invocation.io, values, { checks }, () => card(checks));
  return worstExit(checks.map(({ exit }) => exit));
}

async function outcomeOf(probe: Probe, invocation: Invocation): Promise<Omit<DoctorCheck, "name">> {
  try {
    return await probe(invocation);
  } catch (cause) {
    const { message, where, hint, exit } = toEolgateError(cause);
    const detail = [`${message}${where === undefined ? "" : ` (${where})`}`, hint].filter(Boolean).join(". ");
    return { state: "problem", detail, exit };
  }
}

async function configuration(invocation: Invocation): Promise<Omit<DoctorCheck, "name">> {
  const { inForce } = await readSettings(invocation);
  const given = inForce.given.map(({ setting, origin }) => `${setting} from ${origin}`);
  return ok([inForce.configFile ?? "no configuration file", ...given].join("; "));
}

/** Names only: values can be secrets. */
function variables(env: Invocation["io"]["env"]): Omit<DoctorCheck, "name"> {
  const set = Object.keys(env).filter(
    (name) => /^(?:EOLGATE_|(?:HTTPS?|NO)_PROXY$|NODE_OPTIONS$)/i.test(name) && env[name] !== "",
  );
  return ok(set.length === 0 ? "none that change results" : `set: ${set.sort().join(", ")}`);
}

const OLD_DAYS = 30;

async function catalogue(invocation: Invocation): Promise<Omit<DoctorCheck, "name">> {
  const { bytes, origin } = await currentCatalogueFile(invocation.io, flagValues(invocation));
  const today = invocation.io.today();
  const { date, age_days: age, digest, products, cycles } = catalogueInfo(bytes, origin, today);
  if (age < 0) throw EolgateError.of("catalogue-from-future", { date, today }).at(origin);
  const detail = `${origin}, ${date} (${String(age)} days old), ${String(products)} products, ${String(cycles)} cycles, ${digest}`;
  return age > OLD_DAYS ? note(`${detail}; refresh it with: ${updateCommand(invocation.io.env)}`) : ok(detail);
}

/** Updates are verified when they are installed; this is the state of the file that is in use now. */
async function signature(invocation: Invocation): Promise<Omit<DoctorCheck, "name">> {
  const values = flagValues(invocation);
  const { bytes, origin } = await currentCatalogueFile(invocation.io, values);
  if (origin === "bundled") return ok("part of the program");
  const { head } = openCatalogue(bytes, origin);
  if (head.signature === null) return note("not signed");
  const { keys } = await trustOf(invocation.io, values);
  if (keys.length === 0) return note(`by the key ${head.signature.key}, not checked because no public key is known`);
  return ok(`valid, by the key ${verifySignature(head, { keys, allowUnsigned: false }, origin) ?? ""}`);
}

async function writable(folder: string): Promise<Omit<DoctorCheck, "name">> {
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
    return ok(folder);
  } catch {
    return note(`${folder} cannot be written to: catalogue updates and cached answers are not kept`);
  }
}

async function channel({ io }: Invocation): Promise<Omit<DoctorCheck, "name">> {
  const from = stringValue(io.env["EOLGATE_CHANNEL"]) ?? RELEASE_CHANNEL;
  if (from === undefined) return note("no channel is configured (EOLGATE_CHANNEL)");
  const origin = await locate(from, io.cwd, { env: io.env, timeout: TIMEOUT });
  const { location } = origin;
  const found = await location.read(origin.kind === "file" ? origin.path : "v1/metadata.json", LIMIT);
  if (found === undefined) throw EolgateError.of("catalogue-unreadable", {}).at(location.address);
  return ok(`${location.address} answers`);
}

/** For health checks of containers that have no other HTTP client. @throws EolgateError `network`. */
async function service(invocation: Invocation): Promise<Omit<DoctorCheck, "name">> {
  const base = stringValue(flagValues(invocation)["service"]) ?? "";
  const { createServiceClient } = await import("../../api/remote/client.ts");
  const client = createServiceClient({ base, env: invocation.io.env, deadline: TIMEOUT });
  try {
    const { status, body } = await client.send({ method: "GET", path: "/readyz?store" });
    if (status !== 200)
      throw EolgateError.of("unexpected-status", { problem: `the service answered with HTTP status ${status}` }).at(
        base,
      );
    const remarks = remarksIn(body.toString("utf8"));
    return remarks.length === 0 ? ok(`${base} is ready`) : note([`${base} is ready`, ...remarks].join("; "));
  } finally {
    await client.close();
  }
}

/** `mail: 2 dead letters`: what /readyz states besides its verdict. Other services state nothing. */
function remarksIn(answer: string): readonly string[] {
  try {
    const { remarks } = asRecord(JSON.parse(answer));
    return Object.entries(asRecord(remarks)).flatMap(([name, remark]) =>
      typeof remark === "string" ? `${name}: ${remark}` : [],
    );
  } catch {
    return [];
  }
}

const TIMEOUT = 10_000;
const LIMIT = 64 * 1024 * 1024;

const MARKS = { ok: "✔", note: "▲", problem: "✖" } as const;

function card(checks: readonly DoctorCheck[]): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  return checks
    .map(({ name, state, detail }) => `${MARKS[state]} ${name.padEnd(width)}  ${escapeTerminal(detail)}\n`)
    .join("");
}
