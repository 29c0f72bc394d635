/** Replaces a file over and over, by one of two contents, until it is killed. */
import { replaceFile } from "../../src/platform/replace-file.ts";

const [path = "", size = "0"] = process.argv.slice(2);
const piece = (letter: string): Uint8Array => new Uint8Array(64 * 1024).fill(letter.charCodeAt(0));

function* content(letter: string): Generator<Uint8Array, void, undefined> {
  for (let left = Number(size); left > 0; left -= 64 * 1024) yield piece(letter);
}

for (let turn = 0; ; turn++) {
  process.stdout.write("next\n");
  await replaceFile(path, content(turn % 2 === 0 ? "b" : "a"));
}
