/**
 * POST /check: the form of the page. It is counted like a request without a key, even after the end of keyless access.
 * The document is not stored.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { EolgateError } from "../../../messages/error.ts";
import type { Admission } from "../admission.ts";
import type { AppContext } from "../app-context.ts";
import type { CheckRequest } from "../../documents/documents.ts";
import { acceptForms, admitForm, FORM_HEADERS, readFields } from "../forms.ts";
import { CHECK_FIELDS, enrichedName, formLimit, resultPage, type CheckAnswer } from "../../pages/check.ts";
import { pageScope } from "../../pages/page-sender.ts";
import { siteOf } from "../../pages/site.ts";
import { HTML_TYPE } from "../replies.ts";
import { callerOf, capOf } from "./lookups.ts";

export function checkRoutes(app: FastifyInstance, parts: AppContext, admission: Admission): void {
  pageScope(app, parts, (scope) => {
    acceptForms(scope);
    const config = { cors: false, anyMedia: true } as const;
    scope.post<{ Body: Buffer | undefined }>(
      "/check",
      {
        config,
        bodyLimit: formLimit(parts.settings),
        onRequest: (request, reply) => admitForm(request, reply, parts, admission),
      },
      async (request, reply) => {
        const { question, answer } = await readForm(request);
        const checked = await parts.documents.check({ ...question, ...capOf(callerOf(request)) });
        reply.headers(FORM_HEADERS);
        const name = question.file ?? "list";
        if (answer === "report") return attachment(reply, HTML_TYPE, "eolgate-report.html").send(checked.report);
        if (answer === "page") return page(reply, resultPage(siteOf(parts), checked, name));
        if (typeof checked.enriched === "string") throw notEnriched(checked.enriched);
        return attachment(reply, "application/octet-stream", enrichedName(name)).send(Buffer.from(checked.enriched));
      },
    );
  });
}

const page = (reply: FastifyReply, text: string): FastifyReply => reply.type(HTML_TYPE).send(text);

const attachment = (reply: FastifyReply, type: string, name: string): FastifyReply =>
  reply.header("content-disposition", `attachment; filename="${name}"`).type(type);

interface Form {
  readonly question: CheckRequest;
  readonly answer: CheckAnswer;
}

async function readForm(request: FastifyRequest<{ Body: Buffer | undefined }>): Promise<Form> {
  const form = await readFields(request);
  const file = form.get(CHECK_FIELDS.file);
  const answer = form.get(CHECK_FIELDS.answer);
  return {
    answer: answer === "report" || answer === "enriched" ? answer : "page",
    question: file instanceof File && file.size > 0 ? await fileQuestion(file) : textQuestion(form),
  };
}

const fileQuestion = async (file: File): Promise<CheckRequest> => ({
  bytes: new Uint8Array(await file.arrayBuffer()),
  file: file.name === "" ? "document" : file.name,
});

/** The start of a pasted document: a brace, a bracket, a tag, or the first field of tag-value. Other text is a list. */
const DOCUMENT = /^\ufeff?\s*(?:[{[<]|SPDXVersion:)/;

function textQuestion(form: FormData): CheckRequest {
  const text = form.get(CHECK_FIELDS.list);
  if (typeof text !== "string" || text.trim() === "")
    throw EolgateError.of("invalid-request", {
      problem: "neither a file nor a list was given",
      advice: "Choose a file, or write one product and version on each line.",
    }).at("form");
  return { bytes: new TextEncoder().encode(text), file: DOCUMENT.test(text) ? "pasted document" : null };
}

const notEnriched = (reason: string): EolgateError =>
  EolgateError.of("invalid-request", { problem: `there is no enriched document: ${reason}` });
