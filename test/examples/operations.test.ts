/** The examples in examples/operations contain only existing settings, metrics, files and commands. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments, parseDocument } from "yaml";
import { allCommands } from "../../src/cli/commands.ts";
import { variableOf } from "../../src/shell/flag.ts";
import { SERVICE_OPERATIONS } from "../../src/service/http/service-operations.ts";
import { createTelemetry } from "../../src/service/serve/ports.ts";

const COMMANDS = await allCommands();

const at = (path: string): URL => new URL(`../../examples/operations/${path}`, import.meta.url);
const read = (path: string): string => readFileSync(at(path), "utf8");

/** Settings that are not flags: the secret itself, the cache. */
const WITHOUT_FLAG = ["EOLGATE_SECRET", "EOLGATE_CACHE"];
const settings = new Set([...COMMANDS.flatMap(({ flags }) => flags.flatMap((flag) => variableOf(flag) ?? [])), ...WITHOUT_FLAG]);

test.each(["../../Dockerfile", "compose.yaml", "eolgate.service", "kubernetes.yaml"])("%s contains only known settings", (file) => {
  const named = new Set(read(file).match(/\bEOLGATE_[A-Z_]+/g));
  expect(named.size).toBeGreaterThan(0);
  expect([...named].filter((name) => !settings.has(name))).toEqual([]);
});

test.each(["compose.yaml", "prometheus.yaml", "alerts.yaml", "grafana/provisioning.yaml", "grafana/dashboards.yaml"])(
  "%s is valid YAML",
  (file) => {
    const { errors, warnings } = parseDocument(read(file), { merge: true });
    expect([...errors, ...warnings]).toEqual([]);
  },
);

test("the compose file mounts only existing files or files that its header comment creates", () => {
  const compose = parse(read("compose.yaml"), { merge: true });
  const mounts = Object.values<{ volumes?: string[] }>(compose.services).flatMap(({ volumes = [] }) => volumes);
  const files = mounts.map((mount) => mount.split(":")[0] ?? "").filter((path) => path.startsWith("./"));
  expect(files.length).toBeGreaterThan(4);
  expect(files.filter((path) => !existsSync(at(path)))).toEqual([]);
  expect(existsSync(at(`${compose["x-eolgate"].build.context}/${compose["x-eolgate"].build.dockerfile}`))).toBe(true);
  for (const { file } of Object.values<{ file: string }>(compose.secrets)) {
    expect(read("compose.yaml")).toContain(`> ${file.replace("./", "")}`);
  }
  for (const name of ["eolgate-1", "eolgate-2"]) expect(compose.services[name].depends_on).toHaveProperty("database");
});

describe("the Kubernetes manifests", () => {
  const [deployment, service, budget, ingress, policy, monitor] = parseAllDocuments(read("kubernetes.yaml")).map((document) => {
    expect([...document.errors, ...document.warnings]).toEqual([]);
    return document.toJS();
  });
  const pod = deployment.spec.template.spec;
  const [container] = pod.containers;

  test("run two processes, of which one is always ready", () => {
    expect([deployment.spec.replicas, deployment.spec.strategy.rollingUpdate.maxUnavailable]).toEqual([2, 0]);
    expect(budget.spec.minAvailable).toBe(1);
    const labels = deployment.spec.template.metadata.labels;
    for (const selector of [service.spec.selector, deployment.spec.selector.matchLabels, budget.spec.selector.matchLabels])
      expect(selector).toEqual(labels);
  });

  test("probe routes that the service has, on the ports of the image", () => {
    for (const probe of ["livenessProbe", "readinessProbe", "startupProbe"]) {
      const { path, port } = container[probe].httpGet;
      expect(Object.values(SERVICE_OPERATIONS).map((row) => row.path)).toContain(path);
      expect(port).toBe("http");
      expect(container[probe].timeoutSeconds).toBeGreaterThanOrEqual(3);
    }
    const exposed = /^EXPOSE (.*)$/m.exec(read("../../Dockerfile"))?.[1]?.split(" ").map(Number);
    expect(container.ports.map(({ containerPort }: { containerPort: number }) => containerPort)).toEqual(exposed);
    expect(service.spec.ports[0].targetPort).toBe("http");
  });

  test("mount what the settings and the image name, and the secrets that the comment creates", () => {
    const mounts = container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath);
    const volume = /^VOLUME \["(.*)"\]$/m.exec(read("../../Dockerfile"))?.[1];
    expect(mounts).toContain(volume);
    for (const { name, value } of container.env) {
      if (!name.endsWith("_FILE")) continue;
      expect(mounts.some((path: string) => value.startsWith(`${path}/`))).toBe(true);
      expect(read("kubernetes.yaml")).toContain(`--from-file=${value.split("/").at(-1)}=`);
    }
    for (const { name } of container.volumeMounts)
      expect(pod.volumes.map((each: { name: string }) => each.name)).toContain(name);
  });

  test("require a mail server, because keys and alerts are mails", () => {
    const { valueFrom } = container.env.find(({ name }: { name: string }) => name === "EOLGATE_SMTP");
    expect(valueFrom.secretKeyRef.optional).toBeUndefined();
    expect(read("kubernetes.yaml")).toContain(`--from-file=${valueFrom.secretKeyRef.key}=`);
    expect(parse(read("compose.yaml"), { merge: true })["x-eolgate"].environment.EOLGATE_SMTP).toMatch(/^\$\{EOLGATE_SMTP:\?/);
  });

  test("admit requests and scrapes, and only the connections that the service opens", () => {
    const ports = container.ports.map(({ name }: { name: string }) => name);
    const admitted = policy.spec.ingress.flatMap((each: { ports: { port: string }[] }) => each.ports.map(({ port }) => port));
    expect(admitted).toEqual(ports);
    for (const { port } of monitor.spec.podMetricsEndpoints) expect(ports).toContain(port);
    expect(ingress.spec.rules[0].http.paths[0].backend.service).toEqual({
      name: service.metadata.name,
      port: { name: service.spec.ports[0].name },
    });
    for (const selector of [policy.spec.podSelector, monitor.spec.selector])
      expect(selector.matchLabels).toEqual(deployment.spec.selector.matchLabels);
    const { requests, limits } = container.resources;
    expect([requests, limits].map((each) => "ephemeral-storage" in each)).toEqual([true, true]);
    for (const { emptyDir } of pod.volumes) if (emptyDir) expect(emptyDir.sizeLimit).toMatch(/Mi$/);
  });

  test("wait for the open requests, as a user without rights", () => {
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(container.lifecycle.preStop.sleep.seconds + 8 + 30);
    expect(read("../../Dockerfile")).toContain(`USER ${pod.securityContext.runAsUser}:${pod.securityContext.runAsGroup}`);
    expect(container.securityContext.readOnlyRootFilesystem).toBe(true);
  });
});

/** Every metric of the process and of the stack route. */
const own = async (): Promise<ReadonlySet<string>> => {
  const telemetry = createTelemetry({
    version: "1",
    catalogueDate: () => "2026-08-22",
    outbox: async () => ({ queued: 1, dead: 1, sent: 1, oldestQueuedAt: 1 }),
  });
  telemetry.observe("GET", "/", 200, 0.1);
  const text = await telemetry.text();
  telemetry.close();
  const wire = readFileSync(new URL("../../src/wire/metrics.ts", import.meta.url), "utf8");
  return new Set([...(text.match(/^[a-z_]+(?=[{ ])/gm) ?? []), ...(wire.match(/\beol_[a-z_]+/g) ?? [])]);
};

describe("metrics", () => {
  const expressions: readonly (readonly [string, () => readonly string[]])[] = [
    [
      "alerts.yaml",
      () => {
        const { groups } = parse(read("alerts.yaml"));
        return groups.flatMap(({ rules }: { rules: { expr: string }[] }) => rules.map(({ expr }) => expr));
      },
    ],
    [
      "grafana/dashboard.json",
      () => {
        const { panels } = JSON.parse(read("grafana/dashboard.json"));
        return panels.flatMap(({ targets = [] }: { targets?: { expr: string }[] }) => targets.map(({ expr }) => expr));
      },
    ],
  ];
  test.each(expressions)("%s queries only existing metrics", async (_, of) => {
    const known = await own();
    const asked = of().flatMap((expression) => expression.match(/\b(?:eol|eolgate|process|nodejs)_[a-z_]+/g) ?? []);
    expect(asked.length).toBeGreaterThan(8);
    expect([...new Set(asked)].filter((name) => !known.has(name))).toEqual([]);
  });

  test("every metric about mails and the catalogue has an alert", async () => {
    const watched = read("alerts.yaml");
    for (const name of await own()) if (/_mails_dead|_oldest|_catalogue|_late|_store_up/.test(name)) expect(watched).toContain(name);
  });
});

test("the panels of the dashboard do not overlap and have unique ids", () => {
  const { panels } = JSON.parse(read("grafana/dashboard.json"));
  const taken = new Set<string>();
  for (const { id, gridPos } of panels) {
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
        expect(x).toBeLessThan(24);
        expect(taken.has(`${x} ${y}`)).toBe(false);
        taken.add(`${x} ${y}`);
      }
    }
    expect(taken.has(`id ${id}`)).toBe(false);
    taken.add(`id ${id}`);
  }
});

test.skipIf(spawnSync("systemd-analyze", ["--version"]).status !== 0)("systemd accepts the unit (skipped without systemd)", () => {
  const unit = fileURLToPath(at("eolgate.service"));
  expect(execFileSync("systemd-analyze", ["verify", unit], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })).toBe("");
});

test("the alert texts contain existing commands only", () => {
  const names = new Set(COMMANDS.map(({ name }) => name));
  const texts = [read("alerts.yaml"), read("compose.yaml")].join("\n");
  for (const [, command = ""] of texts.matchAll(/eolgate ((?:mail|keys|db) [a-z]+)/g)) expect(names).toContain(command);
});
