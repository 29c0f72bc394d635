/** Command lines whose complete output is compared: with a golden file in this process, and between installations. */
import type { FakeSetup } from "./fake-io.ts";

/** Relative, as a user would give it: reports contain the path. */
export const GOLDEN_CATALOGUE = "test/fixtures/catalogue.json";

/** [name of the golden file, arguments, what differs from the usual setup]. Paths are relative to the repository. */
export const GOLDEN_CASES: readonly (readonly [name: string, argv: readonly string[], setup?: Partial<FakeSetup>])[] = [
  ["check-web-shop", ["check", "examples/web-shop.cdx.json"]],
  ["check-web-shop-color", ["check", "examples/web-shop.cdx.json"], { tty: true, columns: 110 }],
  ["check-web-shop-narrow", ["check", "examples/web-shop.cdx.json"], { env: { COLUMNS: "80" } }],
  ["check-web-shop-verbose", ["check", "examples/web-shop.cdx.json", "--verbose"]],
  ["check-web-shop-markdown", ["check", "examples/web-shop.cdx.json", "--format", "markdown"]],
  ["check-web-shop-standard-support", ["check", "examples/web-shop.cdx.json", "--support", "standard"]],
  ["check-web-shop-policy", ["check", "examples/web-shop.cdx.json", "--config", "examples/eolgate.config.yaml"]],
  [
    "check-web-shop-expired-waiver",
    ["check", "examples/web-shop.cdx.json", "--config", "examples/eolgate.config.yaml", "--as-of", "2028-01-01"],
  ],
  ["check-web-shop-exit-zero", ["check", "examples/web-shop.cdx.json", "--exit-zero"]],
  ["check-clean", ["check", "examples/clean.cdx.json"]],
  ["check-clean-json", ["check", "examples/clean.cdx.json", "--format", "json"]],
  ["check-ai", ["check", "examples/ai.cdx.json"]],
  ["check-several", ["check", "examples/*.cdx.json"]],
  ["check-xml", ["check", "examples/web-shop.cdx.xml"]],
  ["check-tag-value", ["check", "examples/clean.spdx"]],
  ["check-strict", ["check", "examples/web-shop.cdx.json", "--config", "test/fixtures/config/strict.yaml"]],
  ["check-min-coverage", ["check", "examples/clean.cdx.json", "--min-coverage", "100", "--fail-on", "kev"]],
  ["explain-purl", ["explain", "pkg:npm/%40angular/core@14.2.12"]],
  ["explain-line", ["explain", "debian:11"]],
  ["explain-refused", ["explain", "express-session@1.18.1"]],
  ["explain-rolling", ["explain", "pkg:alpm/arch/bash@5.2.026-2?distro=arch"]],
  ["explain-transform", ["explain", "pkg:deb/debian/openssl@1.1.1w-0+deb11u2?distro=debian-11"]],
  ["score", ["score", "nodejs", "18.20.4"]],
  ["score-riskiest", ["score", "nodejs"]],
  ["score-json", ["score", "nodejs", "18.20.4", "--format", "json"]],
  ["score-unknown-product", ["score", "nodejz"]],
  ["score-unknown-version", ["score", "nodejs", "17.9999x"]],
  ["status", ["status", "python", "3.9"]],
  ["product", ["product", "redis"]],
  ["products", ["products", "deb"]],
  ["products-none", ["products", "nothing-of-this-kind"]],
  ["batch", ["batch", "nodejs:18", "python:3.9", "pkg:npm/express@4.21.2", "nope:1", "redis"]],
  ["batch-stdin", ["batch", "--from", "-", "--format", "json"], { stdin: "# a stack\nnodejs:18\n\npython:3.9\n" }],
  ["version", ["--version"]],
  ["help", ["--help"]],
  ["no-command", []],
  ["help-check", ["check", "--help"]],
  ["help-check-all", ["check", "--help-all"]],
  ["unknown-command", ["chekc", "bom.json"]],
  ["unknown-flag", ["check", "bom.json", "--warn-day", "3"]],
  ["invalid-value", ["check", "examples/clean.cdx.json", "--as-of", "2026-02-30"]],
  ["bad-fail-on", ["check", "examples/clean.cdx.json", "--fail-on", "kve"]],
  ["bad-environment", ["check", "examples/clean.cdx.json"], { env: { EOLGATE_WARN_DAYS: "soon" } }],
  ["bad-format", ["check", "examples/clean.cdx.json", "--format", "tabel"]],
  ["missing-file", ["check", "nowhere.json"]],
  ["missing-and-sound", ["check", "nowhere.json", "examples/clean.cdx.json"]],
  ["folder", ["check", "examples"]],
  ["no-match", ["check", "nowhere/*.json"]],
  ["stdin-empty", ["check", "-"], { stdin: "" }],
  ["stdin-not-json", ["check", "-"], { stdin: '{"bomFormat": "CycloneDX",\n  "specVersion": oops}' }],
  ["stdin-not-sbom", ["check", "-"], { stdin: '{"hello": "world"}' }],
  [
    "stdin-truncated",
    ["check", "-"],
    { stdin: '{"bomFormat":"CycloneDX","specVersion":"1.6","components":[{"type":"library","name":"a"' },
  ],
  ["stdin-unsupported", ["check", "-"], { stdin: '{"bomFormat":"CycloneDX","specVersion":"9.9","components":[]}' }],
  [
    "stdin-syft-json",
    ["check", "-"],
    {
      stdin:
        '{"artifacts":[],"schema":{"version":"16.0.0","url":"https://example.org/syft/schema-16.0.0.json"},"descriptor":{"name":"syft"}}',
    },
  ],
  ["pins-without-components", ["check", "examples/ci/Jenkinsfile"]],
  ["enrich-xml", ["enrich", "examples/web-shop.cdx.xml"]],
  [
    "stdin-not-xml",
    ["check", "-"],
    { stdin: '<bom xmlns="http://cyclonedx.org/schema/bom/1.6">\n  <components><component></components>\n</bom>' },
  ],
  ["stdin-xml-truncated", ["check", "-"], { stdin: '<bom xmlns="http://cyclonedx.org/schema/bom/1.6">\n  <compo' }],
  ["stdin-xml-not-sbom", ["check", "-"], { stdin: "<project><modelVersion>4.0.0</modelVersion></project>" }],
  [
    "stdin-xml-entities",
    ["check", "-"],
    { stdin: '<!DOCTYPE bom [<!ENTITY x SYSTEM "file:///etc/hostname">]>\n<bom>&x;</bom>' },
  ],
  [
    "stdin-not-tag-value",
    ["check", "-"],
    { stdin: "SPDXVersion: SPDX-2.3\nPackageName: shop\nPackageCopyrightText: one\ntwo\n" },
  ],
  ["stdin-no-components", ["check", "-"], { stdin: '{"bomFormat":"CycloneDX","specVersion":"1.6","version":1}' }],
  [
    "stdin-no-components-allowed",
    ["check", "-", "--allow-empty"],
    { stdin: '{"bomFormat":"CycloneDX","specVersion":"1.6","version":1}' },
  ],
  [
    "stdin-nothing-assessed",
    ["check", "-"],
    {
      stdin:
        '{"bomFormat":"CycloneDX","specVersion":"1.6","version":1,"components":[{"type":"library","name":"mystery","version":"1"}]}',
    },
  ],
  [
    "stdin-nothing-assessed-json",
    ["check", "-", "--format", "json"],
    {
      stdin:
        '{"bomFormat":"CycloneDX","specVersion":"1.6","version":1,"components":[{"type":"library","name":"mystery","version":"1"}]}',
    },
  ],
  [
    "stdin-hostile",
    ["check", "-", "--fail-on", "untracked"],
    {
      stdin: JSON.stringify({
        bomFormat: "CycloneDX",
        specVersion: "1.6",
        components: [
          {
            type: "library",
            name: "\u001b[2J\u001b]8;;http://evil.example\u0007red",
            version: "1\n::set-output name=a::b",
          },
          { type: "library", name: "::error::pwned", version: "<script>alert(1)</script>" },
          { type: "library", name: "a\u202eb|c", version: "=1+1", purl: "pkg:npm/%1b%5b31m@1" },
        ],
      }),
    },
  ],
  ["bad-config-field", ["check", "examples/clean.cdx.json", "--config", "test/fixtures/config/bad-field.yaml"]],
  ["bad-config-syntax", ["check", "examples/clean.cdx.json", "--config", "test/fixtures/config/bad-syntax.yaml"]],
  ["missing-config", ["check", "examples/clean.cdx.json", "--config", "nowhere.yaml"]],
  ["catalogue-unreadable", ["check", "examples/clean.cdx.json", "--catalogue", "nowhere.json"]],
  ["catalogue-corrupt", ["check", "examples/clean.cdx.json", "--catalogue", "examples/clean.cdx.json"]],
  ["catalogue-too-old", ["check", "examples/clean.cdx.json", "--config", "test/fixtures/config/catalogue-age.yaml"]],
];
