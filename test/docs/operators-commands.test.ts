/**
 * Every command of docs/operating.md and docs/self-hosting.md is in the table below: the script that runs it here, on an
 * empty machine with a server on loopback, or the reason why it is not run here.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { catalogue, machine, root } from "../examples/machine.ts";
import { runProcess } from "../service/processes.ts";
import { blocks, page, spans } from "./pages.ts";

const FILES = ["docs/operating.md", "docs/self-hosting.md"];
const PROGRAM = /^(?:[A-Z_]+=\S+ )*(?:eolgate|curl|openssl|npm|sed|cp|systemctl|export) /;

/** The lines of shell blocks, and inline code that is a whole command, without comments. */
const documented = [
  ...new Set(
    FILES.flatMap((file) => {
      const document = { file, text: page(file) };
      const lines = blocks(document).flatMap(({ language, text }) =>
        language === "sh" ? text.trim().split("\n") : [],
      );
      return [...lines, ...spans(document)]
        .map((line) => line.replace(/(?:^|\s+)# .*$/, "").trim())
        .filter((line) => PROGRAM.test(line));
    }),
  ),
];

interface NotRun {
  readonly notRun: string;
}
const server: NotRun = { notRun: "it runs until it is stopped: the server of this test is started so" };
const postgres: NotRun = { notRun: "run by operating.test.ts where PostgreSQL is installed" };

/** `DATA`, `SAFE` and `NEW` are folders of the machine, `ADDRESS` is the server. */
const COMMANDS: Readonly<Record<string, string | NotRun>> = {
  "eolgate serve": server,
  "eolgate serve --data ./data": server,
  "eolgate serve --open": { notRun: "as above, without keys; processes.test.ts starts it" },
  "eolgate serve --host 0.0.0.0 --public-url https://eol.example.org --trust-proxy 1": {
    notRun: "it listens on all addresses of the machine; tests listen on loopback only",
  },
  'eolgate serve 2> >(grep -v \'"message":"request"\' >&2)':
    '(eolgate serve --port 0 --refresh off 2> >(grep -v \'"message":"request"\' > served.log) > /dev/null & pid=$!; for _ in $(seq 100); do grep -q serves served.log && break; sleep 0.1; done; kill $pid; wait $pid); grep serves served.log',
  "eolgate keys create": "eolgate keys create --email ann@example.org",
  "eolgate keys create --data ./data --email ops@example.org --tier pro":
    "eolgate keys create --data DATA --email ops@example.org --tier pro",
  "eolgate keys create --data DIR --email ADDRESS --tier acme --tiers FILE":
    "printf 'tiers:\\n  acme:\\n    requests_per_day: 5\\n' > tiers.yaml; eolgate keys create --data DATA --email acme@example.org --tier acme --tiers tiers.yaml",
  "eolgate keys create --email ADDRESS --batch-envelope":
    "eolgate keys create --email list@example.org --batch-envelope",
  "eolgate keys list": "eolgate keys list | grep ops@example.org",
  "eolgate keys revoke ID": "eolgate keys revoke $(eolgate keys list | grep ann@example.org | awk '{print $1}')",
  "eolgate mail dead": "eolgate mail dead",
  "eolgate mail requeue [ID]": "eolgate mail requeue",
  "eolgate db migrate": "eolgate db migrate",
  "eolgate db export --data /var/lib/eolgate -o eolgate-$(date +%F).ndjson":
    "eolgate db export --data DATA -o eolgate-$(date +%F).ndjson",
  "cp /var/lib/eolgate/secret /somewhere/safe/": "cp DATA/secret SAFE/",
  "eolgate db import eolgate-2026-11-21.ndjson --data /new/folder":
    "eolgate db import eolgate-$(date +%F).ndjson --data NEW",
  'sed -i "1i 2:$(openssl rand -hex 32)" secret':
    'cd NEW; cp SAFE/secret .; sed -i "1i 2:$(openssl rand -hex 32)" secret',
  "systemctl stop eolgate": { notRun: "the machine of this test has no service manager" },
  "eolgate db export --data /var/lib/eolgate | EOLGATE_DATABASE=postgres://eolgate@db/eolgate eolgate db import -":
    postgres,
  "EOLGATE_DATABASE=postgres://eolgate@db/eolgate EOLGATE_SECRET_FILE=/var/lib/eolgate/secret eolgate serve": postgres,
  "npm install pg": { notRun: "it downloads a package" },
  "eolgate doctor --service URL": "eolgate doctor --service ADDRESS",
  "eolgate site export public --public-url https://eol.example.org":
    "eolgate site export public --public-url https://eol.example.org --part files",
  "eolgate site export DIR": "eolgate site export other --public-url https://eol.example.org --part files",
  "openssl genpkey -algorithm ed25519 -out first.pem": "openssl genpkey -algorithm ed25519 -out first.pem",
  "openssl genpkey -algorithm ed25519 -out second.pem": "openssl genpkey -algorithm ed25519 -out second.pem",
  "openssl pkey -in first.pem -pubout -out first.pub.pem": "openssl pkey -in first.pem -pubout -out first.pub.pem",
  "openssl pkey -in second.pem -pubout -out second.pub.pem": "openssl pkey -in second.pem -pubout -out second.pub.pem",
  "eolgate catalogue update --from-sources": { notRun: "it reads the sites of the vendors" },
  "eolgate catalogue publish public --sign-key first.pem": "eolgate catalogue publish channel --sign-key first.pem",
  "eolgate catalogue publish public --sign-key second.pem --revoke-key 0123456789abcdef":
    "eolgate catalogue publish channel --sign-key second.pem --revoke-key 0123456789abcdef",
  "eolgate catalogue update --channel https://eol.example.org --publisher-key key.pub": {
    notRun: "run by signed-catalogue.test.ts, from a server with --sign-key",
  },
  "eolgate catalogue update --channel https://eol.example.org/channel --publisher-key public.pem": {
    notRun: "run by the tests of catalogue channels, from a server on loopback",
  },
  "eolgate catalogue update --channel http://127.0.0.1:8080/catalogue.json": {
    notRun: "run by signed-catalogue.test.ts; the catalogue of this machine is a file that is given",
  },
  "export EOLGATE_API_KEY=eolg_…": { notRun: "it sets the key that the commands below have" },
  'curl -H "X-API-Key: $EOLGATE_API_KEY" http://127.0.0.1:8080/v1/score/nodejs/18':
    'curl -sf -H "X-API-Key: $EOLGATE_API_KEY" ADDRESS/v1/score/nodejs/18',
  'curl -H "X-API-Key: $EOLGATE_API_KEY" -H "Content-Type: application/vnd.cyclonedx+json" --data-binary @web-shop.cdx.json http://127.0.0.1:8080/v1/sbom':
    'curl -sf -H "X-API-Key: $EOLGATE_API_KEY" -H "Content-Type: application/vnd.cyclonedx+json" --data-binary @bom.cdx.json ADDRESS/v1/sbom',
  "curl http://127.0.0.1:8080/openapi.json": "curl -sf ADDRESS/openapi.json",
  "EOLGATE_API_KEY=eolg_… eolgate check bom.json --api http://127.0.0.1:8080":
    "eolgate check bom.cdx.json --api ADDRESS || [ $? = 1 ]",
  "eolgate --api": { notRun: "a part of a command, in the text" },
  "eolgate mcp": 'echo \'{"jsonrpc":"2.0","id":1,"method":"ping"}\' | eolgate mcp',
};

test("the table has every command of the documents, and no other", () => {
  expect(documented.toSorted()).toEqual(Object.keys(COMMANDS).toSorted());
});

describe("the commands of the documents", { timeout: 120_000 }, () => {
  const here = machine("web-shop.cdx.json");
  const [data, safe, other] = ["data", "safe", "new"].map((name) => join(here.folder, name));
  let child: ChildProcess | undefined;
  let served = { address: "", key: "" };

  beforeAll(async () => {
    mkdirSync(safe ?? "");
    served = await new Promise((resolve, reject) => {
      const started = spawn(
        process.execPath,
        [join(root, "bin/eolgate.js"), "serve", "--port", "0", "--refresh", "off"],
        { env: { PATH: process.env["PATH"], HOME: here.folder, EOLGATE_CATALOGUE: catalogue, EOLGATE_DATA: data } },
      );
      child = started;
      let printed = "";
      const look = (chunk: Buffer): void => {
        printed += chunk.toString();
        const address = /eolgate serves (\S+)/.exec(printed)?.[1];
        if (address !== undefined) resolve({ address, key: "" });
      };
      started.stderr.on("data", look);
      started.once("exit", (code) => reject(new Error(`serve ended with ${code}: ${printed}`)));
    });
    const create = ["keys", "create", "--data", data ?? "", "--email", "first@example.org", "--tier", "enterprise"];
    served.key = (await runProcess(create, { HOME: here.folder })).trim();
  }, 30_000);

  afterAll(async () => {
    const ended = new Promise((resolve) => child?.once("exit", resolve));
    child?.kill("SIGTERM");
    await ended;
    here.close();
  });

  const scripts = Object.entries(COMMANDS).flatMap(([command, how]) =>
    typeof how === "string" ? [[command, how] as const] : [],
  );
  test.each(scripts)("%s", (_, how) => {
    const script = how
      .replaceAll("DATA", data ?? "")
      .replaceAll("SAFE", safe ?? "")
      .replaceAll("NEW", other ?? "")
      .replaceAll("ADDRESS", served.address);
    const { exit, printed } = here.sh(script, {
      HOME: here.folder,
      EOLGATE_DATA: data ?? "",
      EOLGATE_API_KEY: served.key,
    });
    expect(exit, `${script}\n${printed}`).toBe(0);
  });
});
