/** Whether the client prefers HTML to JSON, by its Accept header (RFC 9110, 12.5.1). */
export function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const weights = accept.split(",").map((part) => {
    const [type = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    return [type, weight === undefined ? 1 : Number(weight)] as const;
  });
  const weightOf = (...types: readonly string[]): number =>
    types.flatMap((type) => weights.find(([each]) => each === type)?.[1] ?? []).at(0) ?? 0;
  const html = weightOf("text/html", "text/*", "*/*");
  return html > 0 && html > weightOf("application/json", "application/*", "*/*");
}
