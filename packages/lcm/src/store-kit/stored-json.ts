import { decodeMessage } from '../messages/decode-message.ts'
import { unpackName } from './stored-values.ts'

/** What a row of a message or a summary says of the deletion of its content. */
export interface TombstoneColumns {
  readonly forgotten_at: number | null
  /** A packed name. */
  readonly forgotten_reason: string | null
}

/** It as messages and summaries have it. */
export function forgottenOf(row: TombstoneColumns): { forgotten?: { at: number; reason: string } } {
  const { forgotten_at: at, forgotten_reason: reason } = row
  return at === null ? {} : { forgotten: { at, reason: unpackName(reason ?? '') } }
}

/**
 * The JSON text of a stored message. What is damaged is given out as it was found: its hash tells, and the rest of
 * the page can be read.
 */
export function storedJson(
  row: Pick<TombstoneColumns, 'forgotten_at'> & { readonly shape: string; readonly text: string },
): string {
  const { shape, text, forgotten_at: forgotten } = row
  if (forgotten !== null) return ''
  try {
    return decodeMessage(shape, text)
  } catch {
    return `${shape}\n${text}`
  }
}
