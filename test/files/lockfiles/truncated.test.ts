/** A truncated lockfile is never read as a complete one with fewer packages if its format makes truncation detectable. */
import { describe, expect, test } from "vitest";
import { EolgateError } from "../../../src/messages/error.ts";
import { lockfileKindOf, readLockfile } from "../../../src/files/lockfiles/kinds.ts";
import { FILES, LINES } from "./samples.ts";

const named = async (file: string, text: string): Promise<readonly string[] | string> => {
  const kind = lockfileKindOf(file);
  if (kind === undefined) throw new Error(`${file} is of no kind`);
  try {
    const { packages } = await readLockfile(kind, text);
    return packages.map(({ name, version }) => `${name} ${version ?? ""}`);
  } catch (error) {
    if (error instanceof EolgateError && error.exit === 3) return "refused";
    throw error;
  }
};

describe("truncated lockfile", () => {
  test.each(FILES)("%s is refused, or has the same packages", async (file, text) => {
    const whole = await named(file, text);
    expect(whole).not.toBe("refused");
    const wrong: string[] = [];
    for (let end = 0; end < text.length; end++) {
      const cut = await named(file, text.slice(0, end));
      if (cut !== "refused" && JSON.stringify(cut) !== JSON.stringify(whole)) wrong.push(text.slice(0, end).slice(-40));
    }
    expect(wrong).toEqual([]);
  });

  test.each(LINES)(
    "%s that ends within a line is refused, or read like the file without that line or with the whole line",
    async (file, packages, text) => {
      expect(await named(file, text)).toHaveLength(packages);
      const wrong: unknown[] = [];
      for (let end = 0; end < text.length; end++) {
        const found = JSON.stringify(await named(file, text.slice(0, end)));
        const [before, after] = [text.lastIndexOf("\n", end - 1) + 1, text.indexOf("\n", end) + 1];
        const wholeLines = [await named(file, text.slice(0, before)), await named(file, text.slice(0, after))];
        if (!["refused", ...wholeLines].some((expected) => JSON.stringify(expected) === found))
          wrong.push([text.slice(0, end).slice(-40), found]);
      }
      expect(wrong).toEqual([]);
    },
  );

  test.each(LINES)("%s is read if its last line break is missing", async (file, packages, text) => {
    expect(await named(file, text.trimEnd())).toHaveLength(packages);
  });
});
