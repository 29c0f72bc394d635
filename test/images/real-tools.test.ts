/** Images with real tools: a registry, skopeo, and databases written by rpm. */
import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readImage } from "../../src/images/read.ts";
import { BASE, buildImage, indexOf, layoutFiles, writeFiles } from "./build.ts";
import { hasRegistry, type RealRegistry, startRealRegistry } from "./real-registry.ts";
import { hasRpm, sqliteDatabase } from "./contents/rpm/databases.ts";
import { loadCatalogue } from "../../src/catalogue/load.ts";

const CATALOGUE = loadCatalogue();
const FACTS = CATALOGUE.facts;
const PURL = CATALOGUE.purl.bind(CATALOGUE);
const context = { cwd: ".", env: { DOCKER_CONFIG: "/nonexistent" }, facts: FACTS, purl: PURL, architecture: "x64" };

async function namesIn(image: string): Promise<readonly string[]> {
  const { inputs } = await readImage({ image }, context);
  return inputs.flatMap(({ document }) => [...document.components].map(({ name }) => name));
}

describe.skipIf(!hasRegistry)("images with a real registry and skopeo", () => {
  let registry: RealRegistry;
  let layout: string;
  const folder = mkdtempSync(join(tmpdir(), "eolgate-real-"));
  const expected = ["debian", "openssl", "perl-base", "node"];

  beforeAll(async () => {
    registry = await startRealRegistry();
    const image = await buildImage([BASE, { "srv/": "", "srv/app": "x" }], { env: ["NODE_VERSION=16.20.0"] });
    const index = indexOf([{ ...image.manifest, annotations: { "org.opencontainers.image.ref.name": "1.0" } }]);
    layout = writeFiles(join(folder, "layout"), layoutFiles(index, [image]));
  });
  afterAll(() => registry.close());

  test.each([
    ["as OCI", []],
    ["as Docker's schema 2", ["--format", "v2s2"]],
    ["compressed with zstd", ["--dest-compress-format", "zstd"]],
  ])("reads an image pushed %s", async (name, flags) => {
    const target = `shop/${name.replaceAll(/\W+/g, "-").toLowerCase()}:1.0`;
    registry.push(`oci:${layout}:1.0`, target, ...flags);
    expect(await namesIn(`${registry.host}/${target}`)).toEqual(expected);
  });

  test.each(["oci", "oci-archive", "docker-archive"])("reads an image that skopeo writes as %s", async (kind) => {
    const target = `${kind}:${join(folder, kind)}`;
    execFileSync("skopeo", ["copy", "--quiet", `oci:${layout}:1.0`, `${target}:shop:1.0`], { stdio: "pipe" });
    expect(await namesIn(target)).toEqual(expected);
  });

  test("reports a tag that the registry does not have", async () => {
    await expect(namesIn(`${registry.host}/shop/none:1`)).rejects.toMatchObject({
      code: "image-not-found",
      exit: 5,
    });
  });
});

describe.skipIf(!hasRpm)("database written by rpm", () => {
  test("reads packages of an rpm image from the database and its log", async () => {
    const { bytes, log } = sqliteDatabase();
    const image = await buildImage([
      { "etc/os-release": 'ID="rhel"\nVERSION_ID="9.3"\n', "usr/lib/sysimage/rpm/rpmdb.sqlite": bytes },
      { "usr/lib/sysimage/rpm/rpmdb.sqlite-wal": log ?? "", "var/lib/rpm -> ../../usr/lib/sysimage/rpm": "" },
    ]);
    const layout = writeFiles(
      mkdtempSync(join(tmpdir(), "eolgate-real-")),
      layoutFiles(indexOf([image.manifest]), [image]),
    );
    const { inputs } = await readImage({ image: `oci:${layout}` }, context);
    const purls = inputs.flatMap(({ document }) => [...document.components].flatMap((each) => each.purls)).toSorted();
    expect(purls).toEqual([
      "pkg:rpm/redhat/modular@1.2-3.el9?arch=noarch&distro=rhel-9.3&rpmmod=nodejs%3A18%3A8060020220523160029%3Aad008a3a&upstream=modular-1.2-3.el9.src.rpm",
      "pkg:rpm/redhat/plain@1.2-3.el9?arch=noarch&distro=rhel-9.3&upstream=plain-1.2-3.el9.src.rpm",
      "pkg:rpm/redhat/vended@1.2-3.el9?arch=noarch&distro=rhel-9.3&epoch=4&upstream=vended-1.2-3.el9.src.rpm",
    ]);
  });
});
