/** POST /keys and POST /watch: the forms of the pages. What they ask for is sent by mail. */
import type { FastifyInstance, FastifyReply } from "fastify";
import { riskiest } from "../../core/wire/sbom.ts";
import { addressBlock } from "../address.ts";
import type { Admission } from "../admission.ts";
import { NO_PACKAGES } from "../alerts/limits.ts";
import type { AppContext } from "../app-context.ts";
import { acceptForms, admitForm, FORM_HEADERS, readFields, refuseForeignForm, textField } from "../forms.ts";
import { listedCycles } from "../listed.ts";
import {
  ACCOUNT_FIELDS,
  keySentPage,
  keysPage,
  linkSentPage,
  watchFormPage,
  watchSentPage,
  type FormState,
} from "../pages/account.ts";
import { pageScope } from "../pages/scope.ts";
import { siteOf } from "../pages/site.ts";
import { HTML_TYPE } from "../replies.ts";
import { requestWatch } from "../watch-request.ts";
import { answerForm, MAX_FORM, type FormRequest } from "./answer-form.ts";
import { callerOf } from "./lookups.ts";

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
        send: async () => sendForm(reply, await keyAnswer(form, request, parts)),
        again: (site, problem) => keysPage(site, free, { ...typedIn(form), problem }),
      });
    });
    scope.post<{ Body: Buffer | undefined }>(
      "/watch",
      { ...OPTIONS, onRequest: (request, reply) => admitForm(request, reply, parts, admission) },
      async (request, reply) => {
        refuseForeignForm(request, parts.settings.publicUrl);
        const form = await readFields(request);
        reply.headers(FORM_HEADERS);
        return answerForm(request, reply, parts, {
          send: async () => sendForm(reply, await watchAnswer(form, request, parts)),
          again: (site, problem) => watchFormPage(site, { ...typedIn(form), problem }),
        });
      },
    );
  });
}

const sendForm = (reply: FastifyReply, page: string): FastifyReply => reply.type(HTML_TYPE).send(page);

const typedIn = (form: FormData): Pick<FormState, "email" | "list"> => ({
  email: textField(form, ACCOUNT_FIELDS.email),
  list: textField(form, ACCOUNT_FIELDS.list),
});

async function keyAnswer(form: FormData, request: FormRequest, { services, ...parts }: AppContext): Promise<string> {
  const recovers = textField(form, ACCOUNT_FIELDS.action) === "recover";
  const email = textField(form, ACCOUNT_FIELDS.email);
  const from = addressBlock(request.ip);
  const sent = await (recovers ? services.keys.recover(email, from) : services.keys.mailFree(email, from));
  return keySentPage(siteOf({ services, ...parts }), sent.email, recovers);
}

async function watchAnswer(form: FormData, request: FormRequest, parts: AppContext): Promise<string> {
  const { watches } = parts.services;
  const email = textField(form, ACCOUNT_FIELDS.email);
  if (textField(form, ACCOUNT_FIELDS.action) === "link") {
    const sent = await watches.mailLink(email, addressBlock(request.ip));
    return linkSentPage(siteOf(parts), sent.email);
  }
  const { local, served, asOf } = parts.editions.current();
  const cycles = listedCycles(textField(form, ACCOUNT_FIELDS.list), served.catalogue, asOf);
  const assessments = await local.assessCycles(cycles);
  const ranked = riskiest(assessments.map((assessment) => ({ assessment }))).map(
    ({ assessment }) => assessment.releaseCycle,
  );
  const { ip } = request;
  const requested = await requestWatch(watches, {
    email,
    cycles: ranked,
    ...NO_PACKAGES,
    caller: callerOf(request),
    ip,
  });
  return watchSentPage(siteOf(parts), { ...requested, dropped: requested.dropped.length });
}
