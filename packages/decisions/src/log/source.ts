import type { Role } from '@palimpsest/core'
import { lazily } from '@palimpsest/core/options'

/** A message as it is read and kept: its words with secrets hidden, without what a host inserted. */
export interface SourceMessage {
  /** Index in the session's transcript, from 0. */
  readonly message: number
  /** Number of the user's messages up to and including the one that the turn began with, from 1. */
  readonly turn: number
  readonly role: Role
  /** Empty for instructions, summaries and tool results, which decide nothing. */
  readonly text: string
  /** SHA-256 of the whole message as the host gave it, in hexadecimal: tells an edit. */
  readonly hash: string
}

/** A part of a message's text, in UTF-16 units. */
export interface Span {
  readonly message: SourceMessage
  readonly start: number
  readonly end: number
}

/** Where something was said. Offsets are those of the text as it is kept; `hash` proves the quote. */
export interface Source {
  /** The session's key in the store. */
  readonly session: string
  readonly turn: number
  readonly message: number
  readonly role: Role
  readonly start: number
  readonly end: number
  /** The text from `start` to `end`. */
  readonly quote: string
  /** SHA-256 of `quote`, in hexadecimal. */
  readonly hash: string
  /** Number of times that the host had taken messages of the session back: offsets are of that edition. */
  readonly edition: number
}

export function makeSource(
  { message: { message, turn, role, text }, start, end }: Span,
  { session, edition }: Pick<Source, 'session' | 'edition'>,
): Source {
  const quote = text.slice(start, end)
  return { session, turn, message, role, start, end, quote, hash: hashText(quote), edition }
}

/** True for words of one session that were said before others. */
export function isBefore(source: Source, other: Source): boolean {
  if (source.session !== other.session) return false
  return source.message === other.message ? source.start < other.start : source.message < other.message
}

export function isSamePlace(a: Source, b: Source): boolean {
  return a.session === b.session && a.message === b.message && a.start < b.end && b.start < a.end
}

/** SHA-256 of a text in hexadecimal. */
export function hashText(text: string): string {
  return crypto().hash('sha256', text)
}

const crypto = lazily(() => process.getBuiltinModule('node:crypto'))

/** A subject for comparison: lower case, words with single spaces. */
export function normalSubject(subject: string): string {
  return subject
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_:/-]+/g, ' ')
    .trim()
}

/** A value for comparison: lower case; quotes, code marks and a last full stop left out. */
export function normalValue(value: string): string {
  return value
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[`"'“”‘’*]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<![.,;:!])[.,;:!]+$/, '')
}
