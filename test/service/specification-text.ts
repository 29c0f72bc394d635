/** The tables of the interface specification and of the decisions on it, as a test reads them. */
export type Row = Readonly<Record<string, string>>;

/** Rows of the first table below a heading that starts with `heading`, by column name in lower case. */
export function tableBelow(markdown: string, heading: string): readonly Row[] {
  const lines = markdown.split("\n");
  const start = lines.findIndex((line) => line.startsWith("#") && line.replace(/^#+ /, "").startsWith(heading));
  if (start < 0) throw new Error(`no heading ${heading}`);
  const first = lines.findIndex((line, at) => at > start && line.startsWith("|"));
  const past = lines.findIndex((line, at) => at > first && !line.startsWith("|"));
  const [head = [], , ...rows] = lines.slice(first, past < 0 ? undefined : past).map(cellsOf);
  return rows.map((cells) => Object.fromEntries(head.map((name, at) => [name.toLowerCase(), cells[at] ?? ""])));
}

const cellsOf = (line: string): readonly string[] =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());

/** `{count, products:["slug", …], limit_note?}` → the names at the top level that are always present. */
export function requiredNames(shape: string): readonly string[] {
  const inner = shape.slice(shape.indexOf("{") + 1, shape.lastIndexOf("}"));
  const names: string[] = [];
  let depth = 0;
  let name = "";
  for (const char of `${inner},`) {
    if ("{[(".includes(char)) depth += 1;
    if ("}])".includes(char)) depth -= 1;
    if (char !== "," || depth > 0) {
      name += char;
      continue;
    }
    names.push(name.trim());
    name = "";
  }
  // What is not a bare name is not a field: `score objects, newest first` within a list, or an ellipsis.
  return names.map((each) => each.replace(/[:{[].*$/s, "").trim()).filter((each) => /^\w+$/.test(each));
}

/** The first shape in backticks, braces included. */
export const shapeIn = (text: string): string => /`(?:\d+ )?(\{.*?\})`/s.exec(text)?.[1] ?? "{}";
