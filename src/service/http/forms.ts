/** HTML forms, multipart with a file or urlencoded, and the responses to them. They work without scripts. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { EolgateError } from "../../messages/error.ts";
import type { Admission } from "./admission.ts";
import type { AppContext } from "./app-context.ts";
import { tooManyDocuments } from "../documents/pool.ts";
import { prefersHtml, sendError } from "./replies.ts";
import { siteOf, type Site } from "../pages/site.ts";

/** Routes of this scope get the bytes of the body, of any media type. */
export function acceptForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", { parseAs: "buffer" }, async (_request: FastifyRequest, body: Buffer) => body);
}

/** Parse the body as a form. @throws EolgateError `invalid-body` */
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

/** The values of the text fields with a name, joined by newlines; empty if there is none. */
export const textField = (form: FormData, name: string): string =>
  form
    .getAll(name)
    .filter((value) => typeof value === "string")
    .join("\n")
    .trim();

/** Decides about a request before its body is read; it throws where the request is refused. */
export type RequestCheck = (...of: [FastifyRequest, FastifyReply, AppContext, Admission]) => Promise<void>;

/** Identifies the caller of a form and counts it in the quota, before the body is read. @throws EolgateError `overloaded`, `quota-exceeded` */
export const admitForm: RequestCheck = async (request, reply, { documents }, admission) => {
  if (documents.busy()) throw tooManyDocuments();
  request.caller = await admission.identify(request);
  await admission.count(request.caller, reply);
};

/**
 * Refuses a form from a page of another origin, which would use up the limits of the person who opened that page.
 * Browsers send the origin in Sec-Fetch-Site (https://www.w3.org/TR/fetch-metadata/), older ones in Origin; programs
 * send neither. @throws EolgateError `host-not-allowed`
 */
export function refuseForeignForm({ headers }: Pick<FastifyRequest, "headers">, publicUrl: string): void {
  const site = headers["sec-fetch-site"];
  if (site === "same-origin" || site === "none") return;
  const { origin, host } = headers;
  const isOwn = origin === undefined || hostOf(origin) === host || hostOf(origin) === hostOf(publicUrl);
  if (site !== undefined || !isOwn)
    throw EolgateError.of("host-not-allowed", {
      problem: "the form was sent by a page of another origin",
      advice: "Open the form on this service and send it from there.",
    });
}

/** Undefined for the origin `null`, which pages without a referrer send. */
const hostOf = (address: string): string | undefined => (URL.canParse(address) ? new URL(address).host : undefined);

/** With `no-referrer`, forms would send the origin `null` in browsers without Sec-Fetch-Site. */
export const FORM_HEADERS = { "referrer-policy": "same-origin", "cache-control": "no-store" } as const;

export const notAForm = (cause?: unknown): EolgateError =>
  EolgateError.of(
    "invalid-body",
    {
      problem: "the body is not a form",
      advice: "Send multipart/form-data or application/x-www-form-urlencoded with the fields of the page's form.",
    },
    { where: "body", cause },
  );

/** Maximum bytes of a form: enough for 50 release cycles with comments. */
export const MAX_FORM = 64 * 1024;

export type FormRequest = FastifyRequest<{ Body: Buffer | undefined }>;

interface FormAnswer {
  readonly send: () => Promise<FastifyReply>;
  /** Renders the form with its content and the error. */
  readonly again: (site: Site, problem: EolgateError) => string;
}

const CORRECTABLE: ReadonlySet<string> = new Set(["usage", "not-found", "ambiguous", "quota"]);

/** Sends the form again after an error that the user can correct. Other errors are thrown. */
export async function answerForm(
  request: FormRequest,
  reply: FastifyReply,
  parts: AppContext,
  { send, again }: FormAnswer,
): Promise<FastifyReply> {
  try {
    return await send();
  } catch (error) {
    const isCorrectable = error instanceof EolgateError && CORRECTABLE.has(error.kind);
    if (!isCorrectable || !prefersHtml(request.headers.accept)) throw error;
    return sendError(error, request, reply, { ...parts, page: (problem) => again(siteOf(parts), problem) });
  }
}
