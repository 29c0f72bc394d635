/** Helpers for schemas of documents. */
import { type TProperties, Type } from "typebox";

/** An object that can only have these fields. */
export const closedObject = <Fields extends TProperties>(fields: Fields) =>
  Type.Object(fields, { additionalProperties: false });
