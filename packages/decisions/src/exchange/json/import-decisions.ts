import { redactSecrets } from '@palimpsest/core'
import {
  type Choice,
  type DecisionEvent,
  type SaidEvent,
  type Scope,
  standingEvents,
} from '../../log/decision-event.ts'
import { hashText } from '../../log/hash-text.ts'
import { decisionId, eventId } from '../../log/ids.ts'
import { eventFault } from '../../verify/check-events.ts'
import { ExchangeError } from '../exchange-error.ts'
import { readExport } from './read-export.ts'

export interface ImportTarget {
  /** The scope that the decisions are to hold in. Default: the one that they were exported from. */
  readonly scope?: Scope
  /**
   * The name in front of the export's sessions here, such as `file:backup.json`: they become
   * `<session>/<their id>`, and are not mistaken for sessions of the same id. Default: they keep their ids, as in a
   * backup that goes back to where it came from.
   */
  readonly session?: string
}

export interface ImportedDecisions {
  /** The scope that the events are of by now. */
  readonly scope: Scope
  /** In the order of the log. An event that a store has already has the same id, and is passed over by it. */
  readonly events: readonly DecisionEvent[]
  /** Oddities that do no harm, for people. */
  readonly warnings: readonly string[]
}

/**
 * Reads what `exportDecisions` wrote. Into the same scope, and with sessions that keep their ids, the events are those
 * that were exported, marked as imported, so that an export of them is the same text. Into another scope or with other
 * sessions every decision gets another id, because ids tell both; what had been taken back is left behind then. Secrets
 * are hidden, and what said one gets another id, too.
 *
 * @throws ExchangeError, and nothing is to be imported, when the text is no export, is of a newer version, is too long
 * or was changed: its hash, an event's id or a quote's hash does not fit.
 */
export function importDecisions(text: string, target: ImportTarget = {}): ImportedDecisions {
  const { scope: from, events: written } = readExport(text)
  for (const [index, event] of written.entries()) check(event, from, index)
  const events = rewriteEvents(written, redactEvent)
  const scope = target.scope ?? from
  const isMoved = scope !== from || target.session !== undefined
  return {
    scope,
    events: (isMoved ? moveEvents(events, { scope, session: target.session }) : events).map(asImported),
    warnings: strangers(events),
  }
}

/** The text that it quotes need not be here, so it does not count as proved. The finder stays. */
function asImported(event: DecisionEvent): DecisionEvent {
  return event.type === 'withdrawn' ? event : { ...event, imported: true }
}

/** An event must say the truth about itself; the text that it quotes is elsewhere. */
function check(event: DecisionEvent, scope: Scope, index: number): void {
  const fault = event.scope === scope ? eventFault(event)?.message : 'it is of another scope than the export'
  if (fault === undefined) return
  throw new ExchangeError(
    'EXPORT_DAMAGED',
    `the export was changed or damaged since it was written (event ${index + 1}: ${fault}); take another copy of it`,
  )
}

/** Decisions that events are about and that no event begins. */
function strangers(events: readonly DecisionEvent[]): string[] {
  const begun = new Set<string>()
  const missing = new Set<string>()
  for (const event of events) {
    if (event.type === 'withdrawn') continue
    if ('choice' in event) begun.add(event.decision)
    else if (!begun.has(event.decision)) missing.add(event.decision)
  }
  const [first] = missing
  if (first === undefined) return []
  return [
    missing.size === 1
      ? `1 decision is spoken of and not in the export: ${first}`
      : `${missing.size} decisions are spoken of and not in the export, such as ${first}`,
  ]
}

/**
 * The events of a log as they are in another scope, or with other names of their sessions. What had been taken back is left
 * behind.
 */
function moveEvents(
  events: readonly DecisionEvent[],
  { scope, session }: { readonly scope: Scope; readonly session: string | undefined },
): readonly DecisionEvent[] {
  return rewriteEvents(standingEvents(events), (event): SaidEvent => {
    const { source } = event
    const named = session === undefined ? source : { ...source, session: `${session}/${source.session}` }
    return { ...event, scope, source: named }
  })
}

/** An event with secrets hidden in whatever it says; the same event when it has none. */
function redactEvent(event: SaidEvent): SaidEvent {
  const { source } = event
  const quote = redactSecrets(source.quote)
  const isSame = quote === source.quote
  return {
    ...event,
    ...('choice' in event && { choice: redactChoice(event.choice) }),
    ...('text' in event && { text: redactSecrets(event.text) }),
    ...('l1' in event && event.l1 !== undefined && { l1: redactSecrets(event.l1) }),
    ...('reason' in event && event.reason !== undefined && { reason: redactSecrets(event.reason) }),
    ...('area' in event && event.area !== undefined && { area: redactSecrets(event.area) }),
    source: isSame ? source : { ...source, quote, end: source.start + quote.length, hash: hashText(quote) },
  }
}

function redactChoice(choice: Choice): Choice {
  const { slot, area, l0, l1, reason, entities } = choice
  return {
    ...choice,
    slot: redactSecrets(slot),
    area: redactSecrets(area),
    choice: redactSecrets(choice.choice),
    l0: redactSecrets(l0),
    ...(l1 !== undefined && { l1: redactSecrets(l1) }),
    ...(reason !== undefined && { reason: redactSecrets(reason) }),
    entities: entities.map(redactSecrets),
  }
}

/**
 * Events of a log with something changed in them: with the ids that they have then, and with links that follow. A link to a
 * decision that the log does not begin stays as it is, and so does every event in which nothing changed.
 */
function rewriteEvents(
  events: readonly DecisionEvent[],
  change: (event: SaidEvent) => SaidEvent,
): readonly DecisionEvent[] {
  const ids = new Map<string, string>()
  const changed = events.map((event): DecisionEvent => {
    if (event.type === 'withdrawn') return event
    const other = change(event)
    if ('choice' in event && 'choice' in other && !ids.has(event.decision)) {
      const id = decisionId(other.scope, other.choice, other.source)
      const isMoved = id !== decisionId(event.scope, event.choice, event.source)
      ids.set(event.decision, isMoved ? id : event.decision)
    }
    return other
  })
  const newId = (id: string): string => ids.get(id) ?? id
  return changed.map((event) => {
    if (event.type === 'withdrawn') return event
    const linked: SaidEvent = {
      ...event,
      decision: newId(event.decision),
      ...('supersededBy' in event && { supersededBy: newId(event.supersededBy) }),
      ...('choice' in event && {
        choice: { ...event.choice, dependsOn: event.choice.dependsOn.map(newId) },
      }),
    }
    return { ...linked, id: eventId(linked) }
  })
}
