import { type Item, quote, turnMark } from './item.ts'
import type { Walk } from './walk-messages.ts'

/** What the assistant chose by its own words. What users chose is in turn-items.ts. */
export function decisionItems({ replies }: Walk): Item[] {
  return replies.flatMap(({ turn, assistant }) =>
    assistant.decisions.map(({ text, weight }): Item => {
      return {
        slot: 'Key Decisions',
        text: `${turnMark(turn)}assistant: ${quote(text)}`,
        turn,
        weight: 0.5 * weight,
      }
    }),
  )
}
