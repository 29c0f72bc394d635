/** The records of a CSV text as RFC 4180 defines them, for texts without line breaks in fields. */
export function parseCsv(text: string): string[][] {
  return text
    .trimEnd()
    .split("\r\n")
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
        ([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? "",
      ),
    );
}

/** The same as objects, by the names in the first record. */
export function parseCsvRecords(text: string): Readonly<Record<string, string>>[] {
  const [names = [], ...records] = parseCsv(text);
  return records.map((fields) => Object.fromEntries(names.map((name, at) => [name, fields[at] ?? ""])));
}
