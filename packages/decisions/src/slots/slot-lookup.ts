import { lazily } from '@palimpsest/core/options'
import { remembered } from '../remembered.ts'
import { createReject, factOf, wordsIn } from './runs.ts'
import { SLOTS } from './slot-table.ts'
import { beginningsOf, listed, spellingKey, withoutPossessive } from './technologies.ts'

const WORD = /[\p{L}\p{N}][\p{L}\p{N}/'’_-]*/gu
const MAX_WORDS = 5

const bySpelling = lazily(() => {
  const names = new Map<string, string>()
  for (const { name, words = '' } of SLOTS)
    for (const word of listed(words)) if (!names.has(spellingKey(word))) names.set(spellingKey(word), name)
  return names
})

const beginnings = lazily(() => beginningsOf(bySpelling().keys()))

const reading = (key: string) =>
  bySpelling().has(withoutPossessive(key)) ? 'names' : beginnings().has(key) ? 'begins' : 'nothing'

const wordsOf = factOf((run) =>
  [...run.matchAll(WORD)].map(({ 0: word, index }) => ({
    start: index,
    end: index + word.length,
    /** Whether no slot is named by it or by a phrase that it begins. */
    isNone: reading(spellingKey(word)) === 'nothing',
  })),
)

const namesNoSlot = createReject(WORD, reading)

/** A word that names a slot, where it stands. */
export interface SlotMention {
  readonly slot: string
  readonly start: number
  readonly end: number
}

/** Clauses that were read last: the readers of a clause ask for the same one. */
const MAX_KNOWN = 32
const MAX_CLAUSE_CHARS = 400

/** The words of a text that name slots, in order; the longest wins. Meant for clauses: looks at 400 characters. */
export const findSlotWords: (text: string) => readonly SlotMention[] = remembered(
  slotWordsIn,
  MAX_KNOWN,
  MAX_CLAUSE_CHARS,
)

function slotWordsIn(text: string): SlotMention[] {
  const clause = text.slice(0, MAX_CLAUSE_CHARS)
  if (namesNoSlot(clause)) return []
  const words = wordsIn(clause, wordsOf)
  const found: SlotMention[] = []
  for (let i = 0; i < words.length; i++) {
    if (words[i]?.isNone) continue
    const longest = longestAt(clause, words, i)
    if (longest === undefined) continue
    found.push(longest.mention)
    i += longest.words - 1
  }
  return found
}

function longestAt(clause: string, words: readonly { start: number; end: number }[], first: number) {
  let longest: { readonly mention: SlotMention; readonly words: number } | undefined
  let key = ''
  const start = words[first]?.start ?? 0
  let end = start
  for (let count = 1; count <= MAX_WORDS; count++) {
    const word = words[first + count - 1]
    if (word === undefined || (count > 1 && !/^[\s_-]+$/.test(clause.slice(end, word.start)))) break
    end = word.end
    key += `${count > 1 ? ' ' : ''}${spellingKey(clause.slice(word.start, end))}`
    const slot = bySpelling().get(withoutPossessive(key))
    if (slot !== undefined) longest = { mention: { slot, start, end }, words: count }
    if (!beginnings().has(key)) break
  }
  return longest
}

/** The slot that a word or a few name, such as `primary store`. */
export function slotOfWord(words: string): string | undefined {
  return bySpelling().get(withoutPossessive(spellingKey(words)))
}
