/** Ends the run with one plain line, `N passed, N failed, N skipped`, that any build log can be searched for. */
import type { Reporter, TestModule, TestRunEndReason } from "vitest/node";

export default class Counts implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[], reason: TestRunEndReason): void {
    const counts = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) counts[test.result().state] += 1;
      // A file that fails before its first test counts as one failure: it must not look like nothing.
      if (module.state() === "failed" && module.children.allTests().next().done === true) counts.failed += 1;
    }
    const broken = errors.length + (reason === "interrupted" ? 1 : 0);
    process.stdout.write(
      `\n${counts.passed} passed, ${counts.failed + counts.pending + broken} failed, ${counts.skipped} skipped\n`,
    );
  }
}
