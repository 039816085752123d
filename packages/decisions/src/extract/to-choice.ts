import type { CandidateChoice } from '../candidates/candidate.ts'
import { extractIdentifiers } from '../identifiers/extract-identifiers.ts'
import { findTechnologies } from '../slots/find-technologies.ts'
import { cardinalityOf, categoryOf, slotTitle } from '../slots/slots.ts'
import type { Finding } from './finding.ts'

const MAX_ENTITIES = 12
const MAX_ENTITY_CHARS = 80
/** About 20 tokens: a rule with its part of the project and a name from code. */
const MAX_LINE_CHARS = 110

/** A finding as a choice: with its line, its category and what it names. `quote` is the clause that says it. */
export function toChoice(
  finding: Pick<Finding, 'slot' | 'value' | 'area' | 'reason'>,
  quote: string,
): CandidateChoice {
  const { slot, value, area, reason } = finding
  return {
    slot,
    area,
    choice: value,
    category: categoryOf(slot),
    cardinality: cardinalityOf(slot),
    l0: lineOf(slot, value, area),
    entities: entitiesOf(quote),
    ...(reason !== undefined && { reason }),
  }
}

/** "datastore: PostgreSQL", "max retries in the worker: 5", "rule: never commit to main directly". */
function lineOf(slot: string, value: string, area: string): string {
  const line = `${slotTitle(slot)}${area === '' ? '' : ` (${area})`}: ${value}`.replace(/\s+/g, ' ')
  if (line.length <= MAX_LINE_CHARS) return line
  const space = line.lastIndexOf(' ', MAX_LINE_CHARS - 1)
  const end = space > MAX_LINE_CHARS / 2 ? space : MAX_LINE_CHARS - 1
  return `${line.slice(0, end).replace(/[\ud800-\udbff]$/, '')}…`
}

function entitiesOf(quote: string): string[] {
  const names = new Set<string>()
  for (const { value, technology, sure } of findTechnologies(quote))
    if (sure) names.add(value === '' ? technology.name : value)
  for (const { text, kind } of extractIdentifiers(quote))
    if (kind !== 'number' && kind !== 'quoted' && text.length <= MAX_ENTITY_CHARS && !names.has(text))
      names.add(text)
  return [...names].slice(0, MAX_ENTITIES)
}
