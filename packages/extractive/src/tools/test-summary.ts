import { oneLine } from '../text/one-line.ts'
import { shorten } from '../text/shorten.ts'

/** Characters and lines at the end of an output in which a test runner's or checker's summary stands. */
const MAX_TAIL_CHARS = 6000
const MAX_LINES = 60

const COUNT =
  /\b\d+\s+(?:tests?|specs?|examples?|doctests?|suites?|checks?|passed|passing|failed|failing|failures?|errors?|problems?)\b/i
const FAILURES = /\b(\d+)\s+(?:failed|failing|failures?|errors?)\b|\b(?:failures|errors|failed)[=:]\s?(\d+)/gi
const PROBLEMS = /\b(\d+)\s+problems?\b/gi
const VERDICT = /pass|fail|error|problem/i
const NUMBER = /\d/
/** Runners that print one count a line: `ℹ pass 11`, `# fail 1`. */
const COUNT_LINE = /^(?:[ℹ#] )?(tests|pass|fail|errors) (\d+)$/

/** The summary line of a test run or check, and whether it counts failures. */
export interface TestSummary {
  readonly text: string
  readonly failed: boolean
}

/** The last line of an output that counts what passed or failed, or undefined. */
export function testSummary(output: string): TestSummary | undefined {
  const lines = output
    .slice(-MAX_TAIL_CHARS)
    .split('\n', 1000)
    .slice(-MAX_LINES)
    .filter((line) => NUMBER.test(line) && (VERDICT.test(line) || line.includes('tests')))
    .map((line) => oneLine(line.slice(0, 400)))
  const counted = countLines(lines)
  if (counted !== undefined) return counted
  const line = lines.findLast((candidate) => candidate.length <= 200 && isSummary(candidate))
  return line === undefined ? undefined : { text: shorten(line, 120), failed: countsFailures(line) }
}

function countLines(lines: readonly string[]): TestSummary | undefined {
  const counts = lines.map((line) => COUNT_LINE.exec(line)).filter((match) => match !== null)
  if (counts.length < 2) return undefined
  const failed = counts.some(([, name, count]) => (name === 'fail' || name === 'errors') && Number(count) > 0)
  return { text: counts.map(([, name, count]) => `${name} ${count}`).join(', '), failed }
}

function isSummary(line: string): boolean {
  return (COUNT.test(line) && VERDICT.test(line)) || /\b(?:failures|errors)=\d/.test(line)
}

/** A linter's problems are failures unless it says how many of them are errors. */
function countsFailures(line: string): boolean {
  const failures = [...line.matchAll(FAILURES)]
  const counts = failures.length > 0 ? failures : [...line.matchAll(PROBLEMS)]
  return counts.some(([, before, after]) => Number(before ?? after ?? 0) > 0)
}
