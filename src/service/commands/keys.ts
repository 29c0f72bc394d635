/** `eolgate keys create|list|revoke`: for operators of the service. Only `create` prints the text of a key. */
import { EolgateError } from "../../messages/error.ts";
import { columns } from "../../report/cards/lists.ts";
import { escapeTerminal } from "../../report/escape.ts";
import type { KeyRow } from "../store/store.ts";
import type { Invocation } from "../../cli/command.ts";
import { deliver, jsonText } from "../../cli/output.ts";
import { flagValues } from "../../cli/value-origins.ts";
import { withStoreSession } from "../store-session.ts";
import { text } from "../../cli/config.ts";

export const create = (invocation: Invocation): Promise<number> =>
  withStoreSession(invocation, async ({ keys }) => {
    const { io, flags } = invocation;
    const email = text(flags["email"]);
    if (email === undefined) throw noEmail();
    const key = await keys.create(email, text(flags["tier"]) ?? "free");
    io.err(
      `${key.fresh ? "created" : "existing"}: ${escapeTerminal(key.email)}, tier ${escapeTerminal(key.tier)}, id ${key.id}\n`,
    );
    await io.out(`${key.text}\n`);
  });

export const list = (invocation: Invocation): Promise<number> =>
  withStoreSession(invocation, async ({ keys }) => {
    const rows: KeyRow[] = [];
    for await (const row of keys.list()) rows.push(row);
    const json = text(flagValues(invocation)["format"]) === "json";
    const shown = json
      ? jsonText(rows.map(toWire))
      : rows.length === 0
        ? "no keys\n"
        : `${columns(rows.map(toCells))}\n`;
    await deliver(invocation.io, text(invocation.flags["output"]), shown);
  });

export const revoke = (invocation: Invocation): Promise<number> =>
  withStoreSession(invocation, async ({ keys }) => {
    const [id = ""] = invocation.args;
    await keys.revoke(id);
    invocation.io.err(`revoked: ${escapeTerminal(id)}\n`);
  });

const toWire = ({ id, email, tier, secretVersion, createdAt, revokedAt, paidUntil }: KeyRow) => ({
  id,
  email,
  tier,
  secret_version: secretVersion,
  created_at: instant(createdAt),
  revoked_at: revokedAt === null ? null : instant(revokedAt),
  paid_until: paidUntil === null ? null : instant(paidUntil),
});

function toCells({ id, email, tier, createdAt, revokedAt, paidUntil }: KeyRow): readonly string[] {
  const until = paidUntil === null ? "" : `paid until ${instant(paidUntil).slice(0, 10)}`;
  const state = revokedAt === null ? until : `revoked ${instant(revokedAt).slice(0, 10)}`;
  return [id, escapeTerminal(tier), instant(createdAt).slice(0, 10), escapeTerminal(email), state];
}

const instant = (milliseconds: number): string => new Date(milliseconds).toISOString();

function noEmail(): EolgateError {
  return EolgateError.of("no-email", {});
}
