/**
 * Checks the Host and Origin headers of MCP requests. A page of another site can resolve its host name to this machine
 * (DNS rebinding), so only the names of this server are accepted. IP addresses cannot be rebound.
 */
import { isIP } from "node:net";
import { EolgateError } from "../../messages/error.ts";
import { isLoopback } from "../http/address.ts";

export interface HostHeaders {
  readonly host: string | undefined;
  readonly origin: string | undefined;
}

/** @throws EolgateError `host-not-allowed` */
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
