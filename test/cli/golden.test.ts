/** Complete output: command, exit code, both streams. Review the difference, then run `npx vitest run -u`. */
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { runCommand } from "./fake-io.ts";
import { GOLDEN_CASES, GOLDEN_CATALOGUE } from "./golden-cases.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
describe("golden", () => {
  test.each(GOLDEN_CASES.map(([name, argv, setup]) => ({ name, argv, setup })))(
    "$name",
    async ({ name, argv, setup }) => {
      const outcome = await runCommand(argv, {
        cwd: root,
        ...setup,
        env: { EOLGATE_CATALOGUE: GOLDEN_CATALOGUE, ...setup?.env },
      });
      const shown =
        `$ eolgate ${argv.join(" ")}\n[exit ${outcome.exit}]\n--- out\n${outcome.out}--- err\n${outcome.err}`
          .replaceAll(root, "<root>/")
          .replaceAll("\u001b", "␛")
          .replaceAll("\u0007", "␇");
      await expect(shown).toMatchFileSnapshot(`../golden/cli/${name}.txt`);
    },
  );
});
