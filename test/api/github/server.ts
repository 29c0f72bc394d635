/** A server with the documented shapes of the GitHub REST API, on loopback, with the failures that the real one has. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { packTar } from "modern-tar";

export interface FakeRepository {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Packages of the dependency graph; undefined: it is turned off. */
  readonly graph?: readonly string[];
  readonly archived?: boolean;
  readonly fork?: boolean;
  /** Left out of the list by GitHub, so that its page is short. */
  readonly isHidden?: boolean;
  /** Without any commit. */
  readonly empty?: boolean;
  /** Instead of the archive. */
  readonly archive?: Uint8Array;
}

export interface GithubServer {
  readonly url: string;
  /** `METHOD path` with `(token)` where one was sent. */
  readonly requests: string[];
  /** Answers the next requests instead; removed one by one. */
  readonly failures: ((response: ServerResponse) => void)[];
  repositories: Readonly<Record<string, FakeRepository>>;
  close(): Promise<void>;
}

export async function startGithub(repositories: Readonly<Record<string, FakeRepository>>): Promise<GithubServer> {
  const requests: string[] = [];
  const failures: ((response: ServerResponse) => void)[] = [];
  const state = { repositories };
  // Archives come from another origin, as on github.com.
  const archives = createServer((request, response) => {
    const [, owner = "", name = ""] = new URL(request.url ?? "", "http://localhost").pathname.split("/");
    const isReport = request.url?.includes("?signature=") === true;
    const sent = `${request.url ?? ""}${request.headers.authorization ? " (token)" : ""}`;
    requests.push(`${isReport ? "report" : "archive"} ${sent}`);
    const repository = state.repositories[`${owner}/${name}`] ?? {};
    if (isReport) sendGraph(repository, name, response);
    else void sendArchive(repository, response);
  });
  await new Promise<void>((resolve) => archives.listen(0, "127.0.0.1", resolve));
  const archiveUrl = `http://127.0.0.1:${String((archives.address() as AddressInfo).port)}`;
  const api = createServer((request, response) => {
    requests.push(`${request.method ?? ""} ${request.url ?? ""}${request.headers.authorization ? " (token)" : ""}`);
    const failure = failures.shift();
    if (failure) failure(response);
    else answer(state.repositories, archiveUrl, request, response);
  });
  await new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${String((api.address() as AddressInfo).port)}`,
    requests,
    failures,
    get repositories() {
      return state.repositories;
    },
    set repositories(next) {
      state.repositories = next;
    },
    close: async () => {
      for (const server of [api, archives]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers });
  response.end(JSON.stringify(body));
}
const notFound = (response: ServerResponse): void => send(response, 404, { message: "Not Found", status: "404" });

function answer(
  repositories: Readonly<Record<string, FakeRepository>>,
  archiveUrl: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const url = new URL(request.url ?? "", `http://${request.headers.host ?? ""}`);
  const [, root = "", owner = "", name = "", what = "", ...rest] = url.pathname.split("/");
  if (root === "orgs" && name === "")
    return owner === "acme" ? send(response, 200, { login: owner }) : notFound(response);
  if (root === "orgs" || root === "users")
    return owner === "nobody" ? notFound(response) : sendList(repositories, owner, url, response);
  const repository = repositories[`${owner}/${name}`];
  if (root !== "repos" || repository === undefined) return notFound(response);
  if (what === "") return send(response, 200, { name, default_branch: "main" });
  if (what === "dependency-graph") {
    if (repository.graph === undefined) return notFound(response);
    const address = `${url.pathname.replace("generate-report", "fetch-report")}/c0ffee-1`;
    if (rest.at(-1) === "generate-report")
      return send(response, 201, { sbom_url: `https://api.example.org${address}` });
    if (rest.join("/") !== "sbom/fetch-report/c0ffee-1") return notFound(response);
    response.writeHead(302, { location: `${archiveUrl}/${owner}/${name}?signature=secret` });
    response.end();
    return;
  }
  if (repository.empty === true || (rest.length > 0 && rest.join("/") === "missing")) return notFound(response);
  response.writeHead(302, { location: `${archiveUrl}/${owner}/${name}/${rest.join("/")}?token=secret` });
  response.end();
}

function sendList(
  repositories: Readonly<Record<string, FakeRepository>>,
  owner: string,
  url: URL,
  response: ServerResponse,
): void {
  const all = Object.entries(repositories).filter(([path]) => path.startsWith(`${owner}/`));
  const size = Number(url.searchParams.get("per_page"));
  const from = (Number(url.searchParams.get("page")) - 1) * size;
  const page = all
    .slice(from, from + size)
    .filter(([, { isHidden }]) => isHidden !== true)
    .map(([path, { archived = false, fork = false, empty = false }]) => ({
      name: path.split("/")[1],
      owner: { login: owner },
      archived,
      fork,
      size: empty ? 0 : 12,
      pushed_at: "2026-11-01T00:00:00Z",
    }));
  const next = `http://${url.host}${url.pathname}?per_page=${String(size)}&page=${String(from / size + 2)}`;
  const first = `<${next.replace(/\d+$/, "1")}>; rel="first"`;
  send(response, 200, page, from + size < all.length ? { link: `${first}, <${next}>; rel="next"` } : { link: first });
}

function sendGraph({ graph = [] }: FakeRepository, name: string, response: ServerResponse): void {
  const packages = graph.map((purl, index) => ({
    SPDXID: `SPDXRef-${String(index)}`,
    name: purl.split("/").at(-1)?.split("@")[0],
    versionInfo: purl.split("@").at(-1),
    downloadLocation: "NOASSERTION",
    filesAnalyzed: false,
    externalRefs: [{ referenceCategory: "PACKAGE-MANAGER", referenceType: "purl", referenceLocator: purl }],
  }));
  const root = {
    SPDXID: "SPDXRef-Repository",
    name: `com.github.acme/${name}`,
    versionInfo: "main",
    downloadLocation: "NOASSERTION",
    filesAnalyzed: false,
  };
  send(response, 200, {
    SPDXID: "SPDXRef-DOCUMENT",
    spdxVersion: "SPDX-2.3",
    creationInfo: { created: "2026-11-01T00:00:00Z", creators: ["Tool: GitHub.com-Dependency-Graph"] },
    name: `com.github.acme/${name}`,
    dataLicense: "CC0-1.0",
    documentNamespace: `https://spdx.example.org/acme/${name}`,
    packages: [root, ...packages],
    relationships: [
      { relationshipType: "DESCRIBES", spdxElementId: "SPDXRef-DOCUMENT", relatedSpdxElement: "SPDXRef-Repository" },
      ...packages.map(({ SPDXID }) => ({
        relationshipType: "DEPENDS_ON",
        spdxElementId: "SPDXRef-Repository",
        relatedSpdxElement: SPDXID,
      })),
    ],
  });
}

export async function archiveOf(files: Readonly<Record<string, string | Uint8Array>>): Promise<Uint8Array> {
  const entries = Object.entries(files).map(([path, body]) => ({
    header: { name: `acme-app-0123abc/${path}`, size: Buffer.byteLength(body), type: "file" as const },
    body: typeof body === "string" ? body : Buffer.from(body),
  }));
  const link = {
    header: { name: "acme-app-0123abc/outside", size: 0, type: "symlink" as const, linkname: "/etc/passwd" },
  };
  const folder = { header: { name: "acme-app-0123abc/", size: 0, type: "directory" as const } };
  return gzipSync(await packTar([folder, ...entries, link]));
}

async function sendArchive(repository: FakeRepository, response: ServerResponse): Promise<void> {
  response.writeHead(200, { "content-type": "application/x-gzip" });
  response.end(repository.archive ?? (await archiveOf(repository.files ?? {})));
}
