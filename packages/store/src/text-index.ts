import type { SearchTerm } from '@palimpsest/core'
import type { Database, IndexEntry, Indexed, Row, Sql, Value } from './database.ts'
import { insert, storable } from './rows.ts'

/** Letters that have the same upper case as another one, and are not made that one by `toLowerCase`. */
const VARIANTS: Readonly<Record<string, string>> = {
  '\u00b5': 'μ',
  '\u017f': 's',
  '\u03c2': 'σ',
  '\u03d0': 'β',
  '\u03d1': 'θ',
  '\u03d5': 'φ',
  '\u03d6': 'π',
  '\u03f0': 'κ',
  '\u03f1': 'ρ',
  '\u03f5': 'ε',
  '\u1e9b': 'ṡ',
  '\u1fbe': 'ι',
}
const VARIANT = new RegExp(`[${Object.keys(VARIANTS).join('')}]`, 'g')

/** A text in one case: two texts that differ only in case are the same one. */
function fold(text: string): string {
  return text.toLowerCase().replace(VARIANT, (letter) => VARIANTS[letter] ?? letter)
}

/** The rows of texts, for `addToIndex`. A promise for long ones, which take a while, in which others go on: not for a transaction. */
export function indexRows(
  { index }: Database,
  entries: readonly IndexEntry[],
): readonly Row[] | Promise<readonly Row[]> {
  const rows = entries.map((entry) => index.row({ ...entry, text: storable(fold(entry.text)) }))
  const isReady = (list: typeof rows): list is Row[] => !list.some((row) => row instanceof Promise)
  return isReady(rows) ? rows : Promise.all(rows)
}

/** Puts texts into the index. */
export async function addToIndex(sql: Sql, table: Indexed, rows: readonly Row[]): Promise<void> {
  await insert(sql, `${table}_index`, rows)
}

/** Takes a text out of the index. */
export async function removeFromIndex(
  database: Database,
  sql: Sql,
  table: Indexed,
  id: number,
): Promise<void> {
  await sql.run(`DELETE FROM ${table}_index WHERE ${database.index.id} = ?`, [id])
}

/** Characters that an index of trigrams can be asked for at least. */
const LEAST = 3

/** The rows that may hold terms. */
interface Matching {
  /** The table under the name `entry`, joined with the index where that helps. */
  readonly from: string
  /** Undefined when the index is no help: every row must be looked at. */
  readonly condition?: string
  readonly values: readonly Value[]
  /** The id of a row, in the order in which the index reads fastest. */
  readonly id: string
}

/**
 * The rows that may hold one term of each list. A list with a term that is too short for the index is left out: more rows are named
 * then.
 */
export function matching(
  { index }: Database,
  table: Indexed,
  where: readonly (readonly SearchTerm[])[],
): Matching {
  const lists = where
    .map((terms) => terms.map(({ text }) => storable(fold(text))))
    .filter((terms) => terms.length > 0 && terms.every((text) => [...text].length >= LEAST))
  if (lists.length === 0) return { from: `${table} AS entry`, values: [], id: 'entry.id' }
  const id = `hits.${index.id}`
  const from = `${table}_index AS hits ${index.join} ${table} AS entry ON entry.id = ${id}`
  return { from, id, ...index.match(table, lists) }
}
