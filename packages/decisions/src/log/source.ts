import type { Role } from '@palimpsest/core'
import type { SourceMessage } from '../candidates/source-message.ts'
import { hashText } from './hash-text.ts'

/**
 * Where something was said: a stretch of one message's text. Offsets are UTF-16 units of the text as it is kept, with
 * secrets hidden; `hash` proves that the stretch is still the one that was quoted.
 */
export interface Source {
  /** The session's id. */
  readonly session: string
  /** Number of the user's messages up to and including the one that the turn began with, from 1. */
  readonly turn: number
  /** Index of the message in the session's transcript, from 0. */
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

/** A stretch of a message as a source. Offsets outside of the text are moved to its ends. */
export function makeSource(
  { message, turn, role, text }: Pick<SourceMessage, 'message' | 'turn' | 'role' | 'text'>,
  { session, start, end, edition }: Pick<Source, 'session' | 'start' | 'end' | 'edition'>,
): Source {
  const from = Math.max(0, Math.min(start, text.length))
  const to = Math.max(from, Math.min(end, text.length))
  const quote = text.slice(from, to)
  return { session, turn, message, role, start: from, end: to, quote, hash: hashText(quote), edition }
}

/** Whether something was said before something else. What another session said was said before. */
export function isBefore(source: Source, other: Source): boolean {
  if (source.session !== other.session) return true
  return source.message === other.message ? source.start < other.start : source.message < other.message
}

/**
 * Whether a stretch lies before an end, or in the words that were the end: what is found late, by a slower reader, was
 * over when it was found. What another session ended says nothing about what is said in this one.
 */
export function isOverBy(source: Source, end: Source): boolean {
  if (source.session !== end.session) return false
  return source.message === end.message ? source.start < end.end : source.message < end.message
}
