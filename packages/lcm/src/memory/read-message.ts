import type { Message } from '@palimpsest/core'
import { invalidDump } from '../dump/invalid-dump.ts'
import { encodeMessage } from '../messages/encode-message.ts'
import type { DumpRecord } from '../store/dump-record.ts'
import type { MessageRow } from './session-state.ts'

/**
 * The message of a record, with the text that searches read made anew.
 *
 * @throws StoreError `INVALID_DUMP` when it is no JSON.
 */
export function readMessage(record: Extract<DumpRecord, { type: 'message' }>): MessageRow {
  const { seq, role, hostId, at, tokens, hash, json, forgotten } = record
  return Object.freeze({
    ...{ seq, role, at, tokens, hash, json },
    ...(hostId === undefined ? {} : { hostId }),
    ...(forgotten === undefined
      ? { text: textOf(record) }
      : { json: '', text: '', forgotten: Object.freeze({ at: forgotten.at, reason: forgotten.reason }) }),
  })
}

function textOf({ seq, json, tokens }: Extract<DumpRecord, { type: 'message' }>): string {
  try {
    return encodeMessage(JSON.parse(json) as Message, tokens).text
  } catch (cause) {
    throw invalidDump(`m${seq} is no message`, cause)
  }
}
