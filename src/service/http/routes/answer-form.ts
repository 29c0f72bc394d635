/** Responses to the forms of keys and watch lists. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { EolgateError } from "../../../messages/error.ts";
import { linksUnder } from "../../../wire/links.ts";
import type { AppContext } from "../app-context.ts";
import { prefersHtml } from "../../pages/accept.ts";
import { siteOf, type Site } from "../../pages/site.ts";
import { sendError } from "../replies.ts";

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
    const { settings, clock, log } = parts;
    const page = (problem: EolgateError): string => again(siteOf(parts), problem);
    const errors = { docs: linksUnder(settings.publicUrl).docs, keylessUntil: settings.keylessUntil, clock, log, page };
    return sendError(error, request, reply, errors);
  }
}
