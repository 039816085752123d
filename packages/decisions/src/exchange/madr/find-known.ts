import type { Decision, DecisionSet } from '../../log/decision.ts'
import type { Source } from '../../log/source.ts'
import { sameValue } from '../../slots/slots.ts'
import type { DecisionRecord } from './read-record.ts'

/** The part of the imported records that a log has already. */
export interface KnownDecisions {
  /** True for a decision of the log. */
  has(id: string): boolean
  /** The decision that a record repeats and did not begin; undefined when it is news, or its own. */
  repeated(record: DecisionRecord, id: string, source: Source): Decision | undefined
  /** True when something else than these records has said that a decision is over, or which one took its place. */
  isOver(id: string, successor?: { readonly id: string; readonly area?: string }): boolean
}

/**
 * Holds records against a log, so that what was decided in a conversation and written down as a record is one decision.
 *
 * @param sessions The sessions of the records that are imported: what only they have said does not count.
 */
export function createKnown(decisions: DecisionSet, sessions: ReadonlySet<string>): KnownDecisions {
  const byPlace = new Map(
    decisions.all.flatMap((decision) =>
      decision.sources.map((source) => [placeOf(source), decision] as const),
    ),
  )
  const isSaidElsewhere = ({ sources }: Decision) => sources.some(({ session }) => !sessions.has(session))
  return {
    has: (id) => decisions.get(id) !== undefined,
    repeated(record, id, source) {
      if (decisions.get(id) !== undefined) return undefined
      const { choice, status, decision } = record
      const fits = (other: Decision | undefined): other is Decision =>
        other !== undefined &&
        isSaidElsewhere(other) &&
        other.slot === choice.slot &&
        other.area === choice.area &&
        sameValue(other.slot, other.choice, choice.choice)
      const named = decision === undefined ? undefined : decisions.get(decision)
      const before = byPlace.get(placeOf(source))
      for (const other of [named, before]) if (fits(other)) return other
      if (status.status !== 'accepted' && status.status !== 'superseded') return undefined
      return decisions.ofSlot(choice.slot).find((other) => other.status === 'active' && fits(other))
    },
    isOver(id, successor) {
      const { ended, supersededBy = [] } = decisions.get(id) ?? {}
      if (successor === undefined) return ended !== undefined && !sessions.has(ended.source.session)
      return supersededBy.some(
        (link) =>
          link.id === successor.id && link.area === successor.area && !sessions.has(link.source.session),
      )
    },
  }
}

function placeOf({ session, start, end, edition }: Source): string {
  return JSON.stringify([session, start, end, edition])
}
