import type { SearchTerm } from '@palimpsest/core'
import type { Database, IndexEntry, Indexed, Row, Sql, Value } from './database.ts'
import { insert, storable } from './rows.ts'

/** Letters that share their upper case with another one, which `toLowerCase` keeps apart. */
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

function fold(text: string): string {
  return text.toLowerCase().replace(VARIANT, (letter) => VARIANTS[letter] ?? letter)
}

/**
 * Prepares the rows of texts for `addToIndex`. A promise for long ones, during which other work runs, so not for a
 * transaction.
 */
export function indexRows(
  { index }: Database,
  entries: readonly IndexEntry[],
): readonly Row[] | Promise<readonly Row[]> {
  const rows = entries.map((entry) => index.row({ ...entry, text: storable(fold(entry.text)) }))
  const isReady = (list: typeof rows): list is Row[] => !list.some((row) => row instanceof Promise)
  return isReady(rows) ? rows : Promise.all(rows)
}

export async function addToIndex(sql: Sql, table: Indexed, rows: readonly Row[]): Promise<void> {
  await insert(sql, `${table}_index`, rows)
}

export async function removeFromIndex(
  database: Database,
  sql: Sql,
  table: Indexed,
  id: number,
): Promise<void> {
  await sql.run(`DELETE FROM ${table}_index WHERE ${database.index.id} = ?`, [id])
}

const LEAST = 3

interface Matching {
  readonly from: string
  readonly condition?: string
  readonly values: readonly Value[]
  readonly id: string
}

/** A term that is too short for the index is not checked, so more rows match. */
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
