import type { CandidateChoice } from '../candidates/candidate.ts'
import { normalArea, normalSlot } from '../log/normal-text.ts'

/** The most that the log takes of one candidate: in characters, or in entries where the name is a plural. */
export const CANDIDATE_BOUNDS = Object.freeze({
  slot: 120,
  area: 80,
  choice: 300,
  l0: 120,
  l1: 1_000,
  reason: 200,
  quote: 600,
  entity: 120,
  entities: 12,
  dependencies: 8,
  /** Choices of one acceptance. */
  choices: 12,
})

/** At most `max` UTF-16 units from the beginning of a text; no character is split, halves of one are replaced. */
export function cutText(text: string, max: number): string {
  return text.slice(0, safeEnd(text, max)).toWellFormed()
}

/** The largest place not above `end` where a text can be cut without splitting a character. */
export function safeEnd(text: string, end: number): number {
  const code = text.charCodeAt(end)
  return end > 0 && code >= 0xdc00 && code <= 0xdfff ? end - 1 : Math.max(0, end)
}

/** A choice with nothing too long in it and its key written as keys are; undefined when it chooses nothing. */
export function boundChoice(given: CandidateChoice): CandidateChoice | undefined {
  const max = CANDIDATE_BOUNDS
  const slot = cutText(normalSlot(cutText(given.slot, max.slot)), max.slot)
  const choice = cutText(given.choice, max.choice).trim()
  if (slot === '' || choice === '') return undefined
  const l0 = oneLine(given.l0, max.l0)
  const reason = given.reason === undefined ? '' : oneLine(given.reason, max.reason)
  const l1 = given.l1 === undefined ? '' : cutText(given.l1, max.l1).trim()
  return {
    slot,
    area: cutText(normalArea(cutText(given.area, max.area)), max.area),
    choice,
    category: given.category,
    cardinality: given.cardinality,
    l0: l0 === '' ? oneLine(`${slot}: ${choice}`, max.l0) : l0,
    ...(l1 !== '' && { l1 }),
    ...(reason !== '' && { reason }),
    entities: [...new Set(given.entities.map((entity) => oneLine(entity, max.entity)))]
      .filter((entity) => entity !== '')
      .slice(0, max.entities),
  }
}

function oneLine(text: string, max: number): string {
  return cutText(
    text
      .slice(0, 4 * max)
      .replace(/\s+/g, ' ')
      .trim(),
    max,
  )
}
