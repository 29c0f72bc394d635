import { assert, property, string, stringMatching } from "fast-check";
import { parseFragment } from "parse5";
import { describe, expect, test } from "vitest";
import {
  below,
  external,
  fixedPath,
  fragment,
  link,
  markup,
  path,
  trusted,
} from "../../../src/service/pages/markup.ts";

/** A template as a browser reads it. */
function read(html: string): { readonly names: string[]; readonly text: string; readonly attributes: string[] } {
  const names: string[] = [];
  const attributes: string[] = [];
  let text = "";
  const walk = (node: object): void => {
    if ("tagName" in node) names.push(String(node.tagName));
    if ("attrs" in node && Array.isArray(node.attrs)) attributes.push(...node.attrs.map(({ name }) => String(name)));
    if ("value" in node) text += String(node.value);
    if ("childNodes" in node && Array.isArray(node.childNodes)) node.childNodes.forEach(walk);
  };
  walk(parseFragment(html));
  return { names, text, attributes };
}

describe("texts", () => {
  test("are always escaped", () => {
    assert(
      property(string({ unit: "binary", maxLength: 200 }), (text) => {
        const { names, attributes } = read(markup`<p title="${text}">${text}</p>`.html);
        expect([names, attributes]).toEqual([["p"], ["title"]]);
      }),
    );
  });

  test("are unchanged when they need no escaping", () => {
    assert(
      property(stringMatching(/^[ -~]{0,200}$/), (text) => {
        expect(read(markup`<p>${text}</p>`.html).text).toBe(text);
      }),
    );
  });

  test.each([
    ["<script>", "&lt;script&gt;"],
    ["\"'&", "&quot;&#39;&amp;"],
    ["\u202edlrow", "\\u{202e}dlrow"],
    ["a\u0000b", "a\\u{0}b"],
    ["\u001b[31m", "\\u{1b}[31m"],
  ])("%j becomes %s", (text, expected) => {
    expect(markup`${text}`.html).toBe(expected);
  });

  test("lists are joined; undefined, false and null are omitted; zero is written", () => {
    const items = ["<a>", "b"].map((each) => markup`<li>${each}</li>`);
    expect(markup`<ul>${items}${false}${null}${undefined}${0}</ul>`.html).toBe(
      "<ul><li>&lt;a&gt;</li><li>b</li>0</ul>",
    );
  });

  test("nested Markup is not escaped again", () => {
    expect(markup`<p>${markup`<b>${"&"}</b>`}${trusted("<i></i>")}</p>`.html).toBe("<p><b>&amp;</b><i></i></p>");
  });
});

describe("attributes", () => {
  test("only Markup is allowed between attributes", () => {
    const current = markup` aria-current="page"`;
    expect(markup`<a${current}>x</a>`.html).toBe('<a aria-current="page">x</a>');
    expect(() => markup`<a ${"onclick=alert(1)"}>x</a>`).toThrow(TypeError);
  });

  test.each([
    ["without quotes", () => markup`<a title=${"x"}>x</a>`],
    ["of style", () => markup`<a style="${"x"}">x</a>`],
    ["in a part of style", () => markup`<a style="color:${"x"}">x</a>`],
    ["of an event handler", () => markup`<a onclick="${"x"}">x</a>`],
    ["of srcdoc", () => markup`<p srcdoc="${"x"}"></p>`],
    ["with Markup in it", () => markup`<a title="${markup`<b></b>`}">x</a>`],
    ["in href as a string", () => markup`<a href="${"https://x.test/"}">x</a>`],
    ["in several parts of href", () => markup`<a href="/x/${path`/y`}">x</a>`],
    ["in action as a string", () => markup`<form action="${"javascript:alert(1)"}"></form>`],
  ])("refuse a value %s", (_, make) => {
    expect(make).toThrow(TypeError);
  });

  test.each([
    ["script", () => markup`<script>${"x"}</script>`],
    ["style", () => markup`<p><style>${"x"}</style></p>`],
    ["iframe", () => markup`<iframe></iframe>`],
    ["base", () => markup`<BASE href="${path`/`}">`],
  ])("refuse a template with %s", (_, make) => {
    expect(make).toThrow(TypeError);
  });

  test("an equals sign in a text is not an attribute", () => {
    expect(markup`<p>a = ${"b"}</p>`.html).toBe("<p>a = b</p>");
  });
});

describe("URLs", () => {
  test("internal: each value is one path segment", () => {
    expect(markup`<a href="${path`/score/${"a/b"}/${"../x?y#z"}`}">x</a>`.html).toBe(
      '<a href="/score/a%2Fb/..%2Fx%3Fy%23z">x</a>',
    );
    expect(below("/eol", path`/docs`).href).toBe("/eol/docs");
    expect(fragment("a b").href).toBe("#a%20b");
  });

  test("internal: long URLs are not truncated", () => {
    const long = `https://x.test/${"a".repeat(900)}`;
    expect(markup`<a href="${external(long)}">x</a>`.html).toContain(long);
  });

  test.each(["javascript:alert(1)", "JAVASCRIPT:alert(1)", "data:text/html,x", "//x.test/", "/x", "ftp://x.test", ""])(
    "external: %j is not linked",
    (text) => {
      expect(external(text)).toBeNull();
      expect(link("x", external(text)).html).toBe("x");
    },
  );

  test.each(["//x.test", "x", "/a b", '/"'])("internal: refuses the path %j", (text) => {
    expect(() => fixedPath(text)).toThrow(TypeError);
  });
});
