/** Table types for Kysely, the same for both databases. Instants are UTC milliseconds; JSON is stored as text. */
import type { Kysely } from "kysely";

export interface StoreSchema {
  eolgate_schema: { version: number; applied_at: number };
  settings: { name: string; value: string };
  api_keys: {
    id: string;
    hash: string;
    email: string;
    tier: string;
    secret_version: number;
    created_at: number;
    revoked_at: number | null;
    paid_until: number | null;
    batch_envelope: number;
  };
  allowances: { subject: string; day: string; used: number; granted: number };
  watch_lists: {
    id: string;
    email: string;
    state: string;
    lines: string;
    secret_version: number;
    confirm_hash: string;
    unsubscribe_hash: string;
    created_at: number;
    expires_at: number;
    confirmed_at: number | null;
  };
  alerts: { email: string; line: string; trigger: string; subject: string; state: string; day: string };
  kev_baseline: { product: string; cve: string };
  outbox: {
    id: string;
    kind: string;
    email: string;
    facts: string;
    state: string;
    created_at: number;
    since: number;
    due_at: number;
    attempts: number;
    owner: string | null;
    lease_until: number | null;
    last_error: string | null;
    sent_at: number | null;
  };
  payment_events: { id: string; type: string; at: number };
  subscriptions: {
    id: string;
    email: string | null;
    tier: string | null;
    key_id: string | null;
    paid: number;
    ends_at: number | null;
    cancelled: number;
    event_at: number;
  };
  jobs: { name: string; owner: string | null; lease_until: number | null; ran_at: number | null };
}

export type StoreDatabase = Kysely<StoreSchema>;
export type Dialect = "sqlite" | "postgres";
