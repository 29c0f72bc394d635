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
  if (root?.name !== "testsuites") return [`the root is ${root?.name}`];
  return [...troublesOf(root), ...elementsIn(root, "testsuite").flatMap(countTroubles), ...totalTroubles(root)];
}

const elementsIn = ({ children }: XmlElement, name: string): readonly XmlElement[] =>
  children.filter((child): child is XmlElement => child instanceof XmlElement && child.name === name);

/** The numbers of a suite are those of its cases. */
function countTroubles(suite: XmlElement): readonly string[] {
  const cases = elementsIn(suite, "testcase");
  const withChild = (name: string) => cases.filter((each) => elementsIn(each, name).length > 0).length;
  const counts = {
    tests: cases.length,
    failures: withChild("failure"),
    errors: withChild("error"),
    skipped: withChild("skipped"),
  };
  return Object.entries(counts).flatMap(([name, count]) =>
    suite.attributes[name] === undefined || suite.attributes[name] === String(count)
      ? []
      : [`<testsuite> counts ${suite.attributes[name] ?? ""} ${name} instead of ${String(count)}`],
  );
}

/** The numbers of the root are the sums of its suites. */
function totalTroubles(root: XmlElement): readonly string[] {
  const suites = elementsIn(root, "testsuite");
  return ["tests", "failures", "errors"].flatMap((name) => {
    const sum = suites.reduce((total, { attributes }) => total + Number(attributes[name]), 0);
    return root.attributes[name] === undefined || Number(root.attributes[name]) === sum
      ? []
      : [`<testsuites> counts ${root.attributes[name] ?? ""} ${name} instead of ${String(sum)}`];
  });
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
