import type { Decision, DecisionSet, SupersededLink } from '../log/decision.ts'
import { choiceText } from './decision-label.ts'
import { lineText } from './line-text.ts'
import { decidingSource, spanText, turnText } from './provenance.ts'

const REASON_TOKENS = 24
/** Earlier values that are counted one by one; a longer chain is "99+". */
const MAX_EARLIER = 99
/** Parts of a decision that are named as exceptions. */
const MAX_EXCEPTIONS = 4

export interface HistoryContext {
  readonly decisions: Pick<DecisionSet, 'get'>
  /** The session that reads. */
  readonly session: string
}

/** `because …`, or nothing. */
export function reasonNote(reason: string | undefined): string {
  const text = lineText(reason ?? '', REASON_TOKENS).replace(/^(?:because|since|weil|da)\s+/i, '')
  return text === '' ? '' : `, because ${text}`
}

/**
 * The values before: `was PostgreSQL, turns 3 to 27, because …; 2 earlier values`. A closed chain is its last link
 * and a count. `given up`: decisions on the same subject that ended with nothing in their place.
 */
export function earlierNote(
  decision: Decision,
  retracted: readonly Decision[],
  { decisions, session }: HistoryContext,
): string {
  if (decision.supersedes.length + retracted.length === 0) return ''
  const replaced = decision.supersedes.flatMap((link) => closed(decisions.get(link.id), link))
  const before = [...replaced, ...retracted.flatMap((other) => closed(other, other.ended))]
  const last = before.reduce<Closed | undefined>(
    (latest, each) => (latest === undefined || endTurn(each) >= endTurn(latest) ? each : latest),
    undefined,
  )
  if (last === undefined) return ''
  const span = spanText(decidingSource(last.decision), last.source, session)
  const earlier = countEarlier(before, decision, decisions) - 1
  const count = earlier > MAX_EARLIER ? `${MAX_EARLIER}+` : String(earlier)
  const more = earlier === 0 ? '' : `; ${count} earlier ${earlier === 1 ? 'value' : 'values'}`
  return `was ${choiceText(last.decision)}, ${span}${reasonNote(last.reason)}${more}`
}

/** The parts in which something else holds: `except analytics: ClickHouse, turn 12`. */
export function exceptionNotes(decision: Decision, context: HistoryContext): string[] {
  if (decision.supersededBy.length === 0) return []
  const parts = decision.supersededBy.filter(({ area }) => area !== undefined && area !== '')
  const latest = new Map(parts.map((link) => [link.area ?? '', link]))
  const notes = [...latest].slice(0, MAX_EXCEPTIONS).map(([area, link]) => {
    const name = lineText(area, REASON_TOKENS)
    const holder = holderOf(link.id, context.decisions)
    if (holder === undefined) return `not for ${name}, ${turnText(link.source, context.session)}`
    const source = holder.id === link.id ? link.source : decidingSource(holder)
    return `except ${name}: ${choiceText(holder)}, ${turnText(source, context.session)}`
  })
  return latest.size > MAX_EXCEPTIONS ? [...notes, `${latest.size - MAX_EXCEPTIONS} more exceptions`] : notes
}

/** The ended decision that this one rests on: `suspect: rests on PostgreSQL, given up in turn 27`. */
export function suspicionNote({ suspectOf }: Decision, { decisions, session }: HistoryContext): string {
  if (suspectOf === undefined) return ''
  const base = decisions.get(suspectOf)
  if (base === undefined) return 'suspect: what it rests on was given up'
  return `suspect: rests on ${choiceText(base)}, given up in ${turnText(base.ended?.source, session)}`
}

/** A decision that held once and is over. A mere proposal never held. */
interface Closed {
  readonly decision: Decision
  readonly source: SupersededLink['source']
  readonly reason: string | undefined
}

function closed(
  decision: Decision | undefined,
  end: Pick<SupersededLink, 'source' | 'reason'> | undefined,
): Closed[] {
  return decision === undefined || end === undefined || decision.authority === 'proposed'
    ? []
    : [{ decision, source: end.source, reason: end.reason }]
}

function endTurn({ source }: Closed): number {
  return source.turn
}

/** Number of decisions behind one in its chain, counted up to one more than are shown. */
function countEarlier(
  before: readonly Closed[],
  head: Decision,
  decisions: HistoryContext['decisions'],
): number {
  const seen = new Set([head.id])
  const waiting = before.map(({ decision }) => decision)
  while (waiting.length > 0 && seen.size <= MAX_EARLIER + 3) {
    const decision = waiting.pop()
    if (decision === undefined || seen.has(decision.id)) continue
    seen.add(decision.id)
    for (const { id, area } of decision.supersedes) {
      const other = area === undefined && !seen.has(id) ? decisions.get(id) : undefined
      if (other !== undefined && other.authority !== 'proposed') waiting.push(other)
    }
  }
  return seen.size - 1
}

/** The decision that holds at the end of a chain; undefined when it was given up. */
function holderOf(id: string, decisions: HistoryContext['decisions']): Decision | undefined {
  let decision = decisions.get(id)
  for (let steps = 0; decision?.status === 'superseded' && steps < MAX_EARLIER; steps++) {
    const next = decision.supersededBy.findLast(({ area }) => area === undefined)
    decision = next && decisions.get(next.id)
  }
  return decision?.status === 'active' ? decision : undefined
}
