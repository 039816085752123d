import { lazily } from '@palimpsest/core/options'

/** A message of the log as it is read: its words, with secrets hidden and without what a host inserted. */
export interface SourceMessage {
  /** Its number in the session's log. */
  readonly seq: number
  /** Number of the user's messages up to and including the one that the turn began with, from 1. */
  readonly turn: number
  readonly role: 'user' | 'assistant'
  readonly text: string
}

/** A part of a message's text, in UTF-16 units. */
export interface Span {
  readonly message: SourceMessage
  readonly start: number
  readonly end: number
}

export interface Source extends Omit<SourceMessage, 'text'> {
  /** The session's key in the store. */
  readonly session: string
  /** The text of the message from `start` to `end`. */
  readonly quote: string
  readonly start: number
  readonly end: number
}

export function makeSource({ message, start, end }: Span, session: string): Source {
  const { seq, turn, role, text } = message
  return { session, seq, turn, role, start, end, quote: text.slice(start, end) }
}

/** True for words of one session that were said before others. */
export function isBefore(source: Source, other: Source): boolean {
  if (source.session !== other.session) return false
  return source.seq === other.seq ? source.start < other.start : source.seq < other.seq
}

export function isSamePlace(a: Source, b: Source): boolean {
  return a.session === b.session && a.seq === b.seq && a.start < b.end && b.start < a.end
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
