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
