import type { Sql } from '@palimpsest/sqlite-kit'
import { isReplaced } from '../history/replaced-ranges.ts'
import { searchText, storableCopy } from '../messages/encode-message.ts'
import type {
  CandidateQuery,
  MessageCandidate,
  SearchTerm,
  SeqRange,
  SummaryCandidate,
} from '../store/lcm-session.ts'
import { cjkGrams, foldText, termWords } from '../store-kit/fold-text.ts'
import { unpackName } from '../store-kit/row-columns.ts'
import { readRows } from './message-rows.ts'
import type { FullTextTable } from './schema.ts'
import { baseOf, numberOf } from './session-row.ts'

type MessageList = [id: number, role: string, at: number, json: string]
type SummaryList = [...[id: number, depth: number, first: number, last: number, at: number, text: string]]

/** Messages that may match. A forgotten one is left out: there is nothing in it to find. */
export function messageCandidates(
  sql: Sql,
  no: number,
  replaced: readonly SeqRange[],
  query: CandidateQuery,
): MessageCandidate[] {
  const searched = {
    table: 'message',
    match: matchMessages(query.where),
    columns: ['id', 'role', 'at', 'json'],
  }
  const skipped = query.includeReplaced === true ? [] : replaced
  return readMatching<MessageList>(sql, no, searched, query, skipped).map(([id, role, at, json]) => {
    const seq = numberOf(id)
    return { seq, role: unpackName(role), at, text: searchText(json), replaced: isReplaced(replaced, seq) }
  })
}

export function summaryCandidates(sql: Sql, no: number, query: CandidateQuery): SummaryCandidate[] {
  const columns = ['id', 'depth', 'first', 'last', 'at', 'text']
  const searched = { table: 'summary', match: matchSummaries(query.where), columns }
  return readMatching<SummaryList>(sql, no, searched, query, []).map(
    ([id, depth, first, last, at, text]) => ({
      ...{ number: numberOf(id), depth, first, last, at },
      text: unpackName(text),
    }),
  )
}

interface Searched {
  readonly table: string
  readonly match: Match | null
  readonly columns: readonly string[]
}

function readMatching<Row extends readonly [id: number, ...unknown[]]>(
  sql: Sql,
  no: number,
  { table, match, columns }: Searched,
  query: CandidateQuery,
  skipped: readonly SeqRange[],
): Row[] {
  const base = baseOf(no)
  const selected = columns.map((column) => `${table}.${column}`).join(', ')
  const direction = query.order === 'newest' ? 'DESC' : 'ASC'
  // The full-text table is read in the order of its row ids, and the rows are fetched one by one: it stops at the limit,
  // however many rows would match. A row id that is bound as a real number would not bound that, and a bare parameter as
  // the limit makes SQLite compile the statement anew each time, which takes longer than the query.
  const statement =
    match === null
      ? `SELECT ${selected} FROM ${table}
         WHERE id BETWEEN ? AND ? AND forgotten_at IS NULL ORDER BY id ${direction} LIMIT 0 + ?`
      : `SELECT ${selected}
         FROM ${match.table} AS hits CROSS JOIN ${table} ON ${table}.id = hits.rowid
         WHERE hits.${match.table} MATCH ? AND hits.rowid BETWEEN CAST(? AS INTEGER) AND CAST(? AS INTEGER)
         ORDER BY hits.rowid ${direction} LIMIT 0 + ?`
  const values = match === null ? [] : [match.expression]
  return readRows<Row>(
    query,
    skipped,
    ([id]) => numberOf(id),
    (first, last, limit) => sql.lists<Row>(statement, ...values, base + first, base + last, limit),
  )
}

export interface Match {
  readonly table: FullTextTable
  readonly expression: string
}

/** Trigrams of a term that are asked for. More of them rule out little, and each is read. */
const MAX_TRIGRAMS = 12

/**
 * The question that no matching row fails. Lists of terms that the chosen table cannot tell are left out: the
 * answer is then larger than it needs to be. Null when no table helps, and every row must be looked at.
 */
export function matchMessages(where: readonly (readonly SearchTerm[])[]): Match | null {
  let best: ReturnType<typeof matchIn> = null
  for (const [table, phrasesOf] of MESSAGE_TABLES) {
    const match = matchIn(table, where, phrasesOf)
    if (match !== null && match.lists > (best?.lists ?? 0)) best = match
    if (best?.lists === where.length) break
  }
  return best
}

/** The same for summaries, of which there is a table of trigrams only. */
export function matchSummaries(where: readonly (readonly SearchTerm[])[]): Match | null {
  return matchIn('summary_trigrams', where, trigramPhrases)
}

/** The phrases that a row with the term must hold, all of them; null when the table cannot tell. */
type Phrases = (term: SearchTerm) => readonly string[] | null

function matchIn(
  table: FullTextTable,
  where: readonly (readonly SearchTerm[])[],
  phrasesOf: Phrases,
): (Match & { readonly lists: number }) | null {
  const lists: string[] = []
  for (const terms of where) {
    const phrases = terms.map(phrasesOf)
    if (terms.length === 0 || !phrases.every((list) => list !== null && list.length > 0)) continue
    lists.push(`(${phrases.map((list) => `(${list?.join(' AND ')})`).join(' OR ')})`)
  }
  return lists.length === 0 ? null : { table, expression: lists.join(' AND '), lists: lists.length }
}

function wordPhrases(term: SearchTerm): readonly string[] | null {
  return termWords(term)?.map(({ word, open }) => (open ? `"${word}" *` : `"${word}"`)) ?? null
}

/** Every third trigram, and the last one: together they hold each character of the term. */
function trigramPhrases({ text }: SearchTerm): readonly string[] | null {
  const characters = [...foldText(storableCopy(text))]
  const last = characters.length - 3
  const phrases = new Set<string>()
  for (let start = 0; start <= last && phrases.size < MAX_TRIGRAMS - 1; start += 3)
    phrases.add(quote(characters.slice(start, start + 3).join('')))
  if (last >= 0) phrases.add(quote(characters.slice(last).join('')))
  return [...phrases]
}

function gramPhrases({ text }: SearchTerm): readonly string[] | null {
  const grams = [...cjkGrams(text)]
  const pairs = grams.filter((gram) => [...gram].length === 2)
  return (pairs.length > 0 ? pairs : grams).slice(0, MAX_TRIGRAMS).map(quote)
}

function quote(phrase: string): string {
  return `"${phrase.replaceAll('"', '""')}"`
}

/** The tables of messages, the most exact one first. */
const MESSAGE_TABLES = [
  ['message_words', wordPhrases],
  ['message_trigrams', trigramPhrases],
  ['message_grams', gramPhrases],
] as const
