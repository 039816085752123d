import type { RawFile } from './raw-file.ts'

/** Searches as one would write them by hand against the file. */
export interface RawSearch {
  /** The newest ten messages with a word, each with a snippet. */
  words(word: string): string[]
  /** The newest ten messages with a text in them, each with a snippet. */
  like(text: string): string[]
  /** How many messages match a pattern. */
  countMatches(pattern: string): number
}

const HITS = 10
/** Characters of a snippet on each side of the match. */
const AROUND = 100

/** `raw`: the file of a store. */
export function createRawSearch({ database, from, to }: RawFile): RawSearch {
  const find = database.prepare(
    `SELECT message.text FROM message_words JOIN message ON message.id = message_words.rowid
     WHERE message_words MATCH ? AND message_words.rowid >= CAST(? AS INTEGER)
     AND message_words.rowid < CAST(? AS INTEGER) ORDER BY message_words.rowid DESC LIMIT ${HITS}`,
  )
  const scan = database.prepare(
    `SELECT text FROM message WHERE id >= ? AND id < ? AND text LIKE ? ORDER BY id DESC LIMIT ${HITS}`,
  )
  const all = database.prepare('SELECT text FROM message WHERE id >= ? AND id < ?')
  const snippets = (rows: object[], match: string) =>
    rows.map((row) => snippet((row as { text: string }).text, match.toLowerCase()))
  return {
    words: (word) => snippets(find.all(`"${word}"`, from, to), word),
    like: (text) => snippets(scan.all(from, to, `%${text}%`), text),
    countMatches(pattern) {
      const regex = new RegExp(pattern, 'imu')
      let count = 0
      for (const row of all.iterate(from, to)) if (regex.test(String(row.text))) count++
      return count
    },
  }
}

function snippet(text: string, match: string): string {
  const at = text.toLowerCase().indexOf(match)
  return text.slice(Math.max(0, at - AROUND), at + match.length + AROUND)
}
