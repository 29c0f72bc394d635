/** JSON as UTF-8, collected until it is written. */
import type { Component, ComponentText } from "../../model/index.ts";
import { jsonOf } from "./json-text.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Longer texts are encoded as strings. */
const SHORT = 256;
const encoder = new TextEncoder();

export class JsonBuffer {
  length = 0;
  private bytes: Uint8Array;

  constructor(size: number) {
    this.bytes = new Uint8Array(size);
  }

  /** Short bytes: a loop is faster than a call for them. */
  append(added: Uint8Array): void {
    this.reserve(added.length);
    const { bytes, length } = this;
    for (let at = 0; at < added.length; at++) bytes[length + at] = added[at] ?? 0;
    this.length = length + added.length;
  }

  appendText(text: string): void {
    this.reserve(text.length * 3);
    this.length += encoder.encodeInto(text, this.bytes.subarray(this.length)).written;
  }

  /** The JSON of a text. Most are plain: their characters are their bytes. */
  appendJson(text: string | null): void {
    if (text === null || !this.appendPlain(text)) this.appendText(jsonOf(text));
  }

  /** The JSON of a text of a component; its bytes are copied from the document where it contains them in the same form. */
  appendComponentText(component: Component, name: ComponentText): void {
    this.reserve(SHORT + 2);
    const length = component.copyText?.(name, this.bytes, this.length + 1) ?? -1;
    if (length < 0) this.appendJson(textOf(component, name));
    else this.endString(length);
  }

  /** A copy of the bytes; the buffer is empty afterwards. */
  take(): Uint8Array {
    const taken = this.bytes.slice(0, this.length);
    this.length = 0;
    return taken;
  }

  /** False if characters of the text have another form in JSON. */
  private appendPlain(text: string): boolean {
    if (text.length > SHORT) return false;
    this.reserve(SHORT + 2);
    const { bytes } = this;
    const start = this.length + 1;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit < 0x20 || unit > 0x7e || unit === QUOTE || unit === BACKSLASH) return false;
      bytes[start + at] = unit;
    }
    this.endString(text.length);
    return true;
  }

  /** Puts quotes around the bytes behind the next one. */
  private endString(length: number): void {
    this.bytes[this.length] = QUOTE;
    this.bytes[this.length + length + 1] = QUOTE;
    this.length += length + 2;
  }

  private reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.length + count));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }
}

function textOf(component: Component, name: ComponentText): string | null {
  return (name === "purl" ? component.purls[0] : component[name]) ?? null;
}
