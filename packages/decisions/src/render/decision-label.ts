import { isRemark } from '../log/decision.ts'
import type { Choice } from '../log/decision-event.ts'
import { slotTitle } from '../slots/slots.ts'
import { lineText } from './line-text.ts'

const LABEL_TOKENS = 16
const CHOICE_TOKENS = 24
/** Twice of what a line should have, so that a sentence of the user's is rarely cut. */
const HEADLINE_TOKENS = 40

/** The subject of a choice: `datastore`, `max retries (api)`. */
export function decisionLabel({ slot, area }: Pick<Choice, 'slot' | 'area'>): string {
  const name = lineText(slotTitle(slot), LABEL_TOKENS)
  return area === '' ? name : `${name} (${lineText(area, LABEL_TOKENS)})`
}

/** The value in a line. */
export function choiceText({ choice }: Pick<Choice, 'choice'>): string {
  return lineText(choice, CHOICE_TOKENS)
}

/** The decision in one line: the text of the extractor when that names the value, else slot and value; a remark is quoted. */
export function headline(choice: Choice): string {
  if (isRemark(choice))
    return `user on ${decisionLabel(choice)}: "${lineText(choice.choice, HEADLINE_TOKENS)}"`
  const written = lineText(choice.l0, HEADLINE_TOKENS)
  const isSentence = /^(?:rule|fact):/.test(choice.slot)
  const value = isSentence ? lineText(choice.choice, HEADLINE_TOKENS) : choiceText(choice)
  const isWhole = written !== '' && !written.endsWith('…')
  if (isWhole && written.toLowerCase().includes(value.toLowerCase())) return written
  return `${decisionLabel(choice)}: ${value}`
}
