/** Errors of the catalogue channel. After each of them the current catalogue stays in use. */
import { row } from "./row.ts";

const KEPT = "The current catalogue stays in use.";

export const CHANNEL_ERRORS = {
  "bad-hours": row<{ given: string; most: number }>({
    kind: "usage",
    message: ({ given, most }) => `"${given}" is not a whole number of hours from 1 to ${most}`,
  }),
  "bad-key-id": row<{ given: string }>({
    kind: "usage",
    message: ({ given }) => `"${given}" is not the id of a key`,
    hint: () => "An id has 16 hexadecimal digits; catalogue info shows it as signed_by.",
  }),
  "channel-digest": row<{ part: string }>({
    kind: "catalogue",
    message: ({ part }) => `the digest of ${part} differs from the channel's metadata`,
    hint: () => `${KEPT} Run the command again; if the error persists, use another mirror.`,
  }),
  "channel-expired": row<{ expires: string }>({
    kind: "catalogue",
    message: ({ expires }) => `the channel's metadata expired on ${expires}`,
    hint: () => `${KEPT} Ask the publisher for a newer version, or use another mirror.`,
  }),
  "channel-frozen": row<{ version: number; due: string }>({
    kind: "catalogue",
    message: ({ version, due }) => `the channel still serves version ${version}; the next was due on ${due}`,
    hint: () =>
      `${KEPT} The mirror or the publisher no longer publishes updates. Use another mirror, or ask the publisher.`,
  }),
  "channel-from-future": row<{ published: string }>({
    kind: "catalogue",
    message: ({ published }) => `the channel's metadata was published on ${published}, which is in the future`,
    hint: () => `${KEPT} Check the clock of this machine. If it is correct, ask the publisher.`,
  }),
  "channel-malformed": row<{ why: string }>({
    kind: "catalogue",
    message: ({ why }) => `this is not the metadata of a catalogue channel: ${why}`,
    hint: () => `${KEPT} Check the address.`,
  }),
  "channel-no-key": row({
    kind: "catalogue",
    message: () => "no public key is configured to verify the channel",
    hint: () =>
      "Name the publisher's key with --publisher-key, or accept the channel unverified with --allow-unsigned.",
  }),
  "channel-not-configured": row({
    kind: "usage",
    message: () => "no catalogue channel is configured",
    hint: () =>
      "This release has no channel of its own yet. Name one with --channel or EOLGATE_CHANNEL, or read the sources with --from-sources.",
  }),
  "channel-rollback": row<{ version: number; accepted: number }>({
    kind: "catalogue",
    message: ({ version, accepted }) => `the channel serves version ${version}, after version ${accepted} was accepted`,
    hint: () => `${KEPT} The mirror has an older state than before. Use another mirror.`,
  }),
  "channel-signature": row<{ trusted: string }>({
    kind: "catalogue",
    message: ({ trusted }) => `the channel's metadata is not signed with a trusted key (${trusted})`,
    hint: () => `${KEPT} Ask the publisher for the key, and name it with --publisher-key.`,
  }),
  "channel-truncated": row<{ path: string; received: number; expected: number }>({
    kind: "catalogue",
    message: ({ path, received, expected }) => `${path} has ${received} bytes instead of ${expected}`,
    hint: () => `${KEPT} Run the command again; if the error persists, use another mirror.`,
  }),
  "channel-version-reused": row<{ version: number }>({
    kind: "catalogue",
    message: ({ version }) => `the channel serves different content for version ${version} than before`,
    hint: () => `${KEPT} Ask the publisher which content is genuine.`,
  }),
  "publish-unsigned": row({
    kind: "usage",
    message: () => "a channel cannot be published without a signature",
    hint: () =>
      "Name the private key with --sign-key. Create one with: openssl genpkey -algorithm ed25519 -out key.pem",
  }),
} as const;
