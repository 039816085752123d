import type { QueryTerm } from './parse-query.ts'
import type { WordForms } from './word-forms.ts'

export interface Span {
  readonly start: number
  readonly end: number
}

export interface TextMatch extends Span {
  readonly count: number
}

export type TermFinder = (text: string, from: number) => Span | null

/**
 * A quoted phrase matches whole words, and paths from their root, in scripts with spaces: "auto" does not match
 * `autocomplete`, and "/projects" does not match `/home/projects`.
 */
const BOUNDED_START = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}0-9_/]/u
const BOUNDED_END = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}0-9_]$/u

/** Letters whose case variants are all ASCII: k also matches the Kelvin sign, and s the long s. */
const CASES_IN_ASCII = /^[^kKsS\u0080-\uffff]*$/

/**
 * Finds a term, ignoring case by Unicode's simple case folding, which never changes a text's length, so offsets stay
 * valid.
 */
export function createTermFinder({ kind, text: wanted, quoted, forms }: QueryTerm): TermFinder {
  if (forms !== undefined) return createFormFinder(forms)
  // The flag u makes no difference here and doubles the time to compile.
  const flags = CASES_IN_ASCII.test(wanted) ? 'gi' : 'giu'
  const pattern = new RegExp(escaped(wanted), flags)
  const isBounded = {
    start: quoted === true && BOUNDED_START.test(wanted),
    end: quoted === true && BOUNDED_END.test(wanted),
  }
  return (text, from) => {
    pattern.lastIndex = from
    for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
      const start = found.index
      const end = pattern.lastIndex
      const isWhole =
        kind === 'substring'
          ? (!isBounded.start || startsWord(text, start)) && (!isBounded.end || endsWord(text, end))
          : startsWord(text, start) && (kind === 'prefix' || endsWord(text, end))
      if (isWhole) return { start, end }
      // The next occurrence may overlap with this one.
      pattern.lastIndex = nextCharacter(text, start)
    }
    return null
  }
}

export function nextCharacter(text: string, offset: number): number {
  return offset + ((text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1)
}

function createFormFinder({ starts, has }: WordForms): TermFinder {
  const pattern = new RegExp(`(?:${starts.map(escaped).join('|')})[\\p{L}\\p{M}\\p{N}\\p{Co}_]*`, 'giu')
  return (text, from) => {
    pattern.lastIndex = from
    for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
      const start = found.index
      if (startsWord(text, start) && has(found[0].toLowerCase())) return { start, end: pattern.lastIndex }
    }
    return null
  }
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

const WORD_CHARACTER = /^[\p{L}\p{M}\p{N}\p{Co}_]/u

function startsWord(text: string, start: number): boolean {
  if (start === 0) return true
  const unit = text.charCodeAt(start - 1)
  if (unit < 0x80) return !isAsciiWord(unit)
  const low = unit >= 0xdc00 && unit <= 0xdfff
  return !WORD_CHARACTER.test(text.slice(low ? Math.max(0, start - 2) : start - 1, start))
}

function endsWord(text: string, end: number): boolean {
  if (end >= text.length) return true
  const unit = text.charCodeAt(end)
  return unit < 0x80 ? !isAsciiWord(unit) : !WORD_CHARACTER.test(text.slice(end, end + 2))
}

function isAsciiWord(unit: number): boolean {
  const letter = unit | 0x20
  return (letter >= 0x61 && letter <= 0x7a) || (unit >= 0x30 && unit <= 0x39) || unit === 0x5f
}
