import type { Decision } from '../log/decision.ts'
import { asWords } from '../log/normal-text.ts'
import { namesValue } from '../quotes/mentions.ts'
import { findSlotWords } from '../slots/slot-lookup.ts'
import { slotTitle } from '../slots/slots.ts'
import { wordsOf } from './near-text.ts'
import { isProse, isTelling } from './value-key.ts'

/** Letters from which on a word of a rule or a fact tells which one is meant. */
const TELLING_WORD = 5

/** Whether words name a decision: its value, its slot by any word for it, its area, or for a sentence a word of it. */
export function namesDecision(words: string, decision: Decision): boolean {
  const { slot, area, choice } = decision
  if (namesValue(words, { slot, choice })) return true
  if (findSlotWords(words).some((mention) => mention.slot === slot)) return true
  if (isProse(slot)) return sharedWords(words, choice).length > 0
  return [slotTitle(slot), area].some((name) => namesValue(words, { slot: '', choice: name }))
}

/** Whether words name a decision that no slot word and no technology tells: an identifier, its subject, two words of a sentence. */
export function namesSubject(words: string, { slot, choice }: Decision): boolean {
  if (isProse(slot)) return sharedWords(words, choice).length > 1
  return (
    (slot.includes(':') && namesValue(asWords(words), { slot: '', choice: slotTitle(slot) })) ||
    (isTelling(choice) && namesValue(words, { slot, choice }))
  )
}

function sharedWords(words: string, sentence: string): string[] {
  const said = wordsOf(words).words
  return [...wordsOf(sentence).words].filter((word) => word.length >= TELLING_WORD && said.has(word))
}
