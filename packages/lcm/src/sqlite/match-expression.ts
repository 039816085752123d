import { storableCopy } from '../messages/storable-text.ts'
import type { SearchTerm } from '../store/candidate-query.ts'
import { cjkGrams, foldText, termWords } from '../store-kit/fold-text.ts'
import type { FullTextTable } from './schema.ts'

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
