import { countMessages, type Message, type TokenCounter, type Warning } from '@palimpsest/core'
import type { CompressorProfile } from './options.ts'
import type { CompactionPlan } from './plan-compaction.ts'

/** Describes a compaction in a few words for a table. */
export function describePlan({ boundaries, tail }: CompactionPlan): string {
  const { head, middle, request } = boundaries
  const parts = [`summarised ${middle.length}`, `kept ${head.length} first`, `${tail.messages.length} last`]
  if (request !== undefined) parts.push('the request')
  const shortened = tail.messages.filter((message, index) => message !== boundaries.tail[index]).length
  if (shortened > 0) parts.push(`shortened ${shortened}`)
  return parts.join(', ')
}

/** Says that fewer of the last messages stay than must, because there is no room for more. */
export function fewerProtected({ boundaries }: CompactionPlan, profile: CompressorProfile): Warning[] {
  const { tail, missingLast } = boundaries
  if (!profile.lastNIsMinimum || missingLast <= 0) return []
  const message = `the last ${tail.length} messages stay instead of ${tail.length + missingLast}: there is no room for more beside the summary`
  return [{ code: 'fewer-protected', message }]
}

/** The parts that must stay, and what they take. */
export function staying({ boundaries, tail }: CompactionPlan, tokens: TokenCounter): string {
  const count = (messages: readonly (Message | undefined)[]) =>
    countMessages(
      tokens,
      messages.filter((message) => message !== undefined),
    )
  return [
    `system prompt ${count([boundaries.system])}`,
    `last user message ${count([boundaries.request ?? boundaries.tail.findLast((message) => message.role === 'user')])}`,
    `end of the conversation ${count(tail.messages)}`,
  ].join(', ')
}
