import { SLOTS } from './slot-table.ts'
import { firstWord, firstWords, listed, spellingKey } from './technologies.ts'

const WORD = /[\p{L}\p{N}][\p{L}\p{N}/'’_-]*/gu
const MAX_WORDS = 5

const bySpelling = new Map<string, string>()
for (const { name, words = '' } of SLOTS)
  for (const word of listed(words))
    if (!bySpelling.has(spellingKey(word))) bySpelling.set(spellingKey(word), name)

const STARTS = firstWords(bySpelling.keys())

/** A word that names a slot, where it stands. */
export interface SlotMention {
  readonly slot: string
  readonly start: number
  readonly end: number
}

/** The words of a text that name slots, in order; the longest wins. Meant for clauses: looks at 400 characters. */
export function findSlotWords(text: string): SlotMention[] {
  const clause = text.slice(0, 400)
  const words = [...clause.matchAll(WORD)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }))
  const found: SlotMention[] = []
  for (let i = 0; i < words.length; i++) {
    const start = words[i]?.start ?? 0
    if (!STARTS.has(firstWord(spellingKey(clause.slice(start, words[i]?.end))))) continue
    for (let count = Math.min(MAX_WORDS, words.length - i); count > 0; count--) {
      const end = words[i + count - 1]?.end ?? start
      const slot = slotOfWord(clause.slice(start, end))
      if (slot === undefined) continue
      found.push({ slot, start, end })
      i += count - 1
      break
    }
  }
  return found
}

/** The slot that a word or a few name, such as `primary store`. */
export function slotOfWord(words: string): string | undefined {
  return bySpelling.get(spellingKey(words).replace(/['’]s$/, ''))
}
