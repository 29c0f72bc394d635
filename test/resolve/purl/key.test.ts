import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parsePurl, purlKey, type InvalidPurl, type PurlKey } from "../../../src/resolve/purl/key.ts";

test.each([
  ["pkg:npm/%40angular/core@17.0.0", "npm/@angular/core", "17.0.0"],
  ["pkg:npm/@angular/core", "npm/@angular/core", undefined],
  ["pkg:NPM/React@18", "npm/react", "18"],
  ["pkg://npm/react@18", "npm/react", "18"],
  ["pkg:pypi/Foo._-bar@1", "pypi/foo-bar", "1"],
  ["pkg:nuget/Microsoft.NETCore.App@5", "nuget/microsoft.netcore.app", "5"],
  ["pkg:maven/org.acme/Lib_2.13@1.0.RELEASE?type=jar", "maven/org.acme/Lib_2.13", "1.0.RELEASE"],
  ["pkg:golang/github.com/Acme/thing/v2@v2.1", "golang/github.com/acme/thing/v2", "v2.1"],
  [
    "pkg:golang/github.com/docker/docker@v20.10.0%2Bincompatible",
    "golang/github.com/docker/docker",
    "v20.10.0+incompatible",
  ],
  ["pkg:golang/github.com/acme/thing@v2.1.0?type=module#cmd/thing", "golang/github.com/acme/thing", "v2.1.0"],
  ["pkg:golang/github.com/acme/thing@v2.1.0#cmd/thing", "golang/github.com/acme/thing/cmd/thing", "v2.1.0"],
  ["pkg:golang/Github.com/acme/thing@v2.1.0#API/", "golang/github.com/acme/thing/api", "v2.1.0"],
  ["pkg:rpm/Fedora/MariaDB-server@3:10.5", "rpm/fedora/MariaDB-server", "3:10.5"],
  ["pkg:deb/debian/perl/", "deb/debian/perl", undefined],
  ["pkg:alpine/musl@1.2", "apk/alpine/musl", "1.2"],
  ["pkg:swid/alpine?tag_id=alpine", "swid/alpine?tag_id=alpine", undefined],
  ["pkg:docker/library/debian@12", "docker/debian", "12"],
  ["pkg:docker/debian", "docker/debian", undefined],
  ["pkg:docker/grafana/grafana@10", "docker/grafana/grafana", "10"],
  ["pkg:docker/quay.io/argoproj/argocd@v2", "oci/argocd?repository_url=quay.io/argoproj", "v2"],
  ["pkg:docker/argoproj/argocd?repository_url=quay.io", "oci/argocd?repository_url=quay.io/argoproj", undefined],
  ["pkg:docker/localhost:5000/acme/app@1", "oci/app?repository_url=localhost:5000/acme", "1"],
  ["pkg:oci/debian@sha256:aa?repository_url=index.docker.io/library/debian", "docker/debian", "sha256:aa"],
  ["pkg:oci/grafana?repository_url=docker.io/grafana/grafana", "docker/grafana/grafana", undefined],
  [
    "pkg:oci/airflow?repository_url=https://cgr.dev/chainguard/",
    "oci/airflow?repository_url=cgr.dev/chainguard",
    undefined,
  ],
  [
    "pkg:oci/airflow?repository_url=cgr.dev/chainguard/airflow",
    "oci/airflow?repository_url=cgr.dev/chainguard",
    undefined,
  ],
  ["pkg:oci/caddy?repository_url=quay.io/repository/caddy", "oci/caddy?repository_url=quay.io", undefined],
  ["pkg:oci/caddy?repository_url=quay.io/caddy/caddy", "oci/caddy?repository_url=quay.io", undefined],
  ["pkg:oci/debian", "oci/debian", undefined],
  ["pkg:oci/debian@sha256:aa", "oci/debian", "sha256:aa"],
  ["pkg:oci/debian@sha256:aa?tag=12", "oci/debian", "sha256:aa"],
  ["pkg:oci/debian@12", "docker/debian", "12"],
  ["pkg:oci/debian@12?", "docker/debian", "12"],
])("reads %s as %s at %s", (text, key, version) => {
  expect(purlKey(text)).toMatchObject({ kind: "purl", key, version });
});

test.each([
  "",
  "react",
  "pkg:",
  "pkg:npm",
  "pkg:npm/",
  "pkg:maven/foo@1",
  "pkg:npm/a%ZZ@1",
  "pkg:npm/a@%FF",
  "pkg://user:pass@host/x",
  "pkg:npm/x?1bad=y",
])("rejects %j as a purl with a reason", (text) => {
  const key = purlKey(text);
  expect(key.kind).toBe("invalid");
  if (key.kind === "invalid") expect(key.why).not.toBe("");
});

test("decodes qualifiers on demand and ignores the case of their names", () => {
  const key = valid(purlKey("pkg:deb/debian/x@1?Arch=amd64&distro=debian-12&upstream=foo%401.2&empty="));
  expect(["arch", "distro", "upstream", "empty", "epoch"].map((name) => key.qualifier(name))).toEqual([
    "amd64",
    "debian-12",
    "foo@1.2",
    undefined,
    undefined,
  ]);
});

const scope = fc.constantFrom("", "", "", "@", "%40");
const word = fc.stringMatching(/^[\w.~+-]{1,12}$/);
const version = fc.stringMatching(/^(?:[\w.~+:^-]|%[0-7][\da-fA-F]){1,10}$/);
const TYPES = [
  "npm",
  "pypi",
  "maven",
  "golang",
  "nuget",
  "deb",
  "rpm",
  "apk",
  "gem",
  "cargo",
  "docker",
  "oci",
  "generic",
];
const type = fc.constantFrom(...TYPES);
// Without %25: packageurl-js decodes a qualifier twice, and so refuses an escaped percent sign that it wrote.
const qualifier = fc.tuple(
  fc.constantFrom("distro", "Distro", "upstream", "arch", "repository_url", "tag"),
  fc.stringMatching(/^(?:[^&#%\s]|%[01346-7][\da-fA-F]|%2[0-46-9a-fA-F]){0,8}$/),
);

test("the fast parser agrees with packageurl-js", () => {
  fc.assert(
    fc.property(
      type,
      scope,
      fc.array(word, { minLength: 1, maxLength: 3 }),
      fc.option(version),
      fc.array(qualifier, { maxLength: 2 }),
      (type, scope, path, version, qualifiers) => {
        const at = version === null ? "" : `@${version}`;
        const query = qualifiers.map(([name, value]) => `${name}=${value}`).join("&");
        const text = `pkg:${type}/${scope}${path.join("/")}${at}${query === "" ? "" : `?${query}`}`;
        expect(facts(purlKey(text)), text).toEqual(facts(parsePurl(text)));
      },
    ),
    { numRuns: 5000 },
  );
});

test("never throws for any text", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), (text) => ["purl", "invalid"].includes(purlKey(`pkg:${text}`).kind)),
  );
});

function valid(key: PurlKey | InvalidPurl): PurlKey {
  if (key.kind === "invalid") throw new Error(key.why);
  return key;
}

const facts = (key: PurlKey | InvalidPurl) =>
  key.kind === "invalid"
    ? key.kind
    : [
        key.key,
        key.type,
        key.namespace,
        key.name,
        key.version,
        ...["distro", "upstream", "arch", "repository_url", "tag"].map((name) => key.qualifier(name)),
      ];
