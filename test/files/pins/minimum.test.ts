/** Lowest supported versions, as files state them, and their release cycles in the catalogue. */
import { expect, test } from "vitest";
import { loadCatalogue } from "../../../src/catalogue/load.ts";
import type { PinKindName } from "../../../src/files/pins/kinds.ts";
import { readInventory } from "../../../src/files/read.ts";
import { createResolver } from "../../../src/resolve/resolve.ts";
import { asIsoDate } from "../../../src/text/ids.ts";

const CATALOGUE = loadCatalogue();

test.each<[PinKindName, string, string]>([
  ["package.json", `{"engines":{"node":">=14"}}`, "minimum nodejs:14"],
  ["package.json", `{"engines":{"node":">=14.17 || >=16"}}`, "minimum nodejs:14"],
  ["package.json", `{"engines":{"node":"14.17.0"}}`, "nodejs:14"],
  ["package.json", `{"engines":{"node":"^14.17.0"}}`, "nodejs:14"],
  ["package.json", `{"engines":{"node":"<20"}}`, "nodejs:1..19"],
  ["package.json", `{"engines":{"node":"*"}}`, "no-version"],
  ["package.json", `{"engines":{"node":">=latest"}}`, "version-is-range"],
  ["package.json", `{"volta":{"node":"14.17.0"}}`, "nodejs:14"],
  ["Cargo.toml", `[package]\nrust-version = "1.56"\n`, "minimum rust:1.56"],
  ["rust-toolchain", "1.56\n", "rust:1.56"],
  ["go.mod", "module x\n\ngo 1.22\n", "minimum go:1.22"],
  ["go.mod", "module x\n\ngo 1.20\n", "go:1.20"],
  ["go.mod", "module x\n\ngo 1.22\n\ntoolchain go1.20.1\n", "go:1.20"],
  ["pyproject.toml", `[project]\nrequires-python = ">=3.7"\n`, "minimum python:3.7"],
  ["pyproject.toml", `[project]\nrequires-python = ">=3"\n`, "minimum python:3.0"],
  ["pyproject.toml", `[project]\nrequires-python = ">=3.7,<3.8"\n`, "python:3.7"],
  ["Pipfile", `[requires]\npython_version = "3.7"\n`, "python:3.7"],
  ["composer.json", `{"require":{"php":">=7.4"}}`, "minimum php:7.4"],
  ["composer.json", `{"require":{"php":"^7.4"}}`, "php:7.4"],
  ["terraform", `terraform {\n  required_version = ">= 1.1"\n}\n`, "minimum terraform:1.1"],
  ["terraform", `terraform {\n  required_version = "= 1.1.5"\n}\n`, "terraform:1.1"],
  ["helm-chart", `apiVersion: v2\nname: x\nkubeVersion: ">=1.24.0-0"\n`, "minimum kubernetes:1.24"],
  ["helm-chart", `apiVersion: v2\nname: x\nkubeVersion: 1.24.1\n`, "kubernetes:1.24"],
  [
    "target-framework",
    '<Project Sdk="Microsoft.NET.Sdk"><TargetFrameworks>net6.0;net10.0</TargetFrameworks></Project>',
    "minimum dotnet:6",
  ],
  [
    "target-framework",
    '<Project Sdk="Microsoft.NET.Sdk"><TargetFramework>net6.0</TargetFramework></Project>',
    "dotnet:6",
  ],
  ["gemspec", `spec.required_ruby_version = ">= 2.7"\n`, "minimum ruby:2.7"],
])("%s: %j is %s", async (pins, text, expected) => {
  const document = await readInventory({ pins, lockfile: undefined }, new TextEncoder().encode(text), CATALOGUE.facts);
  const resolve = createResolver(CATALOGUE, document, { strict: false, asOf: asIsoDate("2026-11-23") });
  const [found] = Array.from(document.components, (component) => resolve(component));
  if (found?.kind !== "resolved") return expect(found).toMatchObject({ kind: "unmatched", reason: expected });
  const { minimum, releaseCycle } = found;
  return expect(`${minimum ? "minimum " : ""}${releaseCycle.product}:${releaseCycle.cycle}`).toBe(expected);
});
