/** The settings of `eolgate serve` from flags and environment, validated before anything is opened; those of payments. */
import type { WebhookHosts } from "../mail/webhook.ts";
import { EolgateError } from "../../messages/error.ts";
import { isLoopback } from "../http/admission.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../clock.ts";
import { DEFAULT_SETTINGS, type ServerSettings } from "../http/app-context.ts";
import { CONNECTIONS } from "../store/open.ts";
import type { Invocation, SettingsLayer } from "../../shell/command.ts";
import { flagNameOf } from "../../shell/flag.ts";
import { flagValues, isEnabled, stringValue } from "../../shell/settings.ts";

export interface ServeSettings {
  readonly host: string;
  readonly port: number;
  /** Undefined: not configured. */
  readonly publicUrl: string | undefined;
  readonly metricsPort: number | undefined;
  /** The most connections to PostgreSQL. */
  readonly databaseConnections: number;
  /** Milliseconds; undefined: never. */
  readonly refresh: number | undefined;
  readonly smtp: string | undefined;
  readonly mailFrom: string | undefined;
  readonly webhookHosts: WebhookHosts;
  readonly server: Omit<ServerSettings, "publicUrl">;
}

export function serveSettings(invocation: Invocation): ServeSettings {
  const values = flagValues(invocation);
  const host = stringValue(values["host"]) ?? "127.0.0.1";
  const open = isEnabled(values["open"]);
  if (open && !isLoopback(host)) {
    throw badFlag("open", `serves all clients without a key and therefore needs a loopback address, not ${host}`);
  }
  return {
    host,
    port: whole(values, "port", 8080, 65_535),
    publicUrl: publicUrlOf(stringValue(values["publicUrl"])),
    metricsPort: values["metricsPort"] === undefined ? undefined : whole(values, "metricsPort", 0, 65_535),
    databaseConnections: whole(values, "databaseConnections", CONNECTIONS, 1000, 1),
    refresh: interval(stringValue(values["refresh"]) ?? "12h"),
    smtp: stringValue(values["smtp"]),
    mailFrom: stringValue(values["mailFrom"]),
    webhookHosts: new Set(
      stringValue(values["webhookHosts"])
        ?.split(",")
        .map((host) => host.trim()),
    ),
    server: {
      open,
      keylessUntil: instant(stringValue(values["keylessUntil"])),
      trustProxy: whole(values, "trustProxy", DEFAULT_SETTINGS.trustProxy, 10),
      batchEnvelope: isEnabled(values["batchEnvelope"]),
      interactive: true,
      sendsMail: stringValue(values["smtp"]) !== undefined,
      maxBody: whole(values, "maxBody", DEFAULT_SETTINGS.maxBody, 2 ** 31 - 1),
    },
  };
}

// oxlint-disable-next-line max-params -- one row of settings
function whole(values: SettingsLayer, key: string, otherwise: number, most: number, least = 0): number {
  const value = stringValue(values[key]);
  if (value === undefined) return otherwise;
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= least && number <= most) return number;
  throw badFlag(key, `must be a whole number from ${least} to ${most}, not ${value}`);
}

/** @throws EolgateError `usage` for anything except an http or https address. */
export function publicUrlOf(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "") return value.replace(/\/+$/, "");
  throw badFlag("publicUrl", `must be an http or https URL, not ${value}`);
}

function instant(value: string | undefined): number {
  if (value === undefined) return DEFAULT_SETTINGS.keylessUntil;
  const time = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z)?$/.test(value) ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw badFlag("keylessUntil", `must be a time such as 2026-11-16T00:00:00Z, not ${value}`);
}

const UNITS: Readonly<Record<string, number>> = { s: SECOND, m: MINUTE, h: HOUR, d: DAY };
const MIN_REFRESH = 5 * MINUTE;

function interval(value: string): number | undefined {
  if (value === "off" || value === "0") return undefined;
  const [, count = "", unit = ""] = /^(\d+)([smhd])$/.exec(value) ?? [];
  const time = Number(count) * (UNITS[unit] ?? Number.NaN);
  if (time >= MIN_REFRESH) return time;
  throw badFlag("refresh", `must be off, or an interval of at least 5m, such as 12h, not ${value}`);
}

function badFlag(key: string, message: string): EolgateError {
  const name = flagNameOf(key);
  return EolgateError.of("invalid-value", { problem: `${name} ${message}` }).at(name);
}

export interface PaymentSettings {
  readonly apiKey: string;
  readonly webhookSecret: string;
  readonly prices: Readonly<Record<"starter" | "pro", string>>;
  readonly base: string;
}

const BASE = "https://api.stripe.com";
const REQUIRED = [
  "EOLGATE_STRIPE_KEY",
  "EOLGATE_STRIPE_WEBHOOK_SECRET",
  "EOLGATE_STRIPE_PRICE_STARTER",
  "EOLGATE_STRIPE_PRICE_PRO",
] as const;

/** Undefined if no variable is set. @throws EolgateError `server-config` if only some are set */
export function paymentSettings(env: Readonly<Record<string, string | undefined>>): PaymentSettings | undefined {
  const missing = REQUIRED.filter((name) => (env[name] ?? "") === "");
  if (missing.length === REQUIRED.length) return undefined;
  if (missing.length > 0) {
    throw EolgateError.of("server-config", {
      problem: `the payment configuration is incomplete: ${missing.join(", ")} is missing`,
      advice: "Set all payment variables or none.",
    });
  }
  const value = (name: (typeof REQUIRED)[number]): string => env[name] ?? "";
  return {
    apiKey: value("EOLGATE_STRIPE_KEY"),
    webhookSecret: value("EOLGATE_STRIPE_WEBHOOK_SECRET"),
    prices: { starter: value("EOLGATE_STRIPE_PRICE_STARTER"), pro: value("EOLGATE_STRIPE_PRICE_PRO") },
    base: env["EOLGATE_STRIPE_BASE"] ?? BASE,
  };
}
