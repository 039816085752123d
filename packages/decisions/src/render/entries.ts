import { type Decision, decidingSource } from '../log/decision.ts'
import { isOpen } from '../log/decision-event.ts'
import type { DecisionLedger } from '../log/ledger.ts'
import { normalSubject, normalValue } from '../log/source.ts'
import { lineText } from './line-text.ts'

export const SECTIONS = [
  'standing rules of the user, word for word',
  'decisions',
  'structure',
  'behavior',
  'relationships',
  'intended, not decided',
  'open questions',
  'proposed by the assistant, not decided',
] as const
export type Section = (typeof SECTIONS)[number]
export const RULES = SECTIONS[0]

const MARKS: Readonly<Partial<Record<Section, string>>> = {
  [RULES]: 'standing rule, word for word: ',
  'intended, not decided': 'intended, not decided: ',
  'open questions': 'open question: ',
  'proposed by the assistant, not decided': 'proposed by the assistant, not decided: ',
}

export function lineAlone({ section, line }: Entry): string {
  return line.replace('- ', `- ${MARKS[section] ?? ''}`)
}

export interface Entry {
  readonly decisions: readonly [Decision, ...Decision[]]
  readonly section: Section
  readonly isHolding: boolean
  readonly line: string
  readonly detail: string
}

const TOKENS = { subject: 20, value: 60, line: 60, rule: 200, reason: 40, detail: 140, quote: 60 }
const MAX_PAST = 3

/** A ledger creates a new object for a changed decision. */
const written = new WeakMap<Decision, { readonly session: string; readonly entry: Entry }>()

export function entriesOf(ledger: DecisionLedger, session: string): readonly Entry[] {
  return ledger.all.flatMap((decision) => {
    if (decision.status === 'superseded') return []
    const others = decision.contestedBy.flatMap((id) => ledger.get(id) ?? [])
    // Conflicting values are one entry, at the position of the first.
    if (others.some((other) => ledger.all.indexOf(other) < ledger.all.indexOf(decision))) return []
    const known = written.get(decision)
    if (known?.session === session) return [known.entry]
    const entry =
      others.length > 0 ? contested([decision, ...others], session) : single(decision, ledger, session)
    written.set(decision, { session, entry })
    return [entry]
  })
}

function single(decision: Decision, ledger: DecisionLedger, session: string): Entry {
  const { kind, value, l0, ended } = decision
  const place = `[${turnOf(decision, session)}, ${decision.id}]`
  const isOver = decision.status === 'retracted'
  const said = kind === 'rule' ? `"${lineText(value, TOKENS.rule)}"` : headline(decision)
  const past = history(decision, ledger, session)
  const over = isOver && ended ? ` (given up, turn ${ended.source.turn}${because(ended.reason)})` : ''
  return {
    decisions: [decision],
    section: sectionOf(decision),
    isHolding: decision.status === 'active',
    line: `- ${said}${exceptions(decision)}${past}${over}${speaker(decision)} ${place}`,
    detail: kind === 'rule' || isOver ? '' : detailOf(decision, l0),
  }
}

function contested(decisions: readonly [Decision, ...Decision[]], session: string): Entry {
  const [first] = decisions
  const values = decisions.map(
    (decision) => `${lineText(decision.value, TOKENS.value)} [${turnOf(decision, session)}, ${decision.id}]`,
  )
  return {
    decisions,
    section: sectionOf(first),
    isHolding: false,
    line: `- ${lineText(first.subject, TOKENS.subject)}: the user said both ${values.join(' and ')}; ask which one holds`,
    detail: decisions.map((decision) => quoteOf(decision)).join('\n'),
  }
}

/** A decision as one line; a bare value gets its subject. */
export function headline({ subject, value, l0 }: Pick<Decision, 'subject' | 'value' | 'l0'>): string {
  const line = lineText(l0, TOKENS.line)
  const isBare = normalValue(l0) === normalValue(value) && !normalSubject(l0).includes(normalSubject(subject))
  return isBare ? `${lineText(subject, TOKENS.subject)}: ${line}` : line
}

function sectionOf({ kind, category, status, authority }: Decision): Section {
  if (kind === 'question') return 'open questions'
  if (kind === 'intention') return 'intended, not decided'
  if (status === 'proposed' && kind !== 'fact' && authority === 'proposed')
    return 'proposed by the assistant, not decided'
  if (kind === 'rule' && status === 'active') return RULES
  return category
}

function speaker({ kind, status, sources, saidBy }: Decision): string {
  if (saidBy !== undefined) return ` (said by ${lineText(saidBy, TOKENS.subject)}, shown by the user)`
  if (status !== 'proposed' || isOpen(kind)) return ''
  if (sources[0]?.role === 'user') return ' (shown by the user)'
  return kind === 'fact' ? ' (said by the assistant)' : ''
}

function exceptions({ kind, merged }: Decision): string {
  return kind === 'rule' ? merged.map(({ text }) => `; later: ${lineText(text, TOKENS.line)}`).join('') : ''
}

function history(decision: Decision, ledger: DecisionLedger, session: string): string {
  const past: string[] = []
  const seen = new Set([decision.id])
  let [before] = replacedBy(decision, ledger)
  while (before !== undefined && !seen.has(before.id) && past.length < MAX_PAST) {
    seen.add(before.id)
    const ended = before.ended?.source
    const from = decidingSource(before)
    const turns =
      from.session === session && ended?.session === session ? `, turn ${from.turn} to ${ended.turn}` : ''
    past.push(`${lineText(before.value, TOKENS.value)}${turns}${because(before.ended?.reason)}`)
    before = replacedBy(before, ledger).find(({ id }) => !seen.has(id))
  }
  return past.length === 0 ? '' : ` (was ${past.join('; before that ')})`
}

function replacedBy({ supersedes }: Decision, ledger: DecisionLedger): readonly Decision[] {
  return supersedes
    .flatMap((id) => ledger.get(id) ?? [])
    .filter(({ authority, kind }) => authority !== 'proposed' && !isOpen(kind))
    .reverse()
}

function because(reason: string | undefined): string {
  if (reason === undefined) return ''
  const text = lineText(reason, TOKENS.reason)
  return /^because\b/i.test(text) ? `, ${text}` : `, because ${text}`
}

function turnOf(decision: Decision, session: string): string {
  const source = decidingSource(decision)
  return source.session === session ? `turn ${source.turn}` : 'another session'
}

function detailOf(decision: Decision, l0: string): string {
  const { l1, reason, merged } = decision
  const clauses = [
    ...(l1 === undefined ? [] : l1.split('\n').map((clause) => clause.replace(/^\s*[-*•]\s*/, ''))),
    ...(reason === undefined || l1 !== undefined ? [] : [`because: ${reason}`]),
    ...merged.map(({ text, authority }) =>
      authority === 'proposed' ? `${text} (said by the assistant)` : text,
    ),
  ]
  const lines = [...new Set(clauses)]
    .map((clause) => lineText(clause, TOKENS.detail))
    .filter((clause) => clause !== '' && clause !== l0)
    .map((clause) => `  - ${clause}`)
  return [...lines, quoteOf(decision)].join('\n')
}

function quoteOf(decision: Decision): string {
  const { role, quote } = decidingSource(decision)
  return `  - ${role}: "${lineText(quote, TOKENS.quote)}"`
}

const words = new WeakMap<Decision, ReadonlySet<string>>()

function wordsOf(decision: Decision): ReadonlySet<string> {
  const known = words.get(decision)
  if (known !== undefined) return known
  const { subject, value, l0, l1 = '', reason = '', merged, sources } = decision
  const text = [subject, value, l0, l1, reason, ...merged.map((each) => each.text), sources[0]?.quote].join(
    '\n',
  )
  const found = new Set(termsIn(text))
  words.set(decision, found)
  return found
}

function termsIn(text: string): readonly string[] {
  const found = text.normalize('NFKC').toLowerCase().match(TERM) ?? []
  return found.map((term) => (term.length > 4 && term.endsWith('s') ? term.slice(0, -1) : term))
}

const TERM =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2}|[\p{L}\p{N}]{3,40}|\p{N}+/gu

/** Score of a relevant decision: it shares one rare word with the query, or several common ones. */
export const MATCH_THRESHOLD = 0.3

/** The subject is at the start of a query. */
const QUERY_CHARACTERS = 20_000

/**
 * Scores decisions against a query, 0 to 1, by id. Rare words count more; decisions without a common word are left out.
 */
export function matchScores(query: string, decisions: readonly Decision[]): ReadonlyMap<string, number> {
  const asked = new Set(termsIn(query.slice(0, QUERY_CHARACTERS)))
  const hits = new Map<string, string[]>()
  for (const decision of asked.size === 0 ? [] : decisions)
    for (const word of wordsOf(decision)) if (asked.has(word)) push(hits, word, decision.id)
  const rarest = Math.log(1 + decisions.length)
  const totals = new Map<string, number>()
  for (const ids of hits.values()) {
    const weight = Math.log(1 + decisions.length / ids.length) / rarest
    for (const id of ids) totals.set(id, (totals.get(id) ?? 0) + weight)
  }
  return new Map([...totals].map(([id, total]) => [id, total / (1 + total)]))
}

function push(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}
