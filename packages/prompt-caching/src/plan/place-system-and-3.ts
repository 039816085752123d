import type { CacheLifetime } from '../profile/cache-profile.ts'
import { findHead } from './find-head.ts'
import type { Placement, Situation } from './situation.ts'

const MESSAGES = 3

/**
 * The system prompt and the last three other messages that can carry a breakpoint, each at its last block that can.
 * Each tool result is a message of its own; messages that cannot carry one are skipped and not counted. Knows nothing
 * of earlier requests, of minimums and of what a reader would have to be.
 */
export function placeSystemAnd3(
  { layout, profile }: Pick<Situation, 'layout' | 'profile'>,
  { ttl }: Pick<CacheLifetime, 'ttl'>,
): readonly Placement[] {
  const { blocks } = layout
  const { system, messages } = findHead(layout)
  const slots = Math.min(MESSAGES, profile.maxBreakpoints - (system === undefined ? 0 : 1))
  const placements: Placement[] = []
  let unit: number | undefined
  for (let index = blocks.length - 1; index >= messages && placements.length < slots; index--) {
    const block = blocks[index]
    if (block === undefined || !block.carries || block.unit === unit || block.role === 'system') continue
    unit = block.unit
    placements.unshift({ block: index, ttl, reason: 'last-messages' })
  }
  if (system !== undefined && profile.maxBreakpoints > 0)
    placements.unshift({ block: system, ttl, reason: 'system' })
  return placements
}
