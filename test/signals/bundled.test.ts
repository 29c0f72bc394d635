/** The list of newest versions: how it is read, and how versions are compared with it. */
import { describe, expect, test } from "vitest";
import { NameList } from "../../src/catalogue/debian-packages.ts";
import { packNames } from "../../tools/pack-names.ts";
import { findNewest, newestVersion } from "../../src/catalogue/newest-versions.ts";
import { majorsBehind } from "../../src/signals/sources/bundled.ts";

describe("majors behind the newest version", () => {
  test.each<readonly [version: string, newest: string, behind: number | undefined]>([
    ["4.17.21", "4.18.0", 0],
    ["3.9.9", "4.0.0", 1],
    ["1.2.3", "15.0.0", 14],
    ["5.0.0-beta.1", "4.18.0", 0],
    ["v3.1.0", "4.0.0", undefined],
    ["0.27.2", "0.30.1", 3],
    ["0.30.0", "0.30.1", 0],
    ["0.31.0", "0.30.1", 0],
    ["0.27.2", "1.13.0", 1],
    ["1.0.0", "0.30.1", 0],
    ["0", "0.3.0", 3],
    ["2023.1", "2026.2", 3],
    ["latest", "1.0.0", undefined],
    ["1.0.0", "", undefined],
  ])("%s with %s: %s", (version, newest, behind) => {
    expect(majorsBehind(version, newest)).toBe(behind);
  });
});

describe("the list", () => {
  const many = Array.from(
    { length: 1000 },
    (_, index) => `npm/package-${String(index).padStart(4, "0")}\t1.${index}.0`,
  );
  const names = new NameList(
    packNames([...many, "npm/a\t1.0.0", "npm/a-b\t2.0.0", "npm/@scope/a\t3.0.0", "pypi/a\t4.0\t2026-10"]),
    "test",
  );

  test.each<readonly [type: string, path: string, found: object | undefined]>([
    ["npm", "a", { version: "1.0.0" }],
    ["npm", "a-b", { version: "2.0.0" }],
    ["npm", "@scope/a", { version: "3.0.0" }],
    ["npm", "A", undefined],
    ["npm", "a-", undefined],
    ["npm", "scope/a", undefined],
    ["pypi", "a", { version: "4.0", released: "2026-10" }],
    ["gem", "a", undefined],
  ])("%s/%s", (type, path, found) => {
    expect(findNewest(names, type, path)).toEqual(found);
  });

  test("finds the first, the last and each other package of every block", () => {
    expect(many.filter((line) => findNewest(names, "npm", line.slice(4, 16)) === undefined)).toEqual([]);
  });

  test("the bundled one has well-known packages and no unknown ones", () => {
    expect(newestVersion("npm", "lodash")?.version).toMatch(/^4\./);
    expect(newestVersion("pypi", "requests")).toMatchObject({ version: expect.stringMatching(/^2\./) });
    expect(newestVersion("pypi", "requests")?.released).toMatch(/^2026-\d\d$/);
    expect(newestVersion("npm", "no-such-package-of-eolgate")).toBeUndefined();
  });
});
