import type { Decision, DecisionSet } from '../../log/decision.ts'
import { headline } from '../../render/decision-label.ts'
import { addTo } from '../../verify/check-log.ts'
import { type MadrFile, recordNumber, sealRecord } from './madr-file.ts'
import { cutText, oneLine, quoted, slugOf, toMarkdown } from './markdown-text.ts'

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

/** A decision with its place among the records. */
interface NumberedDecision {
  readonly decision: Decision
  readonly number: number
  readonly title: string
  readonly fileName: string
}

const MAX_OPTIONS = 12
const MAX_LINKS = 12
const MAX_QUOTES = 5
const QUOTE_CHARACTERS = 600
const VALUE_CHARACTERS = 1_000
const REASON_CHARACTERS = 1_000

/** The records that are written together, and what they need to know of each other. */
interface RecordShelf {
  readonly records: ReadonlyMap<string, NumberedDecision>
  /** Every decision of the log on the same slot and area. */
  rivalsOf(decision: Decision): readonly Decision[]
  /** Decisions that rest on one. */
  dependantsOf(id: string): readonly Decision[]
}

/** One record in the format MADR 4, sealed. */
function renderRecord(record: NumberedDecision, shelf: RecordShelf): string {
  const { decision, title } = record
  const { records } = shelf
  const { slot, area, choice, reason, lastAt } = decision
  const value = quoted(cutText(choice, VALUE_CHARACTERS))
  const because = cutText(oneLine(reason ?? ''), REASON_CHARACTERS).replace(/^because\s+|(?<!\.)\.+$/gi, '')
  const consequences = consequencesOf(decision, shelf)
  const lines = [
    '---',
    `status: ${statusOf(decision, records)}`,
    `date: ${new Date(lastAt).toISOString().slice(0, 10)}`,
    '---',
    '',
    `# ${toMarkdown(title)}`,
    '',
    '## Context and Problem Statement',
    '',
    `What holds for ${toMarkdown(slot)}${area === '' ? '' : ` in the part ${quoted(area)}`}?`,
    '',
    '## Considered Options',
    '',
    ...optionsOf(decision, shelf).map((option) => `* ${option}`),
    '',
    '## Decision Outcome',
    '',
    `Chosen option: ${value}${because === '' ? '' : `, because ${toMarkdown(because)}`}.`,
    '',
    ...(consequences.length === 0 ? [] : ['### Consequences', '', ...consequences, '']),
    '## More Information',
    '',
    ...factsOf(decision, records),
    ...quotesOf(decision),
    '',
  ]
  return sealRecord(lines.join('\n'))
}

function statusOf(decision: Decision, records: RecordShelf['records']): string {
  const { status, authority, supersededBy } = decision
  if (status === 'active') return 'accepted'
  if (status === 'proposed') return 'proposed'
  if (status === 'retracted') return authority === 'proposed' ? 'rejected' : 'deprecated'
  const successor = supersededBy.findLast(({ area }) => area === undefined)
  const record = successor && records.get(successor.id)
  return record === undefined ? 'superseded' : `superseded by ${nameOf(record)}`
}

function nameOf({ number }: NumberedDecision): string {
  return `ADR-${String(number).padStart(4, '0')}`
}

function linkTo(record: NumberedDecision): string {
  return `[${nameOf(record)}](${record.fileName})`
}

/** The choice, and what else was ever on the table for the same slot and area. */
function optionsOf(decision: Decision, { rivalsOf }: RecordShelf): string[] {
  const rivals = decision.cardinality === 'many' ? [] : rivalsOf(decision)
  const values = [decision, ...rivals].map(({ choice }) => toMarkdown(cutText(choice, VALUE_CHARACTERS)))
  return [...new Set(values)].slice(0, MAX_OPTIONS)
}

/** The decisions that rest on it, those that it replaced, and why it is over. */
function consequencesOf(decision: Decision, { records, dependantsOf }: RecordShelf): string[] {
  const linked = dependantsOf(decision.id).flatMap(({ id }) => records.get(id) ?? [])
  const { ended, status } = decision
  const over =
    ended?.reason === undefined ? '' : `, because ${toMarkdown(cutText(ended.reason, REASON_CHARACTERS))}`
  return [
    ...linked.slice(0, MAX_LINKS).map((record) => `* ${linkTo(record)} rests on it`),
    ...(linked.length > MAX_LINKS ? [`* ${linked.length - MAX_LINKS} more rest on it`] : []),
    ...(ended === undefined ? [] : [`* It no longer holds (${status})${over}`]),
  ]
}

/** The facts that `fromMadr` reads back, and those for readers. */
function factsOf(decision: Decision, records: RecordShelf['records']): string[] {
  const { id, slot, area, category, cardinality, authority, supersedes, supersededBy } = decision
  const link = (target: string) => {
    const record = records.get(target)
    return record === undefined ? `decision ${target}` : linkTo(record)
  }
  const inPart = (part: string | undefined) => (part === undefined ? '' : ` in ${quoted(part)}`)
  const others = (ids: readonly string[], words: string) =>
    ids.slice(0, MAX_LINKS).map((other) => `* ${words} ${link(other)}`)
  return [
    `* Slot: ${toMarkdown(slot)}`,
    ...(area === '' ? [] : [`* Area: ${toMarkdown(area)}`]),
    ...(category === 'decisions' ? [] : [`* Category: ${category}`]),
    ...(cardinality === 'one' ? [] : ['* Cardinality: many']),
    `* Decision: ${id}, ${authority}`,
    ...supersedes.map((other) => `* Supersedes${inPart(other.area)} ${link(other.id)}`),
    ...supersededBy.map((other) => `* Superseded${inPart(other.area)} by ${link(other.id)}`),
    ...others(decision.dependsOn, 'Rests on'),
    ...others(decision.contestedBy, 'Contested, not settled which one holds:'),
    ...(decision.suspectOf === undefined
      ? []
      : [`* Suspect, because it rests on something that is over: ${link(decision.suspectOf)}`]),
  ]
}

function quotesOf({ sources, remarks }: Decision): string[] {
  const shown = sources.slice(0, MAX_QUOTES)
  const open = new Set(remarks.slice(-MAX_QUOTES))
  const lines = [...shown, ...open].flatMap((source) => {
    const { session, turn, message, role, quote } = source
    return [
      '',
      `${open.has(source) ? 'Left open' : 'Said'} by the ${role} in session ${toMarkdown(session)}, turn ${turn}, message ${message}:`,
      '',
      `> ${toMarkdown(cutText(quote, QUOTE_CHARACTERS))}`,
    ]
  })
  const more = sources.length - shown.length
  return more === 0 ? lines : [...lines, '', `And ${more} more times.`]
}
