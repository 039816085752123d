import type { SourceMessage, Span } from '../log/source.ts'

const LEFT_OUT = /[*_`#~|>\\"'“”„‟‘’‚‛«»‹›…\u00ad\u200b-\u200f\u2060\ufeff]/u
const DASH = /[\u2010-\u2015\u2212]/u
const LAST_MARK = /[\s.,;:!?。！？，、；：-]/u
const LEAST_CHARACTERS = 15
const LEAST_SHARE = 0.6

interface Folded {
  readonly text: string
  readonly places: readonly number[]
}

function fold(text: string): Folded {
  let folded = ''
  const places: number[] = []
  for (let index = 0; index < text.length; index++) {
    const character = text[index] ?? ''
    if (LEFT_OUT.test(character)) continue
    const isSpace = /\s/.test(character)
    if (isSpace && (folded === '' || folded.endsWith(' '))) continue
    const lower = character.toLowerCase()
    folded += isSpace ? ' ' : DASH.test(character) ? '-' : lower.length === 1 ? lower : character
    places.push(index)
  }
  return { text: folded, places }
}

function withoutLastMarks(text: string): string {
  let end = text.length
  while (end > 0 && LAST_MARK.test(text[end - 1] ?? '')) end--
  return text.slice(0, end)
}

export function foldedWords(text: string): readonly string[] {
  return fold(text).text.match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Finds a quote in a message, ignoring white space, case, quotation marks, Markdown, and a missing end. */
export function findQuote(message: SourceMessage, quote: string): Span | undefined {
  const { text, places } = fold(message.text)
  const find = (wanted: string): Span | undefined => {
    const at = wanted === '' ? -1 : text.indexOf(wanted)
    const [start, last] = [places[at], places[at + wanted.length - 1]]
    return at === -1 || start === undefined || last === undefined
      ? undefined
      : { message, start, end: last + 1 }
  }
  const whole = withoutLastMarks(fold(quote).text)
  const found = find(whole)
  if (found !== undefined) return found
  const [before = ''] = quote.split(/\.{3}|…/)
  const begun = fold(before).text.trim()
  if (begun.length >= LEAST_CHARACTERS && begun.length < whole.length && find(begun)) return find(begun)
  const least = Math.max(LEAST_CHARACTERS, whole.length * LEAST_SHARE)
  for (let end = whole.lastIndexOf(' '); end >= least; end = whole.lastIndexOf(' ', end - 1)) {
    const part = find(whole.slice(0, end))
    if (part !== undefined) return part
  }
  return undefined
}
