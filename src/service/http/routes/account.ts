/**
 * POST /keys, /watch and /check: the forms of the pages. A check is counted like a request without a key, even after the
 * end of keyless access, and its document is not stored.
 */
import type { CheckRequest } from "../../services.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { EolgateError } from "../../../messages/error.ts";
import { riskiest } from "../../../wire/sbom.ts";
import { type Admission, addressBlock } from "../admission.ts";
import type { AppContext } from "../app-context.ts";
import {
  FORM_HEADERS,
  type FormRequest,
  MAX_FORM,
  acceptForms,
  admitForm,
  answerForm,
  notAForm,
  readFields,
  refuseForeignForm,
  textField,
} from "../forms.ts";
import { listedCycles } from "../../documents/listed.ts";
import {
  ACCOUNT_FIELDS,
  type FormState,
  keySentPage,
  keysPage,
  linkSentPage,
  watchFormPage,
  watchSentPage,
} from "../../pages/account.ts";
import { payPage, soldTier } from "../../pages/prices.ts";
import { pageScope } from "../../pages/page-sender.ts";
import { siteOf } from "../../pages/site.ts";
import { HTML_TYPE } from "../replies.ts";
import { paymentsOf } from "./published.ts";
import { requestWatch } from "./watch.ts";
import { callerOf, capOf } from "./lookups.ts";
import { CHECK_FIELDS, type CheckAnswer, enrichedName, formLimit, resultPage } from "../../pages/check.ts";

const OPTIONS = { config: { cors: false, anyMedia: true }, bodyLimit: MAX_FORM } as const;

export function accountRoutes(app: FastifyInstance, parts: AppContext, admission: Admission): void {
  pageScope(app, parts, (scope) => {
    acceptForms(scope);
    scope.post<{ Body: Buffer | undefined }>("/keys", OPTIONS, async (request, reply) => {
      refuseForeignForm(request, parts.settings.publicUrl);
      const form = await readFields(request);
      const { free } = parts.services;
      reply.headers(FORM_HEADERS);
      return answerForm(request, reply, parts, {
        send: async () => sendPage(reply, await keyAnswer(form, request, parts)),
        again: (site, problem) => keysPage(site, free, { ...typedIn(form), problem }),
      });
    });
    scope.post<{ Body: Buffer | undefined }>("/prices", OPTIONS, async (request, reply) => {
      refuseForeignForm(request, parts.settings.publicUrl);
      const tier = soldTier(textField(await readFields(request), "tier"));
      if (tier === undefined) throw notAForm();
      const { url } = await paymentsOf(parts.services).checkout(tier, undefined);
      return sendPage(reply.headers({ ...FORM_HEADERS, refresh: `0;url=${url}` }), payPage(siteOf(parts), url));
    });
    scope.post<{ Body: Buffer | undefined }>(
      "/watch",
      { ...OPTIONS, onRequest: (request, reply) => admitForm(request, reply, parts, admission) },
      async (request, reply) => {
        refuseForeignForm(request, parts.settings.publicUrl);
        const form = await readFields(request);
        reply.headers(FORM_HEADERS);
        return answerForm(request, reply, parts, {
          send: async () => sendPage(reply, await watchAnswer(form, request, parts)),
          again: (site, problem) => watchFormPage(site, { ...typedIn(form), problem }),
        });
      },
    );
  });
}

const sendPage = (reply: FastifyReply, page: string): FastifyReply => reply.type(HTML_TYPE).send(page);

const typedIn = (form: FormData): Pick<FormState, "email" | "list"> => ({
  email: textField(form, ACCOUNT_FIELDS.email),
  list: textField(form, ACCOUNT_FIELDS.list),
});

async function keyAnswer(form: FormData, request: FormRequest, { services, ...parts }: AppContext): Promise<string> {
  const wanted = textField(form, ACCOUNT_FIELDS.action) === "recover" ? "recover" : "mailFree";
  const email = textField(form, ACCOUNT_FIELDS.email);
  const from = addressBlock(request.ip);
  const sent = await services.keys[wanted](email, from);
  return keySentPage(siteOf({ services, ...parts }), sent.email, wanted);
}

async function watchAnswer(form: FormData, request: FormRequest, parts: AppContext): Promise<string> {
  const { watches } = parts.services;
  const email = textField(form, ACCOUNT_FIELDS.email);
  if (textField(form, ACCOUNT_FIELDS.action) === "link") {
    const sent = await watches.mailLink(email, addressBlock(request.ip));
    return linkSentPage(siteOf(parts), sent.email);
  }
  const { served, asOf, local } = parts.editions.current();
  const { cycles, unknown } = listedCycles(textField(form, ACCOUNT_FIELDS.list), served.catalogue, asOf);
  const assessments = await local.assessCycles(cycles);
  const ranked = riskiest(assessments.map((assessment) => ({ assessment }))).map(
    ({ assessment }) => assessment.releaseCycle,
  );
  const question = { email, cycles: ranked, caller: callerOf(request), ip: request.ip };
  const requested = await requestWatch(watches, question);
  return watchSentPage(siteOf(parts), { ...requested, dropped: requested.dropped.length, unknown });
}

export function checkRoutes(app: FastifyInstance, parts: AppContext, admission: Admission): void {
  pageScope(app, parts, (scope) => {
    acceptForms(scope);
    scope.post<{ Body: Buffer | undefined }>(
      "/check",
      {
        config: OPTIONS.config,
        bodyLimit: formLimit(parts.settings),
        onRequest: (request, reply) => admitForm(request, reply, parts, admission),
      },
      async (request, reply) => {
        const { question, answer } = await readCheckForm(request);
        const checked = await parts.documents.check({ ...question, ...capOf(callerOf(request)) });
        reply.headers(FORM_HEADERS);
        const name = question.file ?? "list";
        if (answer === "report") return attachment(reply, HTML_TYPE, "eolgate-report.html").send(checked.report);
        if (answer === "page") return sendPage(reply, resultPage(siteOf(parts), checked, name));
        if (typeof checked.enriched === "string") throw notEnriched(checked.enriched);
        return attachment(reply, "application/octet-stream", enrichedName(name)).send(Buffer.from(checked.enriched));
      },
    );
  });
}

const attachment = (reply: FastifyReply, type: string, name: string): FastifyReply =>
  reply.header("content-disposition", `attachment; filename="${name}"`).type(type);

interface Form {
  readonly question: CheckRequest;
  readonly answer: CheckAnswer;
}

async function readCheckForm(request: FastifyRequest<{ Body: Buffer | undefined }>): Promise<Form> {
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
