/** Verifies signed SBOMs that are attached to images (`--image-key`). */
import type { KeyObject } from "node:crypto";
import { keyId } from "../catalogue/signature.ts";
import type { VerifyAttachment } from "../images/targets.ts";
import { badStatement, openSigned } from "./signed-payload.ts";
import { STATEMENT_PAYLOAD } from "./sign.ts";

/** Returns the function that verifies attachments. It throws `bad-statement` and `bad-signature`. */
export const attachmentVerifier =
  (keys: readonly KeyObject[]): VerifyAttachment =>
  (bytes) => {
    const { payload, payloadType, key } = openSigned(bytes, keys, "--image-key");
    // Only a statement names the image: a signed document could be attached to any image.
    if (payloadType !== STATEMENT_PAYLOAD) throw badStatement("it signs no in-toto statement", "--image-key");
    return { statement: payload, signedBy: keyId(key) };
  };
