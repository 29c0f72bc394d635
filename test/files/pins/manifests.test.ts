/** Target frameworks of .NET projects. */
import { expect, test } from "vitest";
import { msbuildFrameworks } from "../../../src/files/pins/manifests.ts";

const project = (content: string): string => `<Project>\n<PropertyGroup>\n${content}\n</PropertyGroup>\n</Project>\n`;

test.each([
  ["<TargetFramework>net8.0</TargetFramework>", ["dotnet 8.0"]],
  ["<!-- <TargetFramework>netcoreapp3.1</TargetFramework> -->", []],
  [
    "<!-- old\n<TargetFramework>netcoreapp3.1</TargetFramework>\n--><TargetFramework>net8.0</TargetFramework>",
    ["dotnet 8.0"],
  ],
  ["<TargetFrameworks><!-- net6.0; -->net8.0;net48</TargetFrameworks>", ["dotnet 8.0", "dotnetfx 4.8"]],
  ["<!-- a --><TargetFramework>net6.0</TargetFramework><!-- b -->", ["dotnet 6.0"]],
  ["<TargetFrameworks>$(TargetFrameworks);net8.0</TargetFrameworks>", ["dotnet 8.0"]],
  ["<TargetFrameworks>$(OwnFrameworks);net8.0</TargetFrameworks>", ["$(OwnFrameworks)", "dotnet 8.0"]],
])("%s names %j at its own position", (content, expected) => {
  const text = project(content);
  const pins = msbuildFrameworks(text, () => undefined).flatMap((pin) => ("name" in pin ? [pin] : []));
  expect(pins.map(({ name, version }) => (version === undefined ? name : `${name} ${version}`))).toEqual(expected);
  for (const { location } of pins)
    expect(text.slice(location.at, location.at + location.length)).toMatch(/^(?:net|\$)/);
});

test.each(["<!-- <TargetFramework>net8.0</TargetFramework>", "<!-- a -- b -->"])(
  "refuses the broken comment %s",
  (content) => {
    expect(() => msbuildFrameworks(project(content), () => undefined)).toThrow(/XML/);
  },
);

const SEVERAL = "<TargetFrameworks>net9.0;net6.0</TargetFrameworks>";

test.each<readonly [string, string, string, boolean]>([
  ["several frameworks of a library", "Microsoft.NET.Sdk", SEVERAL, true],
  ["several with an explicit type", "Microsoft.NET.Sdk", `${SEVERAL}<OutputType>Library</OutputType>`, true],
  ["several in a Razor library", "Microsoft.NET.Sdk.Razor", SEVERAL, true],
  [
    "two elements",
    "Microsoft.NET.Sdk",
    "<TargetFrameworks>net48</TargetFrameworks><TargetFrameworks>net6.0</TargetFrameworks>",
    true,
  ],
  ["one framework", "Microsoft.NET.Sdk", "<TargetFrameworks>net6.0</TargetFrameworks>", false],
  ["an application", "Microsoft.NET.Sdk", `${SEVERAL}<OutputType>Exe</OutputType>`, false],
  ["a web application", "Microsoft.NET.Sdk.Web", SEVERAL, false],
  ["a project of an older form", "", SEVERAL, false],
  ["a project that is not packed", "Microsoft.NET.Sdk", `${SEVERAL}<IsPackable>false</IsPackable>`, false],
  ["a project of tests", "Microsoft.NET.Sdk", `${SEVERAL}<IsTestProject>true</IsTestProject>`, false],
])("%s: the frameworks are the lowest that it supports, or those that it runs on", (_, sdk, content, isMinimum) => {
  const text = project(content).replace("<Project>", sdk === "" ? "<Project>" : `<Project Sdk="${sdk}">`);
  const pins = msbuildFrameworks(text, () => undefined).map((pin) => "minimum" in pin);
  expect(new Set(pins)).toEqual(new Set([isMinimum]));
});

test("a reference to the SDK of tests makes a project one of tests", () => {
  const reference = '<PackageReference Include="Microsoft.NET.Test.Sdk" Version="17.0.0" />';
  const text = `<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup>${SEVERAL}</PropertyGroup><ItemGroup>${reference}</ItemGroup></Project>`;
  expect(msbuildFrameworks(text, () => undefined).some((pin) => "minimum" in pin)).toBe(false);
});
