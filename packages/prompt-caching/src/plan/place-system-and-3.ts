import type { CacheBlock } from '../layout/request-layout.ts'
import type { Placement, Situation } from './place-sticky.ts'

/**
 * The system prompt and the last messages behind it, four breakpoints at most: three messages, or four without a system
 * prompt. Each tool result is a message of its own. A message that can carry no marker takes its place all the same.
 * Knows nothing of earlier requests, of minimums and of what a reader would have to be.
 */
export function placeSystemAnd3({ layout, pricing }: Pick<Situation, 'layout' | 'pricing'>): Placement[] {
  const { blocks } = layout
  const system = blocks.findLastIndex(({ ref, carries }) => ref.at === 'system' && carries)
  const hasSystem = blocks.some(({ ref }) => ref.at === 'system')
  const placements: Placement[] = []
  let left = pricing.maxBreakpoints - (hasSystem ? 1 : 0)
  let message: string | undefined
  let isMarked = false
  for (let index = blocks.length - 1; index >= 0; index--) {
    const block = blocks[index]
    if (block?.ref.at !== 'message') break
    if (block.role === 'system') continue
    const own = messageOf(block, index)
    if (own !== message) {
      if (left <= 0) break
      left--
      message = own
      isMarked = false
    }
    if (isMarked || !block.carries) continue
    isMarked = true
    placements.unshift({ block: index, reason: 'last-messages' })
  }
  return system === -1 ? placements : [{ block: system, reason: 'system' }, ...placements]
}

/** Formats that put several results into one message hold several of these. */
function messageOf({ kind, unit }: CacheBlock, index: number): string {
  return kind === 'tool-result' ? `result ${index}` : `unit ${unit}`
}
