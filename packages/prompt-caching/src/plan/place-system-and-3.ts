import type { CacheAnchor } from '@palimpsest/core'
import type { CacheBlock } from '../layout/request-layout.ts'
import type { Lifetimes } from './choose-lifetimes.ts'
import { findHead } from './prompt-ends.ts'
import type { Placement, Situation } from './situation.ts'

const SYSTEM = 'system'
const LAST_MESSAGES = 'last-messages'

/**
 * The system prompt and the last messages behind it, four breakpoints at most: three messages, or four without a system
 * prompt. Each tool result is a message of its own. A message that gets no marker takes its place all the same. Knows
 * nothing of earlier requests, of minimums and of what a reader would have to be.
 */
export function placeSystemAnd3(
  { layout, pricing }: Pick<Situation, 'layout' | 'pricing'>,
  lifetimes: Lifetimes,
): readonly Placement[] {
  const { blocks } = layout
  const { messages } = findHead(layout)
  const head = blocks.slice(0, messages).filter(({ ref }) => ref?.at === 'system')
  const placements: Placement[] = []
  let left = pricing.maxBreakpoints - (head.length > 0 ? 1 : 0)
  let message: string | undefined
  let isMarked = false
  for (let index = blocks.length - 1; index >= messages; index--) {
    const block = blocks[index]
    if (block?.ref?.at !== 'message' || block.role === 'system') continue
    const own = messageOf(block, index)
    if (own !== message) {
      if (left <= 0) break
      left--
      message = own
      isMarked = false
    }
    if (isMarked || !takesMarker(block)) continue
    isMarked = true
    placements.unshift({ block: index, ttl: lifetimes.messages.ttl, reason: LAST_MESSAGES })
  }
  const system = head.findLast(takesMarker)
  if (system !== undefined)
    placements.unshift({ block: blocks.indexOf(system), ttl: lifetimes.head.ttl, reason: SYSTEM })
  return placements
}

/** Whether a breakpoint is one of these: some stand where they are of no use, and are written there nevertheless. */
export function isOfSystemAnd3({ reason }: Pick<CacheAnchor, 'reason'>): boolean {
  return reason === SYSTEM || reason === LAST_MESSAGES
}

/** Formats that put several results into one message hold several of these. */
function messageOf({ kind, unit }: CacheBlock, index: number): string {
  return kind === 'tool-result' ? `result ${index}` : `unit ${unit}`
}

function takesMarker({ systemAnd3, carries }: CacheBlock): boolean {
  return systemAnd3 ?? carries
}
