/** Forms that people send: multipart with a file, or urlencoded. Both work without a script. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { EolgateError } from "../core/errors.ts";
import type { Admission } from "./admission.ts";
import type { AppContext } from "./app-context.ts";
import { tooManyDocuments } from "./documents/pool.ts";

/** The routes of this scope get the bytes of the body, whatever its type. */
export function acceptForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", { parseAs: "buffer" }, async (_request: FastifyRequest, body: Buffer) => body);
}

/** @throws EolgateError `usage` for what is not a form. */
export async function readFields({
  body,
  headers,
}: Pick<FastifyRequest<{ Body: Buffer | undefined }>, "body" | "headers">): Promise<FormData> {
  const type = headers["content-type"] ?? "";
  if (!/^(?:multipart\/form-data|application\/x-www-form-urlencoded)\s*(?:;|$)/i.test(type)) throw notAForm();
  try {
    return await new Response(new Uint8Array(body ?? []), { headers: { "content-type": type } }).formData();
  } catch (cause) {
    throw notAForm(cause);
  }
}

/** The text fields of a name, below each other; empty when there is none. */
export const textField = (form: FormData, name: string): string =>
  form
    .getAll(name)
    .filter((value) => typeof value === "string")
    .join("\n")
    .trim();

/** Counts a form like a request without a key, before its body is read. */
export async function admitForm(
  request: FastifyRequest,
  reply: FastifyReply,
  { documents }: AppContext,
  admission: Admission,
): Promise<void> {
  if (documents.busy()) throw tooManyDocuments();
  request.caller = await admission.identify(request);
  await admission.count(request.caller, reply);
}

/**
 * Refuses a form that a page of another origin sends from its reader's browser: it would use up the reader's limits.
 * Browsers name the origin in Sec-Fetch-Site (https://www.w3.org/TR/fetch-metadata/), older ones in Origin; programs
 * send neither.
 */
export function refuseForeignForm({ headers }: Pick<FastifyRequest, "headers">, publicUrl: string): void {
  const site = headers["sec-fetch-site"];
  if (site === "same-origin" || site === "none") return;
  const { origin, host } = headers;
  const isOwn = origin === undefined || hostOf(origin) === host || hostOf(origin) === hostOf(publicUrl);
  if (site !== undefined || !isOwn) throw EolgateError.of("foreign-form", {});
}

/** Undefined for `null`, the origin of pages that hide theirs. */
const hostOf = (address: string): string | undefined => (URL.canParse(address) ? new URL(address).host : undefined);

/** Forms whose page hid its address would have the origin `null` in browsers without Sec-Fetch-Site. */
export const FORM_HEADERS = { "referrer-policy": "same-origin", "cache-control": "no-store" } as const;

const notAForm = (cause?: unknown): EolgateError => EolgateError.of("not-a-form", {}, { where: "body", cause });
