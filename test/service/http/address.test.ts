import { expect, test } from "vitest";
import { addressBlock, isLoopback, maskedAddress } from "../../../src/service/http/admission.ts";

test.each([
  ["192.0.2.7", "192.0.2.7", "192.0.2.0/24"],
  ["::ffff:192.0.2.7", "192.0.2.7", "192.0.2.0/24"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", "2001:db8:1::/48"],
  ["2001:0DB8:0001:0002::9", "2001:db8:1:2::/64", "2001:db8:1::/48"],
  ["2001:db8::1", "2001:db8:0:0::/64", "2001:db8:0::/48"],
  ["fe80::1%eth0", "fe80:0:0:0::/64", "fe80:0:0::/48"],
  ["::1", "0:0:0:0::/64", "0:0:0::/48"],
])("%s counts as %s and is logged as %s", (address, block, masked) => {
  expect(addressBlock(address)).toBe(block);
  expect(maskedAddress(address)).toBe(masked);
});

test("hosts in one /64 share a block, hosts in different ones do not", () => {
  expect(addressBlock("2001:db8::1")).toBe(addressBlock("2001:db8::ffff:1"));
  expect(addressBlock("2001:db8::1")).not.toBe(addressBlock("2001:db8:0:1::1"));
});

test.each([
  ["127.0.0.1", true],
  ["127.8.8.8", true],
  ["::1", true],
  ["localhost", true],
  ["0:0:0:0:0:0:0:1", true],
  ["0.0.0.0", false],
  ["::", false],
  ["192.0.2.1", false],
])("%s is loopback: %s", (address, expected) => {
  expect(isLoopback(address)).toBe(expected);
});
