/** An embedded store whose disk is full: `/readyz` stays at 200 and `/readyz?store` names it; it works again when there is space. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { startService } from "../../../src/service/serve/serve.ts";
import { fakeIo, invocation } from "../../cli/fake-io.ts";
import { CATALOGUE } from "../processes.ts";

const folder = mkdtempSync(join(tmpdir(), "eolgate-full-"));
const disk = join(folder, "disk");

/** A file system of 2 MB, which only root may mount. */
function mounted(): boolean {
  try {
    execFileSync("mkdir", [disk]);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", disk], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
const isMounted = mounted();
afterAll(() => {
  if (isMounted) execFileSync("umount", [disk]);
  rmSync(folder, { recursive: true });
});

function fill(path: string): void {
  for (let size = 256 * 1024; size > 0; size = Math.floor(size / 2))
    try {
      for (;;) writeFileSync(path, Buffer.alloc(size), { flag: "a" });
    } catch {
      // Full for this size.
    }
}

describe.skipIf(!isMounted)("a full disk (skipped where no file system can be mounted)", () => {
  test("is stated by /readyz?store, which does not make the process unready", { timeout: 30_000 }, async () => {
    const secret = join(folder, "secret");
    writeFileSync(secret, "full-".repeat(8));
    const { io } = fakeIo({ cwd: folder, env: { EOLGATE_SECRET_FILE: secret }, today: "2026-12-01" });
    const flags = { port: "0", data: disk, catalogue: CATALOGUE, refresh: "off", publicUrl: "https://eol.example.org" };
    const service = await startService(invocation("serve", io, flags));
    const ask = async (path: string) => {
      const answer = await fetch(service.address + path);
      return { status: answer.status, body: await answer.json() };
    };
    const order = async (name: string) =>
      (
        await fetch(`${service.address}/v1/keys/free`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ email: `${name}@example.org` }),
        })
      ).status;
    try {
      expect(await order("a")).toBe(200);
      expect(await ask("/readyz?store")).toMatchObject({ status: 200, body: { status: "ready" } });
      fill(join(disk, "ballast"));
      expect(await order("b")).toBe(503);
      expect(await ask("/readyz")).toMatchObject({ status: 200, body: { status: "ready" } });
      expect(await ask("/readyz?store")).toMatchObject({
        status: 200,
        body: { status: "ready", remarks: { store: expect.stringContaining("store") } },
      });
      rmSync(join(disk, "ballast"));
      expect((await ask("/readyz?store")).body).not.toHaveProperty("remarks.store");
      expect(await order("b")).toBe(200);
    } finally {
      await service.stop();
    }
  });
});
