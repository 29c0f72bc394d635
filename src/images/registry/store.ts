/** Implements `ImageStore` for an image in a registry. */
import type { HttpStream } from "../../http/client.ts";
import { EolgateError } from "../../messages/error.ts";
import { type Descriptor, MANIFEST_TYPES, parseManifest } from "../contents/manifest.ts";
import type { RegistryReference } from "./reference.ts";
import type { ImageLayer } from "../contents/root.ts";
import type { ImageBudget, ImageLimits } from "../limits.ts";
import type { WantedPaths } from "../contents/wanted.ts";
import type { ImageStore, LayerRequest, NamedManifest } from "../store.ts";
import { algorithmOf, type ByteStream, collect, digestOfBytes } from "../stream.ts";
import { requireDigest, verifiedLayer } from "../layer.ts";
import { RegistryClient, type RegistryOptions } from "./client.ts";
import { refusedError } from "./token.ts";

const ACCEPT = MANIFEST_TYPES.join(", ");
/** Attempts to read a layer; after a lost connection, the whole layer is requested again. */
const READS = 2;
/** Layers that are read at the same time. */
const CONCURRENCY = 3;

export function openRegistry(
  reference: RegistryReference,
  options: Omit<RegistryOptions, "host" | "repository">,
  limits: ImageLimits,
): ImageStore {
  return new RegistryStore(reference, new RegistryClient({ ...options, ...reference }), limits);
}

class RegistryStore implements ImageStore {
  private readonly reference: RegistryReference;
  private readonly client: RegistryClient;
  private readonly limits: ImageLimits;

  constructor(reference: RegistryReference, client: RegistryClient, limits: ImageLimits) {
    this.reference = reference;
    this.client = client;
    this.limits = limits;
  }

  async root(): Promise<NamedManifest> {
    const { digest, tag = "latest", repository } = this.reference;
    const answer = await this.client.get(`manifests/${digest ?? tag}`, ACCEPT);
    if (answer.status === 404) {
      await answer.discard();
      const name = digest === undefined ? `${repository}:${tag}` : `${repository}@${digest}`;
      throw EolgateError.of("image-not-found", { problem: `the registry has no image ${name}` }).at(this.client.host);
    }
    return this.manifest(answer, digest);
  }

  async read({ digest }: Descriptor, kind: "manifest" | "blob", limit: number): Promise<Uint8Array> {
    const path = `${kind}s/${digest}`;
    const bytes = await this.readBody(await this.client.get(path, kind === "blob" ? "*/*" : ACCEPT), limit);
    this.verify(digest, digestOfBytes(bytes, algorithmOf(digest)));
    return bytes;
  }

  async layers(
    requests: readonly LayerRequest[],
    wanted: WantedPaths,
    budget: ImageBudget,
  ): Promise<readonly ImageLayer[]> {
    const layers: ImageLayer[] = [];
    const pending = [...requests.entries()];
    const worker = async (): Promise<void> => {
      for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
        const [index, request] = next;
        layers[index] = await this.layer(request, wanted, budget).catch((cause: unknown) => {
          // The other workers stop after their current layer.
          pending.length = 0;
          throw cause;
        });
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, worker));
    return layers;
  }

  async referrers(digest: string): Promise<readonly Descriptor[] | undefined> {
    const bytes = await this.readIfPresent(`referrers/${digest}`);
    if (bytes === undefined) return undefined;
    try {
      const parsed = parseManifest(bytes, digest);
      return parsed.kind === "index" ? parsed.entries : undefined;
    } catch {
      // Registries without this API may answer with something else than 404.
      return undefined;
    }
  }

  async tagged(tag: string): Promise<NamedManifest | undefined> {
    const bytes = await this.readIfPresent(`manifests/${tag}`);
    return bytes === undefined ? undefined : { bytes, digest: digestOfBytes(bytes) };
  }

  close(): Promise<void> {
    return this.client.close();
  }

  /** Undefined if the registry answers with a status of 4xx or refuses access. */
  private async readIfPresent(path: string): Promise<Uint8Array | undefined> {
    const answer = await this.client.get(path, ACCEPT).catch((cause: unknown) => {
      if (cause instanceof EolgateError && cause.kind === "unauthorised") return undefined;
      throw cause;
    });
    if (answer === undefined) return undefined;
    if (answer.status < 400 || answer.status >= 500) return this.readBody(answer, this.limits.manifestBytes);
    await answer.discard();
    return undefined;
  }

  private async manifest(answer: HttpStream, requested: string | undefined): Promise<NamedManifest> {
    const stated = answer.headers["docker-content-digest"];
    const bytes = await this.readBody(answer, this.limits.manifestBytes);
    const expected = requested ?? (typeof stated === "string" && /^sha(?:256|512):/.test(stated) ? stated : undefined);
    const digest = digestOfBytes(bytes, expected === undefined ? "sha256" : algorithmOf(expected));
    if (expected !== undefined) this.verify(expected, digest);
    return { bytes, digest };
  }

  private async layer(request: LayerRequest, wanted: WantedPaths, budget: ImageBudget): Promise<ImageLayer> {
    for (let reads = 1; ; reads += 1) {
      try {
        const answer = await this.client.get(`blobs/${request.descriptor.digest}`, "*/*");
        await this.requireSuccess(answer);
        const context = { wanted, budget, mismatch: this.digestError };
        return await verifiedLayer(this.bodyOf(answer), request, context);
      } catch (cause) {
        const isLostConnection = cause instanceof EolgateError && cause.code === "no-answer";
        if (!isLostConnection || reads === READS) throw cause;
      }
    }
  }

  private async readBody(answer: HttpStream, limit: number): Promise<Uint8Array> {
    await this.requireSuccess(answer);
    return collect(this.bodyOf(answer), limit, "an answer of the registry");
  }

  /** Reports a lost connection as an EolgateError `no-answer`. */
  private async *bodyOf(answer: HttpStream): ByteStream & AsyncGenerator<Uint8Array> {
    try {
      yield* answer.body;
    } catch (cause) {
      throw this.client.errorOf(cause);
    }
  }

  private async requireSuccess(answer: HttpStream): Promise<void> {
    const { status } = answer;
    if (status === 200) return;
    await answer.discard();
    if (status === 401 || status === 403) throw refusedError({ ...this.reference, host: this.client.host }, true);
    throw EolgateError.of("unexpected-status", {
      problem: `the registry answered with HTTP status ${status}`,
      advice: "Try again later, or check the address of the registry.",
    }).at(this.client.host);
  }

  private verify(expected: string, found: string): void {
    requireDigest(expected, found, this.digestError);
  }

  private readonly digestError = (expected: string, found: string): EolgateError =>
    EolgateError.of("registry-untrusted", {
      problem: `the registry sent wrong content: its digest is ${found} instead of ${expected}`,
      advice: "The content was changed or damaged in transit. Check the registry and the proxies in front of it.",
    }).at(this.client.host);
}
