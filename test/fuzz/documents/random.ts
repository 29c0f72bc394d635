/** Random numbers from a seed: a failure is repeated by its seed. */

export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = (Math.imul(seed, 0x9e3779b1) ^ 0x5bd1e995) >>> 0;
  }

  /** An integer from 0 up to, but not including, `limit`. */
  below(limit: number): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.state / 2 ** 32) * limit);
  }
  chance(percent: number): boolean {
    return this.below(100) < percent;
  }
  pick<T>(values: readonly [T, ...T[]]): T {
    return values[this.below(values.length)] ?? values[0];
  }
  shuffled<T>(values: readonly T[]): T[] {
    const all = [...values];
    for (let at = all.length - 1; at > 0; at--) {
      const other = this.below(at + 1);
      const [one, two] = [all[at], all[other]];
      if (one !== undefined && two !== undefined) [all[at], all[other]] = [two, one];
    }
    return all;
  }
}
