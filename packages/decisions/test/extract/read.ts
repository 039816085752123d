import type { Candidate } from '../../src/candidates/candidate.ts'
import { extractMessage } from '../../src/extract/extract-message.ts'

/** The candidates of a user's turn, behind what an assistant said before. */
export function candidatesOf(content: string, before?: string): Candidate[] {
  const previous = before === undefined ? {} : { previous: { index: 0, text: before } }
  return extractMessage({ index: 1, message: { role: 'user', content }, ...previous })
}

/** What is read of a turn, a line each: `datastore: PostgreSQL (analytics) was MySQL`. */
export function read(content: string, before?: string): string[] {
  return candidatesOf(content, before).flatMap(linesOf)
}

export function linesOf(candidate: Candidate): string[] {
  if (candidate.kind === 'remark') return []
  if (candidate.kind === 'amend') return [`last: ${candidate.value}`]
  if (candidate.kind === 'retract') return [`no ${candidate.slot}: ${candidate.value}`]
  const choices = candidate.kind === 'accept' ? candidate.choices : [candidate.choice]
  const mark = candidate.kind === 'accept' ? 'accepted ' : candidate.kind === 'propose' ? 'proposed ' : ''
  const was =
    candidate.kind !== 'accept' && candidate.replaces !== undefined ? ` was ${candidate.replaces}` : ''
  return choices.map(
    ({ slot, choice, area }) => `${mark}${slot}: ${choice}${area === '' ? '' : ` (${area})`}${was}`,
  )
}
