/** The page behind a link in a mail: what it would do, and the button that does it. No script, nothing loaded. */
import { html } from "../../report/escape.ts";

export interface WatchPage {
  readonly purpose: "confirm" | "unsubscribe";
  readonly state: "ask" | "done";
  readonly token: string;
  /** `slug:cycle` */
  readonly lines: readonly string[];
}

const WORDS = {
  confirm: {
    title: "Confirm your watch list",
    ask: "You will be mailed before these lines reach their end of life, and when one of them that is past it gets a known exploited vulnerability.",
    button: "Confirm",
    done: "Your watch list is confirmed.",
  },
  unsubscribe: {
    title: "Stop the alerts",
    ask: "No more alerts will be sent for these lines.",
    button: "Unsubscribe",
    done: "You will get no more alerts.",
  },
} as const;

export function watchPage({ purpose, state, token, lines }: WatchPage): string {
  const words = WORDS[purpose];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${words.title}</title>
<style>body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem;color-scheme:light dark}button{font:inherit;padding:.5rem 1.5rem}</style>
</head>
<body>
<main>
<h1>${words.title}</h1>
${state === "done" ? `<p role="status">${words.done}</p>` : form(purpose, token, lines)}
</main>
</body>
</html>
`;
}

function form(purpose: WatchPage["purpose"], token: string, lines: readonly string[]): string {
  const { ask, button } = WORDS[purpose];
  const list = lines.map((line) => `<li>${html(line)}</li>`).join("\n");
  return `<p>${ask}</p>
<ul>
${list}
</ul>
<form method="post" action="/v1/watch/${purpose}?token=${html(encodeURIComponent(token))}">
<button type="submit">${button}</button>
</form>`;
}
