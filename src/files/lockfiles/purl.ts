/** Package URLs without a version, from the names that lockfiles use. */

const encode = (segment: string): string => encodeURIComponent(segment).replaceAll("%3A", ":");

/** `purlOf("npm", "@babel/core")` → `pkg:npm/%40babel/core`. */
export const purlOf = (type: string, name: string): string => `pkg:${type}/${name.split("/").map(encode).join("/")}`;

/** The normalized name of PEP 503, which lockfiles and project files spell in different ways. */
export const pypiName = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, "-");

export const pypiPurl = (name: string): string => purlOf("pypi", pypiName(name));

/** `group:artifact` and `group/artifact` alike. */
export const mavenPurl = (group: string, artifact: string): string => purlOf("maven", `${group}/${artifact}`);
