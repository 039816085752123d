import type { DecisionEvent, Scope } from '../../log/decision-event.ts'
import { canonicalJson, EXPORT_FORMAT, exportHash } from './read-export.ts'

export interface ExportMeta {
  /** The scope whose events they are. */
  readonly scope: Scope
}

/**
 * The log of a scope as JSON, whole: what was taken back and what is over too. One event to a line, and a hash of them
 * all at the end. The same log gives the same text, also where it was imported; `importDecisions` reads it.
 */
export function exportDecisions(events: readonly DecisionEvent[], { scope }: ExportMeta): string {
  const lines = events.filter((event) => event.scope === scope).map((event) => canonicalJson(asFound(event)))
  const head = JSON.stringify({ ...EXPORT_FORMAT, scope }).slice(0, -1)
  const body = lines.length === 0 ? '' : `\n${lines.join(',\n')}\n`
  return `${head},"events":[${body}],"sha256":"${exportHash(scope, lines)}"}\n`
}

/** Without the mark of an import: whether its text can be proved is a matter of the store that an event is in. */
function asFound(event: DecisionEvent): DecisionEvent {
  if (event.type === 'withdrawn') return event
  const { imported: _, ...found } = event
  return found
}
