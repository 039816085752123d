import type { Decision } from '../../log/decision.ts'
import type { DecisionSet } from '../../log/decision-set.ts'
import { headline } from '../../render/decision-label.ts'
import { addTo } from '../../verify/add-to.ts'
import type { MadrFile } from './madr-file.ts'
import { cutText, oneLine, slugOf } from './markdown-text.ts'
import { recordNumber } from './record-number.ts'
import { type NumberedDecision, type RecordShelf, renderRecord } from './render-record.ts'

const TITLE_CHARACTERS = 100

export interface ToMadrOptions {
  /** Settings, names, rules, facts and what was only proposed too. Default: false, only what was chosen and decided. */
  readonly all?: boolean
  /** Files that are there already: a decision keeps its own, and new ones get numbers behind all of them. */
  readonly existing?: readonly ExistingMadr[]
}

/** A file that is there, and the decision that it is of when `toMadr` wrote it (`readSeal`). */
export interface ExistingMadr {
  readonly fileName: string
  readonly decision?: string
}

/** A record, and the decision that it is of. */
export interface WrittenMadr extends MadrFile {
  readonly decision: string
}

/**
 * Decisions as architectural decision records in the format MADR 4 (https://adr.github.io/madr/): a file each, linked
 * to those that they replace. What was neither stated nor accepted is left out, like settings.
 */
export function toMadr(decisions: DecisionSet, options: ToMadrOptions = {}): WrittenMadr[] {
  const { all = false, existing = [] } = options
  const known = decisions.all
  const chosen = known.filter((decision) => all || isRecordWorthy(decision))
  const names = new Map(existing.map(({ decision, fileName }) => [decision, fileName]))
  let last = Math.max(0, ...existing.map(({ fileName }) => recordNumber(fileName) ?? 0))
  const records = new Map<string, NumberedDecision>()
  for (const decision of chosen) {
    const title = titleOf(decision)
    const taken = names.get(decision.id)
    const number = (taken === undefined ? undefined : recordNumber(taken)) ?? ++last
    const slug = slugOf(title) || slugOf(decision.slot) || decision.id
    const fileName = taken ?? `${String(number).padStart(4, '0')}-${slug}.md`
    records.set(decision.id, { decision, number, title, fileName })
  }
  const shelf = { records, ...relate(known) }
  return [...records.values()]
    .sort((left, right) => left.number - right.number)
    .map((record) => ({
      fileName: record.fileName,
      text: renderRecord(record, shelf),
      decision: record.decision.id,
    }))
}

/** Decisions on the same thing, and those that rest on others, looked up once for all records. */
function relate(all: readonly Decision[]): Pick<RecordShelf, 'rivalsOf' | 'dependantsOf'> {
  const subject = ({ scope, slot, area }: Decision) => JSON.stringify([scope, slot, area])
  const rivals = new Map<string, Decision[]>()
  const dependants = new Map<string, Decision[]>()
  for (const decision of all) {
    addTo(rivals, subject(decision), decision)
    for (const id of decision.dependsOn) addTo(dependants, id, decision)
  }
  return {
    rivalsOf: (decision) => rivals.get(subject(decision)) ?? [],
    dependantsOf: (id) => dependants.get(id) ?? [],
  }
}

function isRecordWorthy({ category, status, authority }: Decision): boolean {
  return (
    category === 'decisions' && status !== 'proposed' && (authority === 'stated' || authority === 'accepted')
  )
}

function titleOf(decision: Decision): string {
  return cutText(
    oneLine(headline(decision)) || `${decision.slot}: ${oneLine(decision.choice)}`,
    TITLE_CHARACTERS,
  )
}
