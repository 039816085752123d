/** Where JSON text ends before everything that it opened is closed. */
export interface EarlyEnd {
  /** The last line, from 1. */
  readonly line: number
  /** The outermost bracket that is not closed, and the line on which it begins. */
  readonly open: 'array' | 'object'
  readonly since: number
}

/** JSON of a session begins with two of these. A log that puts its times into brackets does not. */
const BEGINNING = /^\s*[[{]\s*(?:["[{]|$)/

/**
 * Where JSON text was cut off; undefined for a text whose brackets all close, and for a text that is not JSON. Linear.
 */
export function endsEarly(text: string): EarlyEnd | undefined {
  if (!BEGINNING.test(text)) return undefined
  const open: { readonly bracket: string; readonly line: number }[] = []
  let line = 1
  let isText = false
  for (let index = 0; index < text.length; index++) {
    const character = text[index] as string
    if (character === '\n') line++
    if (isText && character === '\\') index++
    else if (character === '"') isText = !isText
    else if (isText) continue
    else if (character === '{' || character === '[') open.push({ bracket: character, line })
    else if (character === '}' || character === ']') {
      const begun = open.pop()
      if (begun?.bracket !== (character === '}' ? '{' : '[')) return undefined
    }
  }
  const [first] = open
  if (first === undefined) return undefined
  return { line, open: first.bracket === '[' ? 'array' : 'object', since: first.line }
}
