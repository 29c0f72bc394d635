// A receiver of webhooks: it confirms the watch list, verifies the signature of each event, and prints the event.
// Usage: node webhook-receiver.mjs ADDRESS-OF-THE-SERVICE [PORT] [FILE-FOR-THE-KEY]
import { createHmac, timingSafeEqual } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import process from "node:process";

const [service, port = "8090", file = "webhook-key"] = process.argv.slice(2);
const TOLERANCE = 5 * 60;
const MAX_BODY = 1024 * 1024;

/** @param {import("node:http").IncomingMessage["headers"]} headers @param {string} body @param {string} key */
function isSigned(headers, body, key) {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature } = headers;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE) return false;
  const bytes = Buffer.from(key.replace("whsec_", ""), "base64");
  const expected = Buffer.from(`v1,${createHmac("sha256", bytes).update([id, timestamp, body].join(".")).digest("base64")}`);
  const given = Buffer.from(String(signature));
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/**
 * Confirms a list of this service only: anyone can send a request to a receiver.
 * @param {import("node:http").IncomingMessage["headers"]} headers @param {string} body
 */
async function receive(headers, body) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its signature is verified before its fields are used
  const event = /** @type {{ type: string, data: { secret?: string, confirm_url: string } }} */ (JSON.parse(body));
  const isConfirmation = event.type === "io.github.eolgate.watch.confirm";
  const known = existsSync(file) ? readFileSync(file, "utf8") : "";
  const key = isConfirmation ? (event.data.secret ?? "") : known;
  if (!isSigned(headers, body, key)) return 401;
  if (isConfirmation) {
    if (!event.data.confirm_url.startsWith(`${service}/v1/watch/confirm?`)) return 403;
    writeFileSync(file, key, { mode: 0o600 });
    const answer = await fetch(event.data.confirm_url, { method: "POST" });
    if (!answer.ok) return 502;
    delete event.data.secret;
  }
  process.stdout.write(`${JSON.stringify(event)}\n`);
  return 204;
}

const server = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (chunk) => {
    body += chunk;
    if (body.length > MAX_BODY) request.destroy();
  });
  request.on("end", () => {
    receive(request.headers, body).then(
      (status) => response.writeHead(status).end(),
      () => response.writeHead(400).end(),
    );
  });
});
server.listen(Number(port), "127.0.0.1", () => {
  process.stdout.write(`listening on ${JSON.stringify(server.address())}\n`);
});
