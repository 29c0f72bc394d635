/**
 * A file with version pins becomes a document like any other: its pins are components, addressed by line. From here on the
 * main path knows no difference.
 */
import { EolgateError } from "../../errors.ts";
import { asPurl } from "../../ids.ts";
import type { Component, SbomDocument } from "../../model.ts";
import { positions } from "../../../bytes/position.ts";
export { pinKindOf } from "./kinds.ts";
import { pinsOf } from "./kinds.ts";
import type { PinKindName } from "./kinds.ts";
import { stackPins } from "./stack.ts";
import type { Pin } from "./pin.ts";

/** `kind` as `pinKindOf` tells it by the path. @throws Fault `input` for a file that its reader cannot read. */
export function readPins(kind: PinKindName, bytes: Uint8Array): SbomDocument {
  return documentOf(kind, bytes, (text) => pinsOf(kind, text));
}

/** `nodejs:18,python:3.11`, as `--stack` takes it. @throws Fault `usage` */
export function readStack(stack: string): SbomDocument {
  return documentOf("stack", new TextEncoder().encode(stack), stackPins);
}

function documentOf(kind: string, bytes: Uint8Array, read: (text: string) => readonly Pin[]): SbomDocument {
  const text = decode(bytes);
  const position = positions(bytes);
  const byteAt = byteIndex(text, bytes.length);
  const places = new Map<number, number>();
  const components = read(text).map((pin): Component => {
    const start = byteAt(pin.place.at);
    const { line } = position(start);
    const before = places.get(line) ?? 0;
    places.set(line, before + 1);
    return toComponent(pin, `/lines/${String(line)}${before === 0 ? "" : `/${String(before)}`}`, {
      start,
      end: byteAt(pin.place.at + pin.place.length),
    });
  });
  return {
    format: "pins",
    specVersion: kind,
    wrappers: [],
    signed: false,
    components,
    roots: [],
    dependencies: new Map(),
    position,
  };
}

function toComponent(pin: Pin, pointer: string, span: Component["span"]): Component {
  const { name, purl, version, kind = "other" } = pin;
  return {
    pointer,
    span,
    kind,
    name,
    ...(version !== undefined && { version }),
    purls: purl === undefined ? [] : [asPurl(withVersion(purl, version))],
    cpes: [],
    licenses: [],
    declared: [],
  };
}

/** The version stands before the qualifiers. */
function withVersion(purl: string, version: string | undefined): string {
  if (version === undefined) return purl;
  const [path = purl, query] = purl.split("?");
  return `${path}@${encodeURIComponent(version)}${query === undefined ? "" : `?${query}`}`;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes).replace(/^\uFEFF/, " ");
  } catch (cause) {
    throw EolgateError.of("not-utf8", {}, { cause });
  }
}

/** From UTF-16 units to bytes. A byte order mark was replaced by one blank, which is two bytes shorter. */
function byteIndex(text: string, total: number): (index: number) => number {
  const encoder = new TextEncoder();
  const missing = total - encoder.encode(text).length;
  return (index) => (index === 0 ? 0 : missing) + encoder.encode(text.slice(0, index)).length;
}
