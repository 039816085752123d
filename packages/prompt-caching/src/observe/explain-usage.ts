import type { CacheObservation } from '@palimpsest/core'
import { explainMiss } from './explain-miss.ts'
import { type Difference, findDifference } from './first-difference.ts'
import type { Finding, UsageInput } from './usage-evidence.ts'

/**
 * Another tokenizer counts tools and prose differently, so that nine tenths of what was expected, in proportion to
 * the prompt that was reported, count as read; and some providers report in steps of 128 tokens.
 */
const ENOUGH = 0.9
const REPORT_STEP = 128

/**
 * Compares what a provider reported with what was planned, and finds the reason when less was read. An absent count
 * means unknown, never zero. The verdict comes from the plan, the clock and the layouts; it is as good as the profile.
 */
export function explainUsage(input: UsageInput): CacheObservation {
  const { usage, planned, previous } = input
  const difference = previous && findDifference(previous.layout, planned.layout)
  const read = knownCount(usage.cacheReadTokens)
  const finding = read === null ? NOT_SAID : judge(input, read, difference)
  return {
    verdict: finding.verdict,
    expectedRead: planned.expected.read,
    read,
    ...(difference !== null && difference.ref !== null && { firstDifference: difference.ref }),
    message: finding.message,
  }
}

const NOT_SAID: Finding = {
  verdict: 'unknown',
  message: 'The provider did not say how much of the prompt it read from its cache.',
}

function judge(input: UsageInput, read: number, difference: Difference | null): Finding {
  const { usage, planned } = input
  const counted = planned.layout.ends.at(-1) ?? 0
  const promptTokens = knownCount(usage.promptTokens) || counted
  const expected = counted === 0 ? 0 : planned.expected.read * (promptTokens / counted)
  const enough = expected * ENOUGH - REPORT_STEP
  if (read > 0 && read >= enough) return { verdict: 'hit', message: hitMessage(read, difference) }
  const written = knownCount(usage.cacheWriteTokens)
  return explainMiss({ ...input, read, written, expected, promptTokens, difference })
}

function hitMessage(read: number, difference: Difference | null): string {
  const tokens = `${read.toLocaleString('en-US')} tokens were read from the cache, as expected`
  return difference === null ? `${tokens}.` : `${tokens}, although ${difference.clause}.`
}

/** Counts that make no sense are as good as none. */
function knownCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
}
