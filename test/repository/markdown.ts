/** The Markdown pages of the repository: their links, and the headings that links can point to. */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { root } from "./sources.ts";

export interface MarkdownPage {
  /** Relative to the root of the repository. */
  readonly path: string;
  readonly text: string;
}

const FOLDERS = [".", ".github", "docs", "src", "test", "bench", "tools", "examples"];

/** Every page that is written for people, except test inputs. */
export function markdownPages(): readonly MarkdownPage[] {
  const paths = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: folder !== ".", encoding: "utf8" }).map((name) =>
      normalize(join(folder, name)).replaceAll("\\", "/"),
    ),
  );
  return paths
    .filter((path) => path.endsWith(".md") && !/fixtures|golden/.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

/** Targets of links and pictures, without those in code. */
export function links(text: string): readonly string[] {
  const prose = text.replaceAll(/^```[^]*?^```$/gm, "").replaceAll(/`[^`\n]*`/g, "");
  const inline = [...prose.matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g)];
  const references = [...prose.matchAll(/^\[[^\]]+\]:\s+(\S+)/gm)];
  const elements = [...prose.matchAll(/\b(?:src|srcset|href)="([^"]+)"/g)];
  return [...inline, ...references, ...elements].map(([, target = ""]) => target);
}

/** The fragments that GitHub gives to headings: lower case, punctuation removed, spaces as hyphens, repeats numbered. */
export function anchors(text: string): ReadonlySet<string> {
  const seen = new Map<string, number>();
  const headings = [...text.replaceAll(/^```[^]*?^```$/gm, "").matchAll(/^#{1,6} (.+)$/gm)].map(([, title = ""]) =>
    title
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(/\s/g, "-"),
  );
  return new Set(
    headings.map((slug) => {
      const count = seen.get(slug) ?? 0;
      seen.set(slug, count + 1);
      return count === 0 ? slug : `${slug}-${count}`;
    }),
  );
}

/** @returns one line for each link of a page that leads to a file or heading that does not exist. Web addresses are not opened. */
export function brokenLinks({ path, text }: MarkdownPage): readonly string[] {
  return links(text).flatMap((target) => {
    if (/^[a-z][a-z+.-]*:/i.test(target)) return [];
    const [file = "", anchor] = target.split("#");
    const full = file === "" ? path : normalize(join(dirname(path), decodeURI(file))).replaceAll("\\", "/");
    if (full.startsWith("..")) return [`${path}: ${target} is outside of the repository`];
    if (!existsSync(join(root, full))) return [`${path}: ${target} does not exist`];
    if (anchor === undefined || !full.endsWith(".md")) return [];
    const page = full === path ? text : readFileSync(join(root, full), "utf8");
    return anchors(page).has(anchor) ? [] : [`${path}: ${target} has no such heading`];
  });
}
