/**
 * Which Host and Origin may speak MCP to us. A page of another site can point a name of its own at this machine (DNS
 * rebinding), so names count only when they are ours; addresses cannot be rebound.
 */
import { isIP } from "node:net";
import { EolgateError } from "../../core/errors.ts";
import { isLoopback } from "../address.ts";

export interface HostHeaders {
  readonly host: string | undefined;
  readonly origin: string | undefined;
}

export function checkHost({ host, origin }: HostHeaders, publicUrl: string): void {
  const ours = new URL(publicUrl).hostname;
  if (host === undefined || !isOurHost(hostname(`http://${host}`), ours)) throw refused("Host");
  if (origin === undefined) return;
  const from = hostname(origin);
  if (from === undefined || !(from === ours || isLoopback(unbracketed(from)))) throw refused("Origin");
}

function isOurHost(host: string | undefined, ours: string): boolean {
  return host !== undefined && (host === ours || host === "localhost" || isIP(unbracketed(host)) !== 0);
}

const hostname = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).hostname : undefined);
const unbracketed = (host: string): string => host.replace(/^\[(.*)\]$/, "$1");

const refused = (header: string): EolgateError => EolgateError.of("host-not-allowed", { header });
