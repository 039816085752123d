import { errorText } from '@palimpsest/core'
import type { SessionRef } from '../store/lcm-store.ts'
import type { CopyOutcome } from './copy-session.ts'

/**
 * Why a session is not the same at both ends of a copy:
 * - `diverged`: there is another session of that name, or one that went another way. It was left as it is.
 * - `ahead`: the destination has more of it. It was left as it is.
 * - `changed`: the source went on with it while it was copied; the destination has its beginning.
 * - `forgotten`: all is there, but content that was forgotten at one end is still at the other.
 * - `damaged`: one end cannot read it, or it is not what was stored there.
 * - `refused`: the destination takes no such session.
 * - `parent`: what it was forked from is not the same, so that it was not looked at.
 */
export type CopyDifferenceCode =
  | 'diverged'
  | 'ahead'
  | 'changed'
  | 'forgotten'
  | 'damaged'
  | 'refused'
  | 'parent'

export interface CopyDifference extends Required<SessionRef> {
  readonly code: CopyDifferenceCode
  /** For a person: what it is, and what to do. */
  readonly reason: string
  /** The store's error, if it was one. */
  readonly cause?: unknown
}

type Told = Pick<CopyDifference, 'code' | 'reason' | 'cause'>

export function describeOutcome(outcome: Exclude<CopyOutcome, { state: 'equal' }>): Told {
  const { state } = outcome
  if (state === 'damaged') {
    const { end, cause } = outcome
    return { code: state, reason: `it is damaged at the ${end}: verify that store`, cause }
  }
  if (state === 'refused') return { code: state, reason: errorText(outcome.cause), cause: outcome.cause }
  if (state === 'forgotten') return { code: state, reason: forgottenText(outcome) }
  return { code: state, reason: REASONS[state] }
}

const REASONS = {
  diverged: 'another session of that name is at the destination; copy into another store',
  ahead: 'the destination has more of it; copy the other way',
  changed: 'it changed while it was copied; run again',
} as const

function forgottenText(lists: {
  readonly source: readonly string[]
  readonly destination: readonly string[]
}) {
  const parts = (['source', 'destination'] as const).flatMap((end) => {
    const other = end === 'source' ? 'destination' : 'source'
    const refs = lists[end].join(' ')
    return refs === ''
      ? []
      : [`${refs} forgotten at the ${end}, but not at the ${other}; forget it there too`]
  })
  return parts.join('; ')
}

/** Whether the messages that a fork shares with such a session may be others at the destination. */
export function concernsForks({ code }: Told): boolean {
  return code !== 'ahead' && code !== 'forgotten'
}

/** Of a fork of such a session. */
export function describeFork(parent: string): Told {
  return { code: 'parent', reason: `${parent}, which it was forked from, is not the same at the destination` }
}
