/** `--stack nodejs:18,python:3.11`: parses products given by slug or exact name. */
import { EolgateError } from "../../messages/error.ts";
import type { Pin } from "./pin.ts";

export function stackPins(stack: string): readonly Pin[] {
  const pins: Pin[] = [];
  let at = 0;
  for (const pair of stack.split(",")) {
    const [, name, version] = /^\s*([^\s:@]+)[:@]([^\s:@]+)\s*$/.exec(pair) ?? [];
    if (name === undefined || version === undefined) {
      throw EolgateError.of("stack-pair", { pair: JSON.stringify(pair.trim().slice(0, 60)) }, { where: "--stack" });
    }
    pins.push({ name, version, place: { at: at + pair.indexOf(name), length: pair.trim().length } });
    at += pair.length + 1;
  }
  return pins;
}
