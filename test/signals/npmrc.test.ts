import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseNpmrc, readNpmConfig } from "../../src/signals/npmrc.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "eolgate-npmrc-"));
  for (const part of ["home", "project/packages/one", "prefix/etc", "prefix/bin"])
    mkdirSync(join(folder, part), { recursive: true });
  writeFileSync(join(folder, "project", "package.json"), "{}");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (file: string, ...lines: readonly string[]): void => writeFileSync(join(folder, file), lines.join("\n"));
const config = (env: Readonly<Record<string, string>> = {}) =>
  readNpmConfig({
    env: { HOME: join(folder, "home"), ...env },
    folder: join(folder, "project/packages/one"),
    execPath: join(folder, "prefix/bin/node"),
  });
const registry = (path: string, env: Readonly<Record<string, string>> = {}) => {
  const { base, authorization } = config(env).registries(path);
  return authorization === undefined ? base.href : `${base.href} ${authorization}`;
};

describe("npm configuration", () => {
  test("is the public registry without files", () => expect(registry("a")).toBe("https://registry.npmjs.org/"));

  test("is read in npm's order: environment, project, user, global", () => {
    write("prefix/etc/npmrc", "registry=https://global.example/");
    expect(registry("a")).toBe("https://global.example/");
    write("home/.npmrc", "registry=https://user.example/npm");
    expect(registry("a")).toBe("https://user.example/npm/");
    write("project/.npmrc", "registry=https://project.example/");
    expect(registry("a")).toBe("https://project.example/");
    expect(registry("a", { npm_config_registry: "https://env.example/" })).toBe("https://env.example/");
    expect(registry("a", { NPM_CONFIG_USERCONFIG: join(folder, "none"), npm_config_globalconfig: "none" })).toBe(
      "https://project.example/",
    );
  });

  test("can set a registry and a token for a scope", () => {
    write(
      "home/.npmrc",
      "@acme:registry=https://npm.acme.example/private/",
      "//npm.acme.example/:_authToken=${ACME_TOKEN}",
      // cspell:ignore Nlcjpw: Base64 of user:pass
      "//npm.acme.example/private/:_auth=dXNlcjpwYXNz",
    );
    expect(registry("@acme/x", { ACME_TOKEN: "abc" })).toBe("https://npm.acme.example/private/ Basic dXNlcjpwYXNz");
    expect(registry("@other/x", { ACME_TOKEN: "abc" })).toBe("https://registry.npmjs.org/");
    expect(config().privateScopes).toEqual(["@acme"]);
  });

  test("sends a token only to its own address and only with TLS", () => {
    write("home/.npmrc", "//one.example/:_authToken=secret", "registry=https://one.example/npm/");
    expect(registry("a")).toBe("https://one.example/npm/ Bearer secret");
    expect(registry("a", { npm_config_registry: "https://one.example.evil/npm/" })).toBe(
      "https://one.example.evil/npm/",
    );
    expect(registry("a", { npm_config_registry: "http://one.example/npm/" })).toBe("http://one.example/npm/");
  });

  test("of a project never exposes secrets of the environment", () => {
    write(
      "project/.npmrc",
      "registry=https://evil.example/${SECRET}/",
      "//evil.example/:_authToken=${SECRET}",
      "//evil.example/:_auth=plain",
      "cafile=/etc/passwd",
      "https-proxy=http://evil.example/",
    );
    expect(registry("a", { SECRET: "s3cret" })).toBe("https://registry.npmjs.org/");
    write(
      "project/.npmrc",
      "registry=https://evil.example/",
      "//evil.example/:_authToken=${SECRET}",
      "//evil.example/:_auth=plain",
      "https-proxy=http://evil.example/",
    );
    expect(registry("a", { SECRET: "s3cret" })).toBe("https://evil.example/");
    expect(config().proxy).toBeUndefined();
  });

  test.each([
    ["the public one", "@acme:registry=https://registry.npmjs.org", "", true],
    ["a stranger's address", "registry=https://evil.example/", "", false],
    ["an address of the machine", "@acme:registry=http://127.0.0.1:1/", "", false],
    ["the public one with another scheme", "registry=http://registry.npmjs.org/", "", false],
    ["an address that the user also names", "registry=https://a.example/npm", "registry=https://a.example/npm/", true],
    [
      "an address that the user names for a scope",
      "registry=https://a.example/",
      "@b:registry=https://a.example",
      true,
    ],
    ["an address with credentials of the user", "registry=https://a.example/npm/", "//a.example/:_authToken=t", true],
    ["another path of a named host", "registry=https://a.example/x/", "registry=https://a.example/npm/", false],
    ["its own credentials", "registry=https://a.example/\n//a.example/:_authToken=t", "", false],
  ])("trusts a registry of a project only with the consent of the user: %s", (_, project, user, trusted) => {
    write("project/.npmrc", project);
    write("home/.npmrc", user);
    expect(config().isTrusted("@acme/x")).toBe(trusted);
  });

  test("trusts every registry of the environment", () => {
    expect(config({ npm_config_registry: "https://env.example/npm" }).isTrusted("x")).toBe(true);
  });

  test("contains proxies and certificates", () => {
    write("home/ca.pem", "-----BEGIN CERTIFICATE-----");
    write(
      "home/.npmrc",
      "proxy=http://p.example:1/",
      "noproxy=local.example",
      `cafile=${join(folder, "home/ca.pem")}`,
      'ca[]="line\\nnext"',
    );
    expect(config().proxy).toEqual({
      http: "http://p.example:1/",
      https: "http://p.example:1/",
      none: "local.example",
    });
    expect(config().ca).toEqual(["-----BEGIN CERTIFICATE-----", "line\nnext"]);
  });
});

test("supports comments, quotes, repeated lines and required variables", () => {
  const text =
    '\uFEFF; comment\n# comment\n a = 1 \r\nb="two words"\na=3\nc=${NONE}\nd=${NONE?}x\ne=${SOME}\nno-value\n';
  expect([...parseNpmrc(text, { SOME: "yes" })]).toEqual([
    ["a", ["1", "3"]],
    ["b", ["two words"]],
    ["d", ["x"]],
    ["e", ["yes"]],
  ]);
});
