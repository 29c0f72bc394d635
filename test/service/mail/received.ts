/** Parses a mail received over SMTP: headers, and both parts decoded (RFC 2045). */
export interface ReadMail {
  /** By lower-case name, unfolded. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly html: string;
}

export function readMail(raw: string): ReadMail {
  const { headers, body } = entityOf(raw);
  const boundary = /boundary="([^"]+)"/.exec(headers["content-type"] ?? "")?.[1];
  if (boundary === undefined) throw new Error("the mail has one part only");
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => entityOf(part.replace(/^\r\n/, "")));
  const partOf = (type: string): string => {
    const part = parts.find(({ headers: { "content-type": own = "" } }) => own.startsWith(type));
    if (!part) throw new Error(`the mail has no part of type ${type}`);
    return decode(part.body, part.headers["content-transfer-encoding"] ?? "7bit");
  };
  return { headers, text: partOf("text/plain"), html: partOf("text/html") };
}

interface Entity {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function entityOf(raw: string): Entity {
  const end = raw.indexOf("\r\n\r\n");
  const lines = raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, " ")
    .split("\r\n");
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(":")).toLowerCase(),
    line.slice(line.indexOf(":") + 2),
  ]);
  return { headers: Object.fromEntries(headers), body: raw.slice(end + 4) };
}

function decode(body: string, encoding: string): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8");
  if (encoding !== "quoted-printable") return body;
  const bytes = body
    .replaceAll(/=\r?\n/g, "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
