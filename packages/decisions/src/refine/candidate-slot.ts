import type { DecisionSet } from '../log/decision.ts'
import { normalSlot } from '../log/normal-text.ts'
import { slotOfValue } from '../slots/slots.ts'
import { spellingKey, technologies } from '../slots/technologies.ts'
import type { ModelCandidate } from './model-candidate.ts'

const FREE = /^(?:rule|fact|setting|name|location):./
const SLUG_CHARACTERS = 60

/**
 * The slot of a model's candidate: its own when the value is known to fill it, when something stands there, or when it is free;
 * for a technology else the one that it usually fills. What is no choice is a fact about its subject.
 */
export function candidateSlot(
  { slot = '', category, l0 = '' }: ModelCandidate,
  choice: string,
  decisions: DecisionSet,
): string {
  const named = normalSlot(slot)
  if (FREE.test(named)) return named
  if (category !== 'decisions') return factSlot(slot === '' ? l0 : slot)
  const fitting = technologies().get(spellingKey(choice))?.slots ?? []
  if (fitting.includes(named) || decisions.ofSlot(named).length > 0) return named
  return slotOfValue(choice)?.slot ?? (named === '' ? factSlot(l0) : named)
}

/** `fact:` and the first words of a subject. */
export function factSlot(subject: string): string {
  const words =
    subject
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  return `fact:${words.join('-').slice(0, SLUG_CHARACTERS) || 'project'}`
}
