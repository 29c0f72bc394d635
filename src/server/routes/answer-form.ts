/** How the forms of keys and watch lists are answered. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { EolgateError } from "../../core/errors.ts";
import { linksUnder } from "../../core/wire/links.ts";
import type { AppContext } from "../app-context.ts";
import { prefersHtml } from "../pages/accept.ts";
import { siteOf, type Site } from "../pages/site.ts";
import { sendError } from "../replies.ts";

/** Bytes: a list of 50 release cycles, with comments. */
export const MAX_FORM = 64 * 1024;

export type FormRequest = FastifyRequest<{ Body: Buffer | undefined }>;

interface FormAnswer {
  readonly send: () => Promise<FastifyReply>;
  /** The form with what was typed and the problem. */
  readonly again: (site: Site, problem: EolgateError) => string;
}

const MENDABLE: ReadonlySet<string> = new Set(["usage", "not-found", "ambiguous", "quota"]);

/** Whatever the person can put right is answered with the form again; everything else with the page of errors. */
export async function answerForm(
  request: FormRequest,
  reply: FastifyReply,
  parts: AppContext,
  { send, again }: FormAnswer,
): Promise<FastifyReply> {
  try {
    return await send();
  } catch (error) {
    const isMendable = error instanceof EolgateError && MENDABLE.has(error.kind);
    if (!isMendable || !prefersHtml(request.headers.accept)) throw error;
    const { settings, clock, log } = parts;
    const page = (problem: EolgateError): string => again(siteOf(parts), problem);
    const errors = { docs: linksUnder(settings.publicUrl).docs, keylessUntil: settings.keylessUntil, clock, log, page };
    return sendError(error, request, reply, errors);
  }
}
