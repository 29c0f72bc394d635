/** `eolgate verify`: whether a signed verdict holds. The verifier is loaded when the command runs. */
import { readInput } from "../../api/input.ts";
import { EolgateError } from "../../messages/error.ts";
import { verifiedCard } from "../../report/cards/verified.ts";
import { publicKey } from "../../shell/catalogue-file.ts";
import type { CommandModule, Invocation } from "../../shell/command.ts";
import { deliverAnswer } from "../../shell/output.ts";
import { asOfDay, flagValues, listValue, stringValue } from "../../shell/settings.ts";
import { VERIFY_STATEMENT_FLAGS } from "../flags/check.ts";

const verify: CommandModule = {
  name: "verify",
  arguments: "<bundle>",
  summary: "verify a signed verdict: signature, subject, verdict and the days on which it holds",
  flags: VERIFY_STATEMENT_FLAGS,
  examples: [
    "eolgate verify verdict.sigstore.json --key team.pub --subject bom.cdx.json",
    "eolgate verify verdict.sigstore.json --key team.pub --subject sha256:DIGEST --as-of 2027-01-30",
  ],
  run,
};
export const commands: readonly CommandModule[] = [verify];

const MAX_BYTES = 64 * 1024 * 1024;

async function run(invocation: Invocation): Promise<number> {
  const { io, args } = invocation;
  const values = flagValues(invocation);
  const day = asOfDay(values["asOf"], io.today());
  const names = listValue(values["key"]);
  if (names.length === 0)
    throw EolgateError.of("invalid-usage", {
      problem: "no public key is named to verify the signature",
      advice: "Name the key of whoever signed the verdict with --key.",
    }).at("--key");
  const { VERDICT_KEYS } = await import("../../attest/sign.ts");
  const keys = await Promise.all(names.map((name) => publicKey(io, name, VERDICT_KEYS)));
  const subject = await digestOfSubject(invocation, values["subject"]);
  const { file, bytes, source } = await readInput(args[0] ?? "", io.cwd, io.stdin);
  if (source !== undefined && source.length > MAX_BYTES)
    throw EolgateError.of("too-large", { problem: `the file is larger than ${MAX_BYTES} bytes` }).at(file);
  const { verifyVerdict } = await import("../../attest/verdict-statement.ts");
  const verified = { file, ...verifyVerdict({ bytes: bytes(), where: file, keys, subject, day }) };
  await deliverAnswer(io, values, verified, () => verifiedCard(verified));
  return verified.state === "holds" ? 0 : 1;
}

/** A digest as given, or that of a file. An unset variable of a script must not leave the comparison out. */
async function digestOfSubject({ io }: Invocation, given: unknown): Promise<string | undefined> {
  if (given === undefined) return undefined;
  const name = stringValue(given);
  if (name === undefined)
    throw EolgateError.of("invalid-value", {
      problem: "the subject is empty",
      advice: "Name a file, or a digest such as sha256:HEX.",
    }).at("--subject");
  if (/^(?:sha256|sha512|gitCommit):[0-9a-f]{40,128}$/i.test(name)) return name;
  return (await readInput(name, io.cwd, io.stdin)).digest();
}
