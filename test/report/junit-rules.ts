/**
 * JUnit has no schema of its own. These are the rules of the strictest reader, Jenkins' xUnit plugin, which validates
 * before it reads (junit-10.xsd); no package contains that file.
 */
import { XmlElement, XmlText } from "@rgrove/parse-xml";

interface Rule {
  readonly required: readonly string[];
  readonly optional: readonly string[];
  readonly children: readonly string[];
  readonly text: boolean;
}

const words = (list: string): readonly string[] => list.split(" ").filter((word) => word !== "");
const element = (required: string, optional: string, children: string): Rule => ({
  required: words(required),
  optional: words(optional),
  children: words(children),
  text: false,
});
const outcome: Rule = { ...element("", "type message", ""), text: true };
const output: Rule = { ...element("", "", ""), text: true };

const RULES: ReadonlyMap<string, Rule> = new Map([
  ["testsuites", element("", "name time tests failures errors", "testsuite")],
  [
    "testsuite",
    element(
      "name tests failures errors",
      "group time skipped timestamp hostname id package file log url",
      "testsuite properties testcase system-out system-err",
    ),
  ],
  ["properties", element("", "", "property")],
  ["property", element("name value", "", "")],
  ["testcase", element("name", "time classname group", "skipped error failure system-out system-err")],
  ["failure", outcome],
  ["error", outcome],
  ["skipped", outcome],
  ["system-out", output],
  ["system-err", output],
]);

/** Returns the violations of the rules; empty when valid. */
export function junitTroubles(root: XmlElement | null): readonly string[] {
  return root?.name === "testsuites" ? troublesOf(root) : [`the root is ${root?.name}`];
}

function troublesOf(of: XmlElement): readonly string[] {
  const rule = RULES.get(of.name);
  if (!rule) return [`<${of.name}> is not known`];
  const { required, optional, children, text } = rule;
  const given = Object.keys(of.attributes);
  const inner = of.children.filter((child) => child instanceof XmlElement);
  const hasText = of.children.some((child) => child instanceof XmlText && child.text.trim() !== "");
  return [
    ...required.filter((name) => !given.includes(name)).map((name) => `<${of.name}> lacks ${name}`),
    ...given.filter((name) => ![...required, ...optional].includes(name)).map((name) => `<${of.name}> has ${name}`),
    ...inner.filter(({ name }) => !children.includes(name)).map(({ name }) => `<${of.name}> holds <${name}>`),
    ...(hasText && !text ? [`<${of.name}> holds text`] : []),
    ...inner.flatMap(troublesOf),
  ];
}
