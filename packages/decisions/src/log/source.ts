import { lazily } from '@palimpsest/core/options'

/** A message as it is read: its words, redacted and without inserted blocks. */
export interface SourceMessage {
  /** The message's number in the session's log. */
  readonly seq: number
  /** The number of its turn, from 1: user messages up to the one that started it. */
  readonly turn: number
  readonly role: 'user' | 'assistant'
  readonly text: string
}

export interface Span {
  readonly message: SourceMessage
  readonly start: number
  readonly end: number
}

export interface Source extends Omit<SourceMessage, 'text'> {
  /** The session's key in the store. */
  readonly session: string
  /** The message's text from `start` to `end`. */
  readonly quote: string
  readonly start: number
  readonly end: number
}

export function makeSource({ message, start, end }: Span, session: string): Source {
  const { seq, turn, role, text } = message
  return { session, seq, turn, role, start, end, quote: text.slice(start, end) }
}

export function isBefore(source: Source, other: Source): boolean {
  if (source.session !== other.session) return false
  return source.seq === other.seq ? source.start < other.start : source.seq < other.seq
}

export function isSamePlace(a: Source, b: Source): boolean {
  return a.session === b.session && a.seq === b.seq && a.start < b.end && b.start < a.end
}

export function hashText(text: string): string {
  return crypto().hash('sha256', text)
}

const crypto = lazily(() => process.getBuiltinModule('node:crypto'))

export function normalSubject(subject: string): string {
  return subject
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_:/-]+/g, ' ')
    .trim()
}

export function normalValue(value: string): string {
  return value
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[`"'“”‘’*]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<![.,;:!])[.,;:!]+$/, '')
}
