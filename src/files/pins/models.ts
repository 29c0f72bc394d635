/**
 * Hosted AI models in configuration: exact ids that only a model has, under keys that name one, as options of programs,
 * and in arguments. Names of deployments, aliases and computed values are no ids.
 */
import { linesOf } from "../tree/tree.ts";
import { found, type NamedPin } from "./pin.ts";

/** Starts of ids of the vendors whose models are hosted; each continues with a version or a variant. */
const START =
  "(?:(?:us|eu|apac|global)\\.)?anthropic\\.claude-|claude-(?=\\d|instant-|(?:opus|sonnet|haiku)-\\d)|gpt-(?=\\d)|chatgpt-|o[134](?=-|$)|" +
  "gemini-(?=\\d)|gemini-embedding-|text-(?:embedding|davinci|curie|babbage|ada|bison)-?|dall-e-|whisper-1$|tts-1|" +
  "command-(?:r|a|light|nightly)|mistral-(?:large|medium|small|tiny|saba)-|codestral-|ministral-|pixtral-|grok-(?=\\d)|deepseek-(?:chat|reasoner)$";
/** Routers and providers before the id. What follows `azure` is the name of a deployment. */
const ID = new RegExp(`^(?!azure)(?:[\\w.-]+/|[a-z]+:)*((?:${START})[\\w.@:-]*)$`);

const KEY = "(?:[\\w.-]{0,60}[-_.])?(?:[a-z]{1,30}M|[mM])(?:odel|ODEL)(?:s|S|[-_]?(?:name|id|NAME|ID)|Name|Id)?";
/** `model: x`, `"weak-model": "x"`, `OPENAI_MODELS=x,y`, `model_name = x`, `--fallback-model x`. */
const VALUE = new RegExp(
  `(?:^|[\\s"'\`{[(,.-])(?:${KEY}["'\`]?[ \\t]*(?:=>|[:=])[ \\t]*|(?<=--)(?:[a-z]{1,30}-)?model[ \\t]+)["'\`]?([\\w./:@,-]{1,300})`,
  "dg",
);

/** Whether a text may contain one: a test before the search. */
const mayNameModel = (text: string): boolean =>
  /model/i.test(text) &&
  /claude|gpt|gemini|\bo[134]\b|text-|dall-e|whisper|tts-1|command-|stral-|grok|deepseek/.test(text);

/** The models of a text, without comments. */
export function modelPins(text: string): readonly NamedPin[] {
  if (!mayNameModel(text)) return [];
  return linesOf(text)
    .filter((line) => /model/i.test(line.text) && !/^[ \t]*(?:#|\/\/|;)/.test(line.text))
    .flatMap((line) =>
      found(line.text, VALUE, 1).flatMap(({ matched, location }) => idsIn(matched, line.at + location.at)),
    );
}

/** One id, or several with commas between them. */
function idsIn(written: string, from: number): readonly NamedPin[] {
  let at = from;
  return written.split(",").flatMap((each) => {
    const location = { at, length: each.length };
    at += each.length + 1;
    const id = ID.exec(each)?.[1]?.replace(/^(?:us|eu|apac|global)\./, "");
    return id === undefined ? [] : [{ name: id, kind: "model" as const, location }];
  });
}
