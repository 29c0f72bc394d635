/** Every example of the curated vendor records, and the publishers that count as evidence. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CURATED } from "../../../src/catalogue/places.ts";
import { loadCatalogue } from "../../../src/catalogue/load.ts";
import { asProductSlug } from "../../../src/text/ids.ts";
import type { PackageFormat } from "../../../src/model/index.ts";
import { VendorIndex } from "../../../src/resolve/distro/vendor-index.ts";

type Example = readonly [format: PackageFormat, name: string, version: string, isVendors: boolean];
interface CuratedRow {
  readonly vendor: string;
  readonly maintainers?: readonly string[];
  readonly proof?: Readonly<Partial<Record<PackageFormat, string>>>;
  readonly examples?: readonly Example[];
}

const { packages } = loadCatalogue();
if (packages === undefined) throw new Error("the catalogue contains no packages");
const index = new VendorIndex(packages);
const rows: readonly CuratedRow[] = JSON.parse(readFileSync(new URL("vendor-packages.json", CURATED), "utf8"));
const examples = rows
  .filter(({ vendor }) => vendor !== "Debian backports")
  .flatMap(({ vendor, proof = {}, examples: own = [] }) =>
    // Some names are patterns for several packages.
    own
      .filter(([, name]) => !name.includes("["))
      .map(([format, name, version, isVendors]) => ({
        vendor,
        format,
        name,
        version,
        isVendors: isVendors && proof[format] !== undefined,
      })),
  );

test("recognizes examples of vendor packages by name and revision", () => {
  const missed = examples.filter(
    ({ format, name, version, isVendors }) => isVendors && index.byPackage(format, name, version) === undefined,
  );
  expect(missed).toEqual([]);
  expect(examples.length).toBeGreaterThan(500);
});

test("does not assign the examples of distribution packages to a vendor", () => {
  const keyOf = ({ format, name, version }: (typeof examples)[number]) => `${format} ${name} ${version}`;
  const ofVendors = new Set(examples.filter(({ isVendors }) => isVendors).map(keyOf));
  const wrong = examples
    // A package that does not belong to one vendor may belong to another.
    .filter((example) => !example.isVendors && !ofVendors.has(keyOf(example)))
    .map((example) => ({ ...example, found: index.byPackage(example.format, example.name, example.version)?.name }))
    .filter(({ found, vendor }) => found !== undefined && found !== vendor);
  expect(wrong).toEqual([]);
});

const PACKAGE = { format: "deb", name: "some-package" } as const;

test.each([
  ["docker-ce", "docker-engine"],
  ["docker-ce-cli", "docker-engine"],
  ["docker-ce-rootless-extras", "docker-engine"],
  ["docker-desktop", undefined],
  ["docker-scan-plugin", undefined],
  ["docker-compose-plugin", undefined],
  ["containerd.io", "containerd"],
])("the publisher Docker of %s leads to the product %s", (name, product) => {
  expect(index.byPublisher("Docker <support@docker.com>", { format: "deb", name })?.product).toBe(product);
});

test("the maker of a distribution is no third party", () => {
  const publisher = "VMware, Inc.";
  const photon = { product: asProductSlug("photon"), makers: ["VMware"] };
  expect(index.byPublisher(publisher, PACKAGE, photon)).toBeUndefined();
  expect(index.byPublisher(publisher, PACKAGE, { product: asProductSlug("rhel") })?.name).toBe("VMware");
});

test.each([
  ["Docker <support@docker.com>", "debian", "Docker"],
  ["Organization: Grafana Labs (contact@grafana.com)", "rhel", "Grafana Labs"],
  ["GitLab, Inc. <support@gitlab.com>", "ubuntu", "GitLab"],
  ["Fedora Copr - user acme", "rhel", "Fedora COPR"],
  ["Matthias Klose <doko@debian.org>", "debian", undefined],
  ["Debian PostgreSQL Maintainers <team+postgresql@tracker.debian.org>", "debian", undefined],
  ["Oracle America", "oracle-linux", undefined],
  ["Fedora Project", "fedora", undefined],
  ["Red Hat, Inc.", "rhel", undefined],
  ["Dockerize Ltd", "debian", undefined],
  ["", "debian", undefined],
])("maps the publisher %j of a package of %s to %s", (publisher, distribution, vendor) => {
  expect(index.byPublisher(publisher, PACKAGE, { product: asProductSlug(distribution) })?.name).toBe(vendor);
});
