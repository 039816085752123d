import {
  COLON,
  charClass,
  DASH,
  DIGIT,
  DOT,
  HUMP,
  LOWER,
  SIGIL,
  SLASH,
  UNDERSCORE,
  UPPER,
} from './char-classes.ts'
import { classifyToken } from './classify-token.ts'
import type { Identifier, IdentifierKind } from './identifier.ts'
import { quotedAt, unitAfter, urlEnd } from './neighbours.ts'
import { textWindows } from './text-windows.ts'

const WORTH_A_LOOK = DIGIT | UNDERSCORE | DOT | SLASH | DASH | COLON | SIGIL | HUMP

/** A run of token characters longer than this is a blob (base64, minified text), not a name. */
const MAX_TOKEN_CHARS = 300

/** Identifiers kept of one text; a listing of more than that is data, not something that is referred to. */
const MAX_IDENTIFIERS = 4000

/**
 * The identifiers of a text in order of first occurrence, each once. One pass over the characters; a text of
 * more than 512 Ki characters is represented by its beginning and its end.
 */
export function extractIdentifiers(text: string): Identifier[] {
  const found = new Map<string, Identifier | undefined>()
  const list: Identifier[] = []
  const add = (name: string, kind: IdentifierKind | undefined): void => {
    if (found.has(name)) return
    const identifier = kind === undefined ? undefined : { text: name, kind }
    found.set(name, identifier)
    if (identifier !== undefined) list.push(identifier)
  }
  for (const window of textWindows(text)) scan(window, found, add, () => list.length >= MAX_IDENTIFIERS)
  // A list that grew has room for more, and many are kept.
  return list.slice()
}

type Add = (name: string, kind: IdentifierKind | undefined) => void

function scan(text: string, seen: ReadonlyMap<string, unknown>, add: Add, full: () => boolean): void {
  let start = -1
  let flags = 0
  let previous = 0
  let capitals = 0
  for (let i = 0; i <= text.length; i++) {
    const code = i < text.length ? text.charCodeAt(i) : 32
    const kind = charClass(code)
    if (kind !== 0) {
      if (start < 0) {
        start = i
        flags = kind
        capitals = 0
      } else {
        flags |= kind
        if (kind === UPPER) {
          if (previous === LOWER) flags |= HUMP
        } else if (kind === LOWER && capitals > 1) flags |= HUMP
      }
      capitals = kind === UPPER ? capitals + 1 : 0
      previous = kind
      continue
    }
    if (start >= 0) {
      // ENOENT and its kind have capitals only.
      if ((flags & WORTH_A_LOOK || (flags === UPPER && i - start > 4)) && i - start <= MAX_TOKEN_CHARS) {
        i = takeToken(text, start, i, flags, seen, add)
        if (full()) return
      }
      start = -1
    }
    if (code === 96 || code === 34 || code === 39 || code > 127) {
      const quoted = quotedAt(text, i)
      if (quoted !== undefined) add(quoted.text, quoted.kind)
    }
  }
}

/** Adds what a token names and returns the index behind what was taken. */
function takeToken(
  text: string,
  from: number,
  to: number,
  tokenFlags: number,
  seen: ReadonlyMap<string, unknown>,
  add: Add,
): number {
  let start = from
  let end = to
  if (tokenFlags & COLON && text.slice(start, end).includes('://')) {
    end = urlEnd(text, end)
    add(trimUrl(text.slice(start, end)), 'url')
    return Math.max(to, end)
  }
  while (end > start && isTrailing(text.charCodeAt(end - 1))) end--
  while (start < end && isLeading(text.charCodeAt(start))) start++
  // "</div>" is a tag, not a path.
  if (tokenFlags & SLASH && text.charCodeAt(from - 1) === 60 && text.charCodeAt(start) === 47) return to
  const token = text.slice(start, end)
  const flags = start === from && end === to ? tokenFlags : flagsOf(token)
  if (flags & DIGIT && !(flags & ~(DIGIT | DOT))) {
    const unit = unitAfter(text, to)
    if (unit !== '') add(`${token} ${unit}`, 'number')
  }
  if (seen.has(token)) return to
  if (tokenFlags & DASH && text.startsWith('--', from) && /^--[a-z][\w-]+$/i.test(text.slice(from, end))) {
    add(text.slice(from, end), 'setting')
    return to
  }
  if (flags & SIGIL && token.includes('\\') && !/^[A-Za-z]:\\/.test(token)) {
    splitToken(token, '\\', add)
    return to
  }
  // The rest of a terminal code such as ESC[39m.
  if (text.charCodeAt(from - 1) === 91 && /^\d+m$/.test(token)) return to
  const kind = classifyToken(token, flags)
  if (kind === 'symbol' && text.charCodeAt(end) === 61 && isConstant(token)) {
    const value = /^=([^\s"'`;,)&|<>.$][^\s"'`;,)&|<>]{0,60})/.exec(text.slice(end, end + 64))?.[1]
    if (value !== undefined) add(`${token}=${value}`, 'setting')
  }
  if (kind === undefined && flags & COLON) splitToken(token, ':', add)
  else add(token, kind)
  return to
}

/** Classifies the parts of a token such as `src/a.ts:12:5` or `key:value_name` by themselves. */
function splitToken(token: string, separator: string, add: Add): void {
  for (const piece of token.split(separator)) {
    const part = piece
      .replace(/(?<![./\\-])[./\\-]+$/, '')
      .replace(separator === '\\' ? /^[nrt](?=[^a-z]|[a-z])/ : /^$/, '')
    if (part.length < 3) continue
    const flags = flagsOf(part)
    if (flags & WORTH_A_LOOK) add(part, classifyToken(part, flags))
  }
}

/** The classes of a token that was cut out of the scanned one. */
function flagsOf(token: string): number {
  let flags = 0
  for (let i = 0; i < token.length; i++) flags |= charClass(token.charCodeAt(i))
  return /[a-z][A-Z]|[A-Z]{2}[a-z]/.test(token) ? flags | HUMP : flags
}

function isConstant(token: string): boolean {
  return /^[A-Z][A-Z0-9_]+$/.test(token)
}

/** `.`, `-`, `:`, `/`, `\`, `@`, `#`, `$` and `~` end no name; a path may end with its slash taken off. */
function isTrailing(code: number): boolean {
  return (charClass(code) & (DOT | DASH | COLON | SLASH)) !== 0 || (charClass(code) === SIGIL && code !== 37)
}

/** `-`, `:` and `%` begin no name; a leading dot, slash, sigil or underscore belongs to it. */
function isLeading(code: number): boolean {
  return (charClass(code) & (DASH | COLON)) !== 0 || code === 37
}

function trimUrl(url: string): string {
  return url.replace(/(?<![.,;:!?*_~-])[.,;:!?*_~-]+$/, '')
}
