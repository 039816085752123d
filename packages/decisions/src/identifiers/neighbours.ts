import { oneLine } from '@palimpsest/summaries'
import type { Identifier } from './identifier.ts'

const MAX_QUOTED_CHARS = 60
const MAX_URL_CHARS = 400

const UNIT_WORD =
  /^ (ns|µs|us|ms|milliseconds?|s|secs?|seconds?|mins?|minutes?|hours?|days?|weeks?|bytes?|[KMGT]i?B|kB|percent|px|Hz|kHz|MHz|GHz|tokens?|retries|rows?|workers?|threads?|connections?|requests?)(?![\w-])/

/** The unit that follows a number after one space, or an empty string. */
export function unitAfter(text: string, index: number): string {
  if (text.charCodeAt(index) !== 32) return ''
  return UNIT_WORD.exec(text.slice(index, index + 16))?.[1] ?? ''
}

/** Index behind a URL whose first part ends at `index`: up to white space, a quote or a bracket. */
export function urlEnd(text: string, index: number): number {
  const limit = Math.min(text.length, index + MAX_URL_CHARS)
  let end = index
  while (end < limit && !isUrlStop(text.charCodeAt(end))) end++
  return end
}

function isUrlStop(code: number): boolean {
  // white space and controls, " ' ( ) < > [ \ ] ` { | } and everything that is not ASCII
  return code <= 34 || code === 39 || code === 40 || code === 41 || code === 60 || code === 62 || code > 122
    ? true
    : (code >= 91 && code <= 93) || code === 96
}

const CLOSING: Readonly<Record<string, string>> = {
  '`': '`',
  '"': '"',
  "'": "'",
  '“': '”',
  '‘': '’',
  '„': '“',
  '«': '»',
  '「': '」',
  '『': '』',
}

/**
 * The name that a quote opening at `index` encloses: of one line, at most 60 characters, and not a sentence
 * fragment between two quotes. A single plain word counts only in backticks.
 */
export function quotedAt(text: string, index: number): Identifier | undefined {
  const open = text.charAt(index)
  const close = CLOSING[open]
  if (close === undefined) return undefined
  const before = text.charAt(index - 1)
  if (before !== '' && !/[\s([{=:,>«—-]/.test(before)) return undefined
  const end = text.slice(index + 1, index + 2 + MAX_QUOTED_CHARS).indexOf(close) + index + 1
  if (end < index + 4) return undefined
  const after = text.charAt(end + 1)
  if (after !== '' && !/[\s)\]},.;:!?<»—-]/.test(after)) return undefined
  const name = text.slice(index + 1, end)
  if (/^\s|\s$|\s\s|[\n\r\t\\"]|\$\{|[{}]|^[^\p{L}\p{N}./@#$~_-]|,$/u.test(name)) return undefined
  if (oneLine(name) !== name) return undefined
  // A JSON key or a value without a space is either a plain word or found as a token of its own.
  if (!/[\s　]/.test(name))
    return open === '`' && /^[\w$]+$/.test(name) ? { text: name, kind: 'quoted' } : undefined
  return open === '"' && after === ':' ? undefined : { text: name, kind: 'quoted' }
}
