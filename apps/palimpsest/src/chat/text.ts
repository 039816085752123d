import { type CompressResult, PalimpsestError } from '@palimpsest/core'
import { count, counted } from '../count.ts'
import { printableLines } from '../lcm/printable.ts'
import { firstLine } from '../report-failure.ts'
import { UsageError } from '../usage-error.ts'

/** Invisible characters that change how text is read. Joiners stay, because emoji and several scripts need them. */
const UNSEEN = /(?![\u200c\u200d])\p{Cf}/gu
const HALF_CHARACTER = /\p{Cs}/gu

/** Removes everything that a terminal would obey from an untrusted text. */
export function safeText(text: string): string {
  return printableLines(text)
    .replaceAll('\t', '  ')
    .replace(UNSEEN, '\ufffd')
    .replace(HALF_CHARACTER, '\ufffd')
}

export function safeLine(text: string): string {
  return safeText(text).replace(/(?<!\s)\s*\n\s*/g, ' ⏎ ')
}

export function safeStart(
  text: string,
  limits: { readonly lines: number; readonly characters: number },
): readonly string[] {
  const start = text.slice(0, limits.characters)
  const lines = safeText(start).split('\n')
  const shown = lines.slice(0, limits.lines)
  if (start.length < text.length) return [...shown, `… of ${counted(text.length, 'character')}`]
  const hidden = lines.length - shown.length
  return hidden === 0 ? shown : [...shown, `… ${counted(hidden, 'more line')}`]
}

export function describeCompaction(result: CompressResult): string {
  const { outcome, reason, tokensBefore, tokensAfter, summary } = result
  if (outcome !== 'compacted')
    return `${OUTCOMES[outcome]} (${reason.replaceAll('-', ' ')}), ${count(tokensBefore)} tokens`
  const more = summary === undefined ? '' : `: ${summary}`
  return `compacted ${count(tokensBefore)} → ${count(tokensAfter)} tokens${more}`
}

const OUTCOMES = {
  unchanged: 'not compacted',
  aborted: 'not compacted, everything was kept',
  deferred: 'not compacted now',
} as const

export function dollars(usd: number): string {
  return `$${usd.toFixed(usd === 0 || usd >= 1 ? 2 : 4)}`
}

export const ENDS = {
  stopped: 'stopped',
  'cut-off': 'the answer was cut off at the limit of the model; "go on" may bring the rest',
  filtered: 'the provider stopped the answer for reasons of content',
  'too-many-rounds': 'stopped after too many rounds of tools; "go on" lets it go on',
} as const

export function failureLine(error: unknown): string {
  const isExpected = error instanceof UsageError || PalimpsestError.isInstance(error)
  const line = firstLine(error).trim()
  const sentence = /[.!?]$/.test(line) ? line : `${line}.`
  return isExpected ? sentence : `${sentence} (This is a bug: please report it.)`
}
