import { type CompressResult, PalimpsestError } from '@palimpsest/core'
import { count } from '../count.ts'
import { firstLine } from '../first-line.ts'
import { UsageError } from '../usage-error.ts'

/** A compaction in one line: `compacted 110,365 → 24,654 tokens`, or why there was none. */
export function describeCompaction({
  outcome,
  reason,
  tokensBefore,
  tokensAfter,
  summary,
}: CompressResult): string {
  if (outcome !== 'compacted')
    return `${OUTCOMES[outcome]} (${reason.replaceAll('-', ' ')}), ${count(tokensBefore)} tokens`
  const more = summary === undefined ? '' : `: ${summary}`
  return `compacted ${count(tokensBefore)} → ${count(tokensAfter)} tokens${more}`
}

const OUTCOMES = {
  unchanged: 'not compacted',
  aborted: 'not compacted, everything was kept',
  deferred: 'not compacted now',
} as const

/** US dollars: whole cents once there is one, else four digits behind the point. */
export function dollars(usd: number): string {
  return `$${usd.toFixed(usd === 0 || usd >= 1 ? 2 : 4)}`
}

/** Labels and values, one row a line, the values below each other. */
export function rows(pairs: readonly (readonly [label: string, value: string])[]): string {
  const width = Math.max(0, ...pairs.map(([label]) => label.length))
  return pairs.map(([label, value]) => `${label.padEnd(width)}  ${value}`).join('\n')
}

export const ENDS = {
  stopped: 'stopped',
  'cut-off': 'the answer was cut off at the limit of the model; "go on" may bring the rest',
  filtered: 'the provider stopped the answer for reasons of content',
  'too-many-rounds': 'stopped after too many rounds of tools; "go on" lets it go on',
} as const

export function failureLine(error: unknown): string {
  const isExpected = error instanceof UsageError || PalimpsestError.isInstance(error)
  const line = firstLine(error).trim()
  const sentence = /[.!?]$/.test(line) ? line : `${line}.`
  return isExpected ? sentence : `${sentence} (This is a bug: please report it.)`
}
