/** The part of a text that is a value of a setting. */
export interface Value {
  readonly start: number
  readonly end: number
  /** Empty when it is not quoted. */
  readonly quote: string
}

/**
 * The end of a value that is not quoted: up to white space; the same, and further if the words behind it are a
 * passphrase; or up to white space when nothing follows on its line. Default: up to what ends a value in code.
 */
export type Extent = 'word' | 'words' | 'line'

const QUOTE = /(?:[fbru]{1,2})?(\\{0,7})(["'`“「])/y
/** Up to white space or what ends a value in code, JSON and shells; `\n` inside a JSON text ends it too. */
const BARE = /(?:[^\s"'`,;&<>(){}[\]\\]|\\(?![nrt"'\\]))+/y
const WORD = /(?:[^\s"'`\\]|\\(?![nrt"'\\]))+/y
const LINE =
  /(?:[^\s"'`\\(){}[\]<>]|\\(?![nrt"'\\]))+(?<![,;])(?=[ \t]{0,8}(?:$|[\r\n]|\\{0,7}["']|\\{1,7}[nrt]))/y
/** More words behind the first, up to the end of the line. */
const MORE_WORDS = /(?:[ \t][\p{L}\d'!?,]{1,30}){1,12}(?=[ \t]{0,8}(?:$|[\r\n]|\\{0,7}["']|\\{1,7}[nrt]))/uy

/** Reads the value that begins at a place. Undefined where there is none. */
export function readValue(text: string, at: number, extent?: Extent): Value | undefined {
  QUOTE.lastIndex = at
  const quote = QUOTE.exec(text)
  if (quote !== null) {
    const start = at + quote[0].length
    const mark = CLOSING[quote[2] ?? ''] ?? quote[2] ?? '"'
    const end = endOfQuoted(text, start, mark, quote[1]?.length ?? 0)
    if (end !== undefined) return { start, end, quote: mark }
    // The quote is not closed on this line: perhaps the text was cut off here.
    return readBare(text, start, undefined)
  }
  return readBare(text, at, extent)
}

const CLOSING: Readonly<Record<string, string>> = { '“': '”', '「': '」' }

function readBare(text: string, start: number, extent: Extent | undefined): Value | undefined {
  const end =
    (extent === 'line' ? endOf(LINE, text, start) : undefined) ??
    endOf(extent === undefined || extent === 'line' ? BARE : WORD, text, start)
  if (end === undefined) return undefined
  return { start, end: (extent === 'words' ? endOf(MORE_WORDS, text, end) : undefined) ?? end, quote: '' }
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

/**
 * The end of a quoted value: before its quote, and before the backslashes that escape that quote inside JSON. A quote
 * with more of them than the first one had is a part of the value.
 */
function endOfQuoted(text: string, start: number, quote: string, depth: number): number | undefined {
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (character === '\n' || character === '\r') return undefined
    if (character !== quote) continue
    let end = at
    while (end > start && text[end - 1] === '\\') end--
    if (at - end <= depth) return end
  }
  return undefined
}
