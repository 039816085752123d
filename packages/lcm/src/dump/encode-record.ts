import type { Message } from '@palimpsest/core'
import { encodeMessage } from '../messages/encode-message.ts'
import type { DumpRecord } from '../store/dump-record.ts'
import type { NewMessage } from '../store-kit/plan-write.ts'
import { invalidDump } from './invalid-dump.ts'

/**
 * The message of a record as a store writes it down, with the text that a search reads made anew.
 *
 * @throws StoreError `INVALID_DUMP` when it is no JSON.
 */
export function encodeRecord(record: Extract<DumpRecord, { type: 'message' }>): NewMessage {
  const { seq, role, hostId, at, tokens, hash, json, forgotten } = record
  const kept = { seq, role, at, tokens, hash, ...(hostId !== undefined && { hostId }) }
  if (forgotten !== undefined)
    return {
      ...kept,
      json: '',
      text: '',
      shape: '',
      forgotten: { at: forgotten.at, reason: forgotten.reason },
    }
  try {
    const { text, shape } = encodeMessage(JSON.parse(json) as Message, tokens)
    return { ...kept, json, text, shape }
  } catch (cause) {
    throw invalidDump(`m${seq} is no message`, cause)
  }
}
