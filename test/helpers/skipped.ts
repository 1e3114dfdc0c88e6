/** Says what the tests that were skipped need. */

import type { TestCase, TestModule } from 'vitest/node'

/** @returns such as `skipped: 84 tests need fish, 5 need jq`; nothing if no test was skipped for what it needs. */
export function skippedLine(needs: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const need of needs) counts.set(need, (counts.get(need) ?? 0) + 1)
  const parts = [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .map(([need, count]) => (count === 1 ? `1 test needs ${need}` : `${count} tests need ${need}`))
  const [first, ...others] = parts
  return first && `skipped: ${[first, ...others.map((part) => part.replace(/ tests?/, ''))].join(', ')}`
}

/** What each test lacked that was skipped for it. One that the command line leaves out lacks nothing. */
export function needsOf(modules: readonly Pick<TestModule, 'children'>[]): string[] {
  return modules.flatMap(({ children }) => [...children.allTests('skipped')].flatMap(needOf))
}

function needOf(test: TestCase): string[] {
  const result = test.result()
  const need = test.meta().needs ?? (result.state === 'skipped' ? result.note : undefined)
  return need === undefined ? [] : [need]
}
