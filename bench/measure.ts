/** Shared functions of the benchmarks: medians, and a row that shows a figure with its floor. */

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** `name   123.4 ms   2.3x`: milliseconds, and the ratio to the floor of the same run. */
export const row = (name: string, ms: number, floor: number): string =>
  `${name.padEnd(44)} ${ms.toFixed(1).padStart(9)} ms ${(ms / floor).toFixed(2).padStart(7)}x`;
