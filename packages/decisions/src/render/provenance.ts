import type { Decision } from '../log/decision.ts'
import type { Source } from '../log/source.ts'

/** Characters of an identifier in a line. Two of a thousand decisions share them once in 500 sessions; the tools then ask. */
const SHORT_ID_CHARACTERS = 8

/** An identifier as lines show it; the tools take the beginning of one. */
export function shortId(id: string): string {
  return id.slice(0, SHORT_ID_CHARACTERS).replace(/[^\w-]/g, '_')
}

/** Where it was decided: what the user said, when a user decided it, else where it was said first. */
export function decidingSource({ authority, sources }: Decision): Source | undefined {
  const isByUser = authority === 'stated' || authority === 'accepted'
  return (isByUser ? sources.find(({ role }) => role === 'user') : undefined) ?? sources[0]
}

/** `turn 12`, or `another session`: turns of other sessions say nothing to a reader of this one. */
export function turnText(source: Source | undefined, session: string): string {
  return source?.session === session ? `turn ${source.turn}` : 'another session'
}

/** Where something was chosen and given up again: `turns 3 to 27`, `turn 3`, `until turn 27`. */
export function spanText(from: Source | undefined, to: Source | undefined, session: string): string {
  if (to?.session !== session) return 'another session'
  if (from?.session !== session) return `until turn ${to.turn}`
  return from.turn === to.turn ? `turn ${to.turn}` : `turns ${from.turn} to ${to.turn}`
}
