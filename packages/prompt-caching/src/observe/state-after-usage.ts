import type { CacheObservation } from '@palimpsest/core'
import type { CacheState } from '../cache/cache-state.ts'
import { isPrefixOf } from '../cache/find-hit.ts'
import { isEnough, readEvidence, type UsageInput } from './usage-evidence.ts'

/**
 * What the provider holds after a request, by what it said of it. Where it took no breakpoint, nothing. Where it read
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
