// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colours are what this removes
const TERMINAL_CODES = /\u001b(?:\[[0-9;?]{0,16}[A-Za-z]|\][^\u0007\u001b]{0,200}\u0007)/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters become spaces
const SPACES = /[\s\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g
/** Invisible characters that change how text is read: bidirectional controls, zero-width characters. */
const UNSEEN = /[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g

// biome-ignore lint/suspicious/noControlCharactersInRegex: line breaks and tabs alone stay
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

export function withoutUnseen(text: string): string {
  return text.replace(TERMINAL_CODES, '').replace(UNSEEN, '').replace(CONTROLS, '').toWellFormed()
}

/** The text on one line, without terminal codes, control and invisible characters. */
export function oneLine(text: string): string {
  return text.replace(TERMINAL_CODES, '').replace(UNSEEN, '').replace(SPACES, ' ').trim().toWellFormed()
}

/** Shortens a text to `characters`, with a mark: its beginning, and `end` characters of its end. Cuts between words. */
export function clip(text: string, characters: number, end = 0): string {
  if (text.length <= characters) return text
  const head = text.slice(0, characters - end).replace(/\s\S{0,40}$/, '')
  const tail = end === 0 ? '' : text.slice(-end).replace(/^\S{0,40}\s/, ' ')
  return `${head} …${tail}`.toWellFormed()
}

/** The beginning and the end of a long text, with a line that states how much is left out. */
export function cutMiddle(text: string, head: number, tail: number): string {
  const left = text.length - head - tail
  if (left <= 60) return text
  return `${text.slice(0, head)}\n[… ${left} characters left out …]\n${text.slice(text.length - tail)}`.toWellFormed()
}
