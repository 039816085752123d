import { isStorable, storableCopy } from './storable-text.ts'

/**
 * The positions at which escapes are put back: for each literal that lost them, the number of characters since the
 * last one, and its own number of characters; negative when everything but ASCII was escaped; followed by the literal
 * as it was when it was written in neither way.
 */
export type EscapeMarks = readonly (number | string)[]

export interface UnescapedText {
  readonly text: string
  readonly marks: EscapeMarks
}

/**
 * JSON text with the escapes in its string literals resolved: a newline is one, so that the word behind it is a word
 * and not `nword`. It works on the literals alone, so that whitespace, the order of keys and even broken JSON come
 * back as they were (`escapeLiterals`).
 */
export function unescapeLiterals(json: string): UnescapedText {
  if (!json.includes('\\')) return { text: json, marks: [] }
  const marks: (number | string)[] = []
  let text = ''
  /** Up to here the JSON text is in `text`. */
  let done = 0
  for (let start = json.indexOf('"'); start !== -1; ) {
    const end = literalEnd(json, start + 1)
    if (end === -1) break
    const literal = json.slice(start, end + 1)
    const value = literal.includes('\\') ? parseLiteral(literal) : undefined
    if (value !== undefined) {
      marks.push(start + 1 - done, ...markOf(literal, value))
      text += json.slice(done, start + 1) + storableCopy(value)
      done = end
    }
    start = json.indexOf('"', end + 1)
  }
  return { text: text + json.slice(done), marks }
}

/** Undoes `unescapeLiterals`. */
export function escapeLiterals(text: string, marks: EscapeMarks): string {
  let json = ''
  let position = 0
  for (let index = 0; index < marks.length; ) {
    const start = position + Number(marks[index++])
    const length = Number(marks[index++])
    const raw = marks[index]
    json += text.slice(position, start)
    position = start + Math.abs(length)
    if (typeof raw === 'string') {
      json += raw
      index++
    } else json += (length < 0 ? asciiLiteral : JSON.stringify)(text.slice(start, position)).slice(1, -1)
  }
  return json + text.slice(position)
}

/** Where a literal ends that begins before `from`: at the next quotation mark that is not escaped. */
function literalEnd(json: string, from: number): number {
  for (let index = from; index < json.length; index++) {
    const code = json.charCodeAt(index)
    if (code === QUOTE) return index
    if (code === BACKSLASH) index++
  }
  return -1
}

const QUOTE = 34
const BACKSLASH = 92

function markOf(literal: string, value: string): (number | string)[] {
  if (isStorable(value)) {
    if (JSON.stringify(value) === literal) return [value.length]
    if (asciiLiteral(value) === literal) return [-value.length]
  }
  return [value.length, literal.slice(1, -1)]
}

function parseLiteral(literal: string): string | undefined {
  try {
    return JSON.parse(literal)
  } catch {
    return undefined
  }
}

/** A JSON literal as Python's `json.dumps` writes it by default. */
function asciiLiteral(value: string): string {
  return JSON.stringify(value).replace(/[\u007f-\uffff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
