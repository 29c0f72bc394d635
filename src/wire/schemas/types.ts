/** Helpers for the schemas of the wire. */
import { type Static, type TSchema, type TSchemaOptions, Type } from "typebox";
import { asRecord } from "../../text/values.ts";

/** `T` with every field and every array read-only. */
type DeepReadonly<T> = T extends readonly (infer E)[]
  ? readonly DeepReadonly<E>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;

/** The static type of a wire schema. Read-only, because wire objects are never changed in place. */
export type Wire<S extends TSchema> = DeepReadonly<Static<S>>;

/** `T | null`, in the one form that ajv, the serializer and the OpenAPI writer (`nullable`) all read. */
function orNull<T>(schema: object, description?: string) {
  const { type, ...rest } = asRecord(schema);
  return Type.Unsafe<T | null>({ type: [type, "null"], ...rest, ...(description === undefined ? {} : { description }) });
}

export const text = (description?: string) => Type.String(described(description));
export const textOrNull = (description?: string) => orNull<string>({ type: "string" }, description);
export const url = (description?: string) => Type.String({ format: "uri", ...described(description) });
export const day = (description?: string) => Type.String({ format: "date", ...described(description) });
/** The day of a statement, or its month or year where no day is known. */
const statement = { type: "string", pattern: "^\\d{4}(-\\d{2}(-\\d{2})?)?$" } as const;
export const statementDay = (description?: string) => Type.Unsafe<string>({ ...statement, ...described(description) });
export const statementDayOrNull = (description?: string) => orNull<string>(statement, description);
export const dayOrNull = (description?: string) => orNull<string>({ type: "string", format: "date" }, description);
export const integer = (options: TSchemaOptions = {}) => Type.Integer(options);
export const count = (description?: string) => Type.Integer({ minimum: 0, ...described(description) });
export const countOrNull = (description?: string) => orNull<number>({ type: "integer", minimum: 0 }, description);
export const integerOrNull = (description?: string) => orNull<number>({ type: "integer" }, description);
export const flag = (description?: string) => Type.Boolean(described(description));
export const flagOrNull = (description?: string) => orNull<boolean>({ type: "boolean" }, description);

/** An object with the fields of a schema, or null. */
export const objectOrNull = <S extends TSchema>(schema: S, description?: string) =>
  orNull<Static<S>>(schema, description);

/** One of a few values. `type` is given besides `enum` because OpenAPI generators require it. */
export function oneOf<const W extends readonly string[]>(values: W, description?: string) {
  return Type.Unsafe<W[number]>({ type: "string", enum: [...values], ...described(description) });
}
export function oneOfOrNull<const W extends readonly string[]>(values: W, description?: string) {
  return Type.Unsafe<W[number] | null>({ type: ["string", "null"], enum: [...values, null], ...described(description) });
}

const described = (description: string | undefined) => (description === undefined ? {} : { description });
