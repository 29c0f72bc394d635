import { describe, expect, test } from "vitest";
import { cycleFullName, cycleShortName } from "../../src/messages/cycle-names.ts";

describe("display name of a release cycle", () => {
  test.each([
    ["Node.js", "18", undefined, "Node.js 18", "18"],
    ["Microsoft Windows", "11-26h1-e", "11 26H1 (E)", "Microsoft Windows 11 26H1 (E)", "11 26H1 (E)"],
    ["Microsoft Windows", "11-24h2-e-lts", "11 24H2 (E)", "Microsoft Windows 11 24H2 (E) LTS", "11 24H2 (E) LTS"],
    [
      "Microsoft Windows Server",
      "2025",
      "Windows Server 2025 (LTSC)",
      "Microsoft Windows Server 2025 (LTSC)",
      "2025 (LTSC)",
    ],
    ["Google Nexus", "9", "Nexus 9", "Google Nexus 9", "9"],
    ["AlmaLinux OS", "10", "AlmaLinux OS 10", "AlmaLinux OS 10", "10"],
    ["Nokia Mobile", "c20", "Nokia C20", "Nokia C20", "Nokia C20"],
    [
      "Amazon Kindle",
      "kindle-5",
      "Kindle (5th Generation)",
      "Amazon Kindle (5th Generation)",
      "Kindle (5th Generation)",
    ],
    ["Samsung Galaxy Watch", "galaxy-watch", "Galaxy Watch", "Samsung Galaxy Watch", "Galaxy Watch"],
    ["NVIDIA GPUs", "fermi", "Fermi (GF1xx)**", "NVIDIA GPUs Fermi (GF1xx)", "Fermi (GF1xx)"],
    ["Jackson 2", "2.9", undefined, "Jackson 2.9", "2.9"],
    ["RxJava 2", "2", undefined, "RxJava 2", "2"],
    ["Apache Abdera", "all", undefined, "Apache Abdera", "all versions"],
  ])("%s, %s, label %s: %s, short %s", (product, name, label, full, short) => {
    const cycle = label === undefined ? { name } : { name, label };
    expect([cycleFullName(product, cycle), cycleShortName(product, cycle)]).toEqual([full, short]);
  });

  test.each([
    ["@azure/cosmos@all", "@azure/cosmos", "Azure SDK @azure/cosmos", "@azure/cosmos"],
    ["@azure/cosmos@4", "@azure/cosmos", "Azure SDK @azure/cosmos@4", "@azure/cosmos@4"],
  ])("%s of the package %s: %s, short %s", (name, part, full, short) => {
    const cycle = { name, part };
    expect([cycleFullName("Azure SDK", cycle), cycleShortName("Azure SDK", cycle)]).toEqual([full, short]);
  });
});
