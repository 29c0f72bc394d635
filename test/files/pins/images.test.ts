import { expect, test } from "vitest";
import { imageSystem } from "../../../src/files/pins/images.ts";
import { loadCatalogue } from "../../../src/catalogue/load.ts";

const FACTS = loadCatalogue().facts;

test.each([
  ["python", "3.12-slim-buster", "debian buster"],
  ["node", "22-stretch", "debian stretch"],
  ["eclipse-temurin", "11-jre-focal", "ubuntu focal"],
  ["python", "3.9-alpine3.14", "alpine 3.14"],
  ["node", "18-alpine", "alpine"],
  ["postgresql", "15.3.0-debian-11-r5", "debian 11"],
  ["java17-debian11", "nonroot", "debian 11"],
  ["openjdk-17", "1.14-ubi8", "rhel 8"],
  ["amazoncorretto", "17-al2023", "amazon linux 2023"],
  ["aspnet", "6.0-cbl-mariner2.0", "azure linux 2.0"],
  ["sdk", "6.0-nanoserver-1809", "windows server 1809"],
  ["sdk", "6.0-windowsservercore-ltsc2019", "windows server 2019"],
  ["node", "18", undefined],
  ["node", "18-slim", undefined],
  ["app", "feature-focalpoint", undefined],
  ["app", "1.2.3-debianized", undefined],
])("reads the tag of %s:%s as %s", (image, tag, expected) => {
  const system = imageSystem(image, tag, FACTS.tools.systemCodeNames);
  expect(system && [system.name, system.version].filter(Boolean).join(" ")).toBe(expected);
});
