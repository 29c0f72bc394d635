/** Each kind of page is among those that the browser tests open: the route table lists the kinds. */
import { afterAll, expect, test } from "vitest";
import { stopServices } from "../service.ts";
import { BROWSER, PAGES, startPages } from "./page-fixtures.ts";

afterAll(stopServices);

/** The paths in the tree of routes that the framework prints: four columns for each level. */
function pathsIn(tree: string): readonly string[] {
  const above: string[] = [];
  return tree.split("\n").flatMap((line) => {
    const [, indent = "", name = ""] = /^([│├└─ ]*)(\S+) \(/.exec(line) ?? [];
    if (name === "" || name === "*") return [];
    const depth = Math.round(indent.length / 4);
    above.splice(depth - 1, Infinity, name);
    return [above.join("")];
  });
}

const VALUES: Readonly<Record<string, string>> = { slug: "nodejs", version: "18", category: "lang" };

test("the browser tests open every route that returns a page", async () => {
  const seen = new Set<string>();
  const observe = (_method: string, route: string): void => void seen.add(route);
  const service = await startPages({
    settings: { open: true },
    parts: { telemetry: { observe, lateness: () => 0 } },
  });
  await service.app.ready();
  const paths = pathsIn(service.app.printRoutes({ commonPrefix: false }));
  expect(paths).toEqual(
    expect.arrayContaining(["/", "/:slug", "/score/:slug/:version", "/check", "/v1/watch/confirm"]),
  );

  const kinds: string[] = [];
  for (const path of paths) {
    const address = path.replaceAll(/:(\w+)/g, (_, name: string) => VALUES[name] ?? name);
    const { statusCode, headers } = await service.get(`${address}?q=node`, BROWSER);
    if (statusCode !== 405 && String(headers["content-type"]).startsWith("text/html")) kinds.push(path);
  }
  expect(kinds.length).toBeGreaterThan(7);

  seen.clear();
  for (const [path] of PAGES) await service.get(path, BROWSER);
  expect(kinds.filter((kind) => !seen.has(kind))).toEqual([]);
});
