/** docs/api.md lists the routes of the OpenAPI description, with the access that they need. */
import { expect, test } from "vitest";
import { openApi } from "../../src/service/http/openapi.ts";
import { page } from "./pages.ts";

interface Route {
  readonly security: readonly unknown[];
}

const described = Object.entries<Readonly<Record<string, Route>>>(
  Object(openApi("1.0.0", { publicUrl: "http://127.0.0.1:8080" })["paths"]),
).flatMap(([path, methods]) =>
  Object.entries(methods).map(
    ([method, { security }]) => `${method.toUpperCase()} ${path}: ${security.length > 0 ? "key" : "none"}`,
  ),
);
const listed = [...page("docs/api.md").matchAll(/^\| `((?:GET|POST) [^`?]+)` \|[^|]*\| (key|none) \|$/gm)].map(
  ([, route, access]) => `${route}: ${access}`,
);

test("docs/api.md lists every route with its access", () => {
  expect(listed.length).toBeGreaterThan(20);
  expect(listed.toSorted()).toEqual(described.toSorted());
});
