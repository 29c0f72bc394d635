/** The Authorization header for a registry: Basic, or a bearer token from its token service. */
import { Type } from "typebox";
import { Check } from "typebox/value";
import type { Dispatcher } from "undici";
import { EolgateError } from "../../messages/error.ts";
import { collect } from "../stream.ts";
import type { AddressRules } from "./addresses.ts";
import type { Challenge } from "./challenge.ts";
import type { Credentials } from "./credentials.ts";

export interface TokenContext {
  readonly rules: AddressRules;
  readonly host: string;
  readonly repository: string;
  readonly send: (
    url: URL,
    request: { headers: Record<string, string>; method?: "GET" | "POST"; body?: string },
  ) => Promise<Dispatcher.ResponseData>;
}

const TOKEN_BYTES = 1024 * 1024;
const tokenSchema = Type.Union([Type.Object({ token: Type.String() }), Type.Object({ access_token: Type.String() })]);

/** The value of the header. @throws EolgateError `registry-refused` without suitable credentials, `registry-status`, `registry-address` */
export async function requestToken(
  challenge: Challenge | undefined,
  credentials: Credentials | undefined,
  context: TokenContext,
): Promise<string> {
  if (challenge?.kind === "bearer") return `Bearer ${await bearerToken(challenge, credentials, context)}`;
  if (challenge?.kind === "basic" && credentials?.kind === "basic") return basic(credentials);
  throw refusedError(context, credentials !== undefined);
}

const basic = ({ user, password }: Extract<Credentials, { kind: "basic" }>): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;

export const refusedError = (
  { host, repository }: Pick<TokenContext, "host" | "repository">,
  hasCredentials: boolean,
) => EolgateError.of("registry-refused", { repository, hasCredentials }, { where: host });

async function bearerToken(
  { realm, service, scope }: Extract<Challenge, { kind: "bearer" }>,
  credentials: Credentials | undefined,
  context: TokenContext,
): Promise<string> {
  const url = context.rules.resolve(realm);
  const wanted = { ...(service && { service }), scope: scope ?? `repository:${context.repository}:pull` };
  const answer =
    credentials?.kind === "identity"
      ? await exchangeRefreshToken(url, { ...wanted, refresh_token: credentials.token }, context)
      : await fetchToken(url, wanted, { credentials, context });
  if (answer.statusCode === 400 || answer.statusCode === 401 || answer.statusCode === 403) {
    await answer.body.dump();
    throw refusedError(context, credentials !== undefined);
  }
  const text = Buffer.from(await collect(answer.body, TOKEN_BYTES, "the answer of the token service")).toString("utf8");
  const token = answer.statusCode === 200 ? parseToken(text) : undefined;
  if (token === undefined)
    throw EolgateError.of("registry-status", { status: answer.statusCode }, { where: url.origin });
  return token;
}

function fetchToken(
  url: URL,
  wanted: Readonly<Record<string, string>>,
  { credentials, context }: { credentials: Credentials | undefined; context: TokenContext },
) {
  const address = new URL(url);
  for (const [name, value] of Object.entries(wanted)) address.searchParams.set(name, value);
  const headers: Record<string, string> = credentials?.kind === "basic" ? { authorization: basic(credentials) } : {};
  return context.send(address, { headers });
}

function exchangeRefreshToken(url: URL, wanted: Readonly<Record<string, string>>, { send }: TokenContext) {
  const body = new URLSearchParams({ ...wanted, grant_type: "refresh_token", client_id: "eolgate" }).toString();
  return send(url, { method: "POST", headers: { "content-type": "application/x-www-form-urlencoded" }, body });
}

/** Undefined if the response has no token, or one that is not valid in a header. */
function parseToken(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!Check(tokenSchema, value)) return undefined;
    const token = "token" in value ? value.token : value.access_token;
    return /^[\x21-\x7e]+$/.test(token) ? token : undefined;
  } catch {
    return undefined;
  }
}
