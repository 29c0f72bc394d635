/** Writes to a cache until it is killed, or the given number of times. Run: node cache-writer.ts PATH NAME [ROUNDS] */
import { asIsoDate } from "../../src/text/ids.ts";
import { openCache } from "../../src/signals/cache.ts";

const [, , path = "", name = "", rounds = "Infinity"] = process.argv;
const cache = openCache(path);
for (let round = 0; round < Number(rounds); round += 1) {
  process.stdout.write("next\n");
  const retrievedAt = asIsoDate("2026-11-22");
  cache.write(
    Array.from({ length: 50 }, (_, index) => ({
      source: "npm",
      key: `pkg:npm/${name}-${(round * 50 + index) % 5000}@1.0.0`,
      answer: {
        retrievedAt,
        found: true,
        evidence: [
          { source: "npm", statement: "last-release", url: "https://example.com/", retrievedAt, date: retrievedAt },
        ] as const,
      },
    })),
  );
}
cache.close();
