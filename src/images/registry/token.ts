/**
 * The Authorization header for a registry: Basic, or a bearer token from its token service, which the registry names in
 * a challenge. https://distribution.github.io/distribution/spec/auth/token/, RFC 9110, 11.6.1
 */
import { Type } from "typebox";
import { Check } from "typebox/value";
import type { HttpRequest, HttpResponse } from "../../http/client.ts";
import { EolgateError } from "../../messages/error.ts";
import type { Credentials } from "./credentials.ts";

export type Challenge =
  | { readonly kind: "basic" }
  | { readonly kind: "bearer"; readonly realm: string; readonly service?: string; readonly scope?: string };

const PARAMETER = /([a-z_]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/gi;

/** The first challenge with a supported scheme; undefined if there is none. */
export function parseChallenge(header: string | readonly string[] | undefined): Challenge | undefined {
  for (const text of [header ?? []].flat()) {
    if (/^\s*basic\b/i.test(text)) return { kind: "basic" };
    if (!/^\s*bearer\b/i.test(text)) continue;
    const parameters = new Map(
      [...text.matchAll(PARAMETER)].map(([, name = "", quoted, plain = ""]) => [
        name.toLowerCase(),
        quoted?.replaceAll(/\\(.)/g, "$1") ?? plain,
      ]),
    );
    const [realm, service, scope] = ["realm", "service", "scope"].map((name) => parameters.get(name));
    if (realm) return { kind: "bearer", realm, ...(service && { service }), ...(scope && { scope }) };
  }
  return undefined;
}

export interface TokenContext {
  readonly host: string;
  readonly repository: string;
  /** The address of the token service. @throws EolgateError `registry-untrusted` */
  readonly resolve: (realm: string) => Promise<URL>;
  readonly send: (request: HttpRequest) => Promise<HttpResponse>;
}

const tokenSchema = Type.Union([Type.Object({ token: Type.String() }), Type.Object({ access_token: Type.String() })]);

/** The value of the header. @throws EolgateError `registry-refused` without suitable credentials, `unexpected-status`, `registry-untrusted` */
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
) => EolgateError.of("registry-refused", { repository, hasCredentials }).at(host);

async function bearerToken(
  { realm, service, scope }: Extract<Challenge, { kind: "bearer" }>,
  credentials: Credentials | undefined,
  context: TokenContext,
): Promise<string> {
  const url = await context.resolve(realm);
  const wanted = { ...(service && { service }), scope: scope ?? `repository:${context.repository}:pull` };
  const answer = await context.send(
    credentials?.kind === "identity"
      ? refreshRequest(url, { ...wanted, refresh_token: credentials.token })
      : tokenRequest(url, wanted, credentials),
  );
  if (answer.status === 400 || answer.status === 401 || answer.status === 403)
    throw refusedError(context, credentials !== undefined);
  const token = answer.status === 200 ? parseToken(answer.body.toString("utf8")) : undefined;
  if (token === undefined)
    throw EolgateError.of("unexpected-status", {
      problem: `the registry answered with HTTP status ${answer.status}`,
      advice: "Try again later, or check the address of the registry.",
    }).at(url.origin);
  return token;
}

function tokenRequest(
  url: URL,
  query: Readonly<Record<string, string>>,
  credentials: Credentials | undefined,
): HttpRequest {
  const address = new URL(url);
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  return credentials?.kind === "basic"
    ? { url: address, credentials: { authorization: basic(credentials) } }
    : { url: address };
}

function refreshRequest(url: URL, form: Readonly<Record<string, string>>): HttpRequest {
  const body = new URLSearchParams({ ...form, grant_type: "refresh_token", client_id: "eolgate" }).toString();
  return { method: "POST", url, headers: { "content-type": "application/x-www-form-urlencoded" }, body };
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
