import type { Role } from '@palimpsest/core'

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
