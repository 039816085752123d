import { counted } from '../../count.ts'
import { printableLines } from '../../lcm/printable.ts'

/**
 * Characters that are not seen but change what is: marks that turn the direction of text, and the like. Joiners stay,
 * emoji and several scripts are written with them.
 */
const UNSEEN = /(?![\u200c\u200d])\p{Cf}/gu
const HALF_CHARACTER = /\p{Cs}/gu

/** A text of a model, a tool, a file or a person on its own lines, with nothing in it that a terminal would obey. */
export function safeText(text: string): string {
  return printableLines(text)
    .replaceAll('\t', '  ')
    .replace(UNSEEN, '\ufffd')
    .replace(HALF_CHARACTER, '\ufffd')
}

/** The same on one line. */
export function safeLine(text: string): string {
  return safeText(text).replace(/(?<!\s)\s*\n\s*/g, ' ⏎ ')
}

/** The beginning of a text, safe: at most so many lines, and characters of them. `more`: what was left out, if anything. */
export function safeStart(
  text: string,
  limits: { readonly lines: number; readonly characters: number },
): { readonly lines: string[]; readonly more: string | undefined } {
  const start = text.slice(0, limits.characters)
  const lines = safeText(start).split('\n')
  const shown = lines.slice(0, limits.lines)
  if (start.length < text.length) return { lines: shown, more: `… of ${counted(text.length, 'character')}` }
  const hidden = lines.length - shown.length
  return { lines: shown, more: hidden === 0 ? undefined : `… ${counted(hidden, 'more line')}` }
}
