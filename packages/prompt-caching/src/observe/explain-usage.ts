import type { CacheObservation } from '@palimpsest/core'
import type { CacheState } from '../cache/cache-state.ts'
import { isPrefixOf } from '../cache/find-hit.ts'
import { explainLoss } from './explain-loss.ts'
import { explainMiss } from './explain-miss.ts'
import { countTokens, findDifference } from './first-difference.ts'
import { type Evidence, type Finding, isEnough, readEvidence, type UsageInput } from './usage-evidence.ts'

/**
 * Compares what a provider reported with what was planned, and finds the reason when less was read than was expected,
 * or than was cached. An absent count means unknown, never zero. The verdict comes from the plan, the clock and the
 * layouts; it is as good as the pricing.
 */
export function explainUsage(input: UsageInput): CacheObservation {
  const { planned, previous } = input
  const evidence = readEvidence(input)
  const { verdict, message } = evidence === null ? NOT_SAID : judge(evidence)
  const difference = previous && findDifference(previous.layout, planned.layout)
  return {
    verdict,
    expectedRead: planned.expected.read,
    read: evidence === null ? null : evidence.read,
    ...(difference !== null && difference.ref !== null && { firstDifference: difference.ref }),
    message,
  }
}

const NOT_SAID: Finding = {
  verdict: 'unknown',
  message: 'The provider did not say how much of the prompt it read from its cache.',
}

function judge(evidence: Evidence): Finding {
  if (evidence.read === 0 || !isEnough(evidence)) return explainMiss(evidence)
  return explainLoss(evidence) ?? { verdict: 'hit', message: hitMessage(evidence) }
}

function hitMessage({ read, planned, difference }: Evidence): string {
  const expected = planned.expected.read
  const were = read === 1 ? 'was' : 'were'
  const asExpected =
    read >= expected
      ? `${countTokens(read)} ${were} read from the cache${expected === 0 ? '; none were expected to be' : ', as expected'}`
      : `${countTokens(read)} of about ${expected.toLocaleString('en-US')} that were expected ${were} read from the cache`
  return difference === null ? `${asExpected}.` : `${asExpected}, although ${difference.clause}.`
}

/**
 * The provider's cache after a request, by its own report. Where it took no breakpoint, nothing. Where it read
 * less than it was believed to hold, what was believed is wrong, and only what this request itself marked is held.
 */
export function stateAfterUsage(
  input: UsageInput,
  { verdict }: Pick<CacheObservation, 'verdict'>,
  after: CacheState,
): CacheState {
  if (verdict === 'stripped' || verdict === 'below-minimum') return { ...after, entries: [], prompts: [] }
  const evidence = readEvidence(input)
  if (evidence === null || isEnough(evidence)) return after
  const { layout, markers } = input.planned
  const marked = new Set(markers.map(({ block }) => block))
  const entries = after.entries.filter((entry) => marked.has(entry.block) && isPrefixOf(entry, layout))
  const prompts = after.prompts.filter(({ hashes }) => hashes === layout.hashes)
  return { ...after, entries, prompts }
}
