import { LEXICONS } from '../extract/lexicon/lexicons.ts'
import { SLOTS } from './slot-table.ts'
import { listed, spellingKey } from './technologies.ts'

const WIDE = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/
const WORD = /[\p{L}\p{N}][\p{L}\p{N}/'’_-]*/gu
const MAX_WORDS = 5

const bySpelling = new Map<string, string>()
/** In scripts without spaces; the longest first, so that "消息队列" is not only "队列". */
const parts: { readonly word: string; readonly slot: string }[] = []
const named = SLOTS.map(({ name, words = '' }) => [name, words] as const)
const elsewhere = LEXICONS.flatMap(({ slots = '' }) =>
  listed(slots).map((entry): readonly [string, string] => {
    const [slot = '', words = ''] = listed(entry, '=')
    return [slot, words.replaceAll(',', ';')]
  }),
)
for (const [slot, words] of [...named, ...elsewhere])
  for (const word of listed(words)) {
    if (WIDE.test(word)) parts.push({ word, slot })
    else if (!bySpelling.has(spellingKey(word))) bySpelling.set(spellingKey(word), slot)
  }
parts.sort((a, b) => b.word.length - a.word.length)

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
    for (let count = Math.min(MAX_WORDS, words.length - i); count > 0; count--) {
      const start = words[i]?.start ?? 0
      const end = words[i + count - 1]?.end ?? start
      const slot = slotOfWord(clause.slice(start, end))
      if (slot === undefined) continue
      found.push({ slot, start, end })
      i += count - 1
      break
    }
  }
  return WIDE.test(clause) ? [...found, ...wideWords(clause)].sort((a, b) => a.start - b.start) : found
}

/** The slot that a word or a few name, such as `primary store`. */
export function slotOfWord(words: string): string | undefined {
  return bySpelling.get(spellingKey(words).replace(/['’]s$/, ''))
}

function wideWords(text: string): SlotMention[] {
  const found: SlotMention[] = []
  for (const { word, slot } of parts) {
    const start = text.indexOf(word)
    const end = start + word.length
    if (start !== -1 && !found.some((other) => start < other.end && other.start < end))
      found.push({ slot, start, end })
  }
  return found
}
