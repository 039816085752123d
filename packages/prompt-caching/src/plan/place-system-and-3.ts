import type { CacheBlock } from '../layout/request-layout.ts'
import type { Placement, Situation } from './place-sticky.ts'

/**
 * Marks the system prompt and the last three messages, or the last four without a system prompt. Each tool result
 * counts as a message. A message that cannot carry a marker still takes its place. Ignores earlier requests and
 * minimums.
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

function messageOf({ kind, unit }: CacheBlock, index: number): string {
  return kind === 'tool-result' ? `result ${index}` : `unit ${unit}`
}
