/** `eolgate mail dead|requeue`: lists mails that could not be sent, and sends them again. */
import { columns } from "../../report/cards/lists.ts";
import { escapeTerminal } from "../../report/escape.ts";
import type { Invocation } from "../../cli/command.ts";
import { deliver } from "../../cli/output.ts";
import { flagValues } from "../../cli/value-origins.ts";
import { withStoreSession } from "../store-session.ts";
import { text } from "../../cli/config.ts";

/** Maximum number of mails in the list; `requeue` has no limit. */
const SHOWN = 1000;

export const dead = (invocation: Invocation): Promise<number> =>
  withStoreSession(invocation, async ({ store }) => {
    const { io, flags } = invocation;
    const mails = await store.outbox.deadLetters(SHOWN);
    const rows = mails.map(({ id, kind, email, attempts, lastError }) => ({
      id,
      kind,
      email,
      attempts,
      error: lastError,
    }));
    const shown =
      text(flagValues(invocation)["format"]) === "json"
        ? JSON.stringify(rows, null, 2)
        : rows.length === 0
          ? "no dead letters"
          : columns(
              rows.map(({ id, kind, email, error }) => [id, kind, escapeTerminal(email), escapeTerminal(error ?? "")]),
            );
    await deliver(io, text(flags["output"]), `${shown}\n`);
  });

export const requeue = (invocation: Invocation): Promise<number> =>
  withStoreSession(invocation, async ({ store }) => {
    const { io, args } = invocation;
    io.err(`${await store.outbox.requeue(io.now(), args[0])} requeued\n`);
  });
