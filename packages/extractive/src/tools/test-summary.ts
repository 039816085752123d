import { oneLine } from '../text/one-line.ts'
import { shorten } from '../text/shorten.ts'

/** Characters at the end of an output in which a test runner's or checker's summary stands. */
const MAX_TAIL_CHARS = 6000

const COUNT =
  /\b(\d+)\s+(?:tests?|specs?|examples?|doctests?|suites?|checks?|passed|passing|failed|failing|failures?|errors?|problems?|warnings?|pending|skipped|ignored|todo)\b/gi
const VERDICT =
  /\b(\d+)\s+(?:failed|failing|failures?|errors?|problems?)\b|\b(?:failures|errors|failed)[=:]\s?(\d+)/gi
const PASS_OR_FAIL = /pass|fail|error|problem|warning|\bok\b/i

/** The summary line of a test run or check, and whether it counts failures. */
export interface TestSummary {
  readonly text: string
  readonly failed: boolean
}

/** The last line of an output that counts what passed or failed, or undefined. */
export function testSummary(output: string): TestSummary | undefined {
  const lines = output.slice(-MAX_TAIL_CHARS).split('\n')
  for (let i = lines.length - 1; i >= Math.max(0, lines.length - 60); i--) {
    const line = oneLine((lines[i] ?? '').slice(0, 400))
    if (!PASS_OR_FAIL.test(line) || line.length > 200 || !/\d/.test(line)) continue
    const counts = line.match(COUNT)
    const verdicts = [...line.matchAll(VERDICT)]
    if (counts === null && verdicts.length === 0) continue
    if (verdicts.length === 0 && !/\d+\s+(?:passed|passing|tests?)\b/i.test(line)) continue
    const failed = verdicts.some(([, before, after]) => Number(before ?? after ?? 0) > 0)
    return { text: shorten(line, 120), failed }
  }
  return undefined
}
