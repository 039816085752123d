import type { Role } from '@palimpsest/core'

/** A message as extractors read it and the store keeps it: its text with secrets hidden. Tool results have no text. */
export interface SourceMessage {
  /** Index in the session's transcript, from 0. */
  readonly message: number
  readonly turn: number
  readonly role: Role
  /** The words; empty for a tool's result, which is data and decides nothing. */
  readonly text: string
  /** SHA-256 of the whole message as the host gave it, in hexadecimal: tells an edit. */
  readonly hash: string
}
