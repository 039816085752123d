import { hash } from 'node:crypto'
import type { Message } from '@palimpsest/core'
import { isReplaced } from '../history/replaced-ranges.ts'
import { decodeMessage } from '../messages/decode-message.ts'
import { encodeMessage } from '../messages/encode-message.ts'
import type { LcmSession, SessionHead } from '../store/lcm-session.ts'
import type { EncodedMessage, StoredMessage } from '../store/stored-message.ts'
import { rangeRef } from '../tools/refs.ts'
import type { FaultList } from './fault-list.ts'
import { readRuns } from './read-runs.ts'

const PAGE = 200

export interface CheckContext {
  readonly session: LcmSession
  readonly head: SessionHead
  readonly list: FaultList
}

/**
 * Every message is in its place and agrees with its hash, and its searchable text with its content.
 *
 * @param onMessages Called with the number of messages checked since.
 */
export async function checkMessages(
  context: CheckContext,
  onMessages: (count: number) => void,
): Promise<void> {
  const { session, head, list } = context
  const read = async (first: number, last: number) => {
    const query = { first, last, limit: last - first + 2, includeReplaced: true }
    const messages = await session.messages(query)
    const rows = await session.candidates({ ...query, where: [], order: 'oldest' })
    return { messages, texts: new Map(rows.map(({ seq, text }) => [seq, text])) }
  }
  const lost = createLostRuns(list)
  const report = (seq: number, reason: string) => {
    lost.unreadable(seq, reason)
    onMessages(1)
  }
  const range = { first: 0, last: head.nextSeq - 1, page: PAGE }
  for await (const { first, last, found } of readRuns(range, read, report)) {
    checkNumbers(found.messages, first, last, { list, lost })
    for (const message of found.messages) checkMessage(context, message, found.texts.get(message.seq))
    onMessages(last - first + 1)
  }
  lost.end()
}

function checkNumbers(
  messages: readonly StoredMessage[],
  first: number,
  last: number,
  { list, lost }: { readonly list: FaultList; readonly lost: LostRuns },
): void {
  let expected = first
  for (const { seq } of messages) {
    const ref = `m${seq}`
    if (seq < expected || seq > last) list.about(ref, 'message-order', 'comes twice or out of order')
    for (; expected < seq && expected <= last; expected++) lost.missing(expected)
    expected = Math.max(expected, seq + 1)
  }
  for (; expected <= last; expected++) lost.missing(expected)
}

function checkMessage({ head, list }: CheckContext, message: StoredMessage, text: string | undefined): void {
  const { seq, json, replaced, forgotten } = message
  const ref = `m${seq}`
  if (replaced !== isReplaced(head.replaced, seq))
    list.about(ref, 'message-replaced', 'says another thing about being replaced than the session does')
  if (forgotten !== undefined) {
    if (json !== '' || (text ?? '') !== '')
      list.about(ref, 'forgotten-content', 'was forgotten, but content of it is still there')
  } else if (hash('sha256', json) !== message.hash)
    list.about(ref, 'message-hash', 'is not what was stored: its hash is another')
  else checkEncoding(message, text, list)
}

function checkEncoding(
  { seq, json, role, tokens }: StoredMessage,
  text: string | undefined,
  list: FaultList,
): void {
  const ref = `m${seq}`
  let encoded: EncodedMessage
  try {
    encoded = encodeMessage(JSON.parse(json) as Message, tokens)
  } catch {
    list.about(ref, 'message-json', 'is no JSON')
    return
  }
  if (encoded.role !== role)
    list.about(ref, 'message-role', `is stored as ${role}, but it is ${encoded.role}`)
  if (decodeMessage(encoded.shape, encoded.text) !== json)
    list.about(ref, 'message-codec', 'is not the same after it was taken apart and put together')
  if (text === undefined) list.about(ref, 'message-unsearchable', 'is not there for searches')
  else if (text !== encoded.text)
    list.add('message-text', `searches read another text of m${seq} than it has`, ref)
}

/** Messages that are lost, told as runs: a damaged page takes many neighbours along. */
interface LostRuns {
  missing(seq: number): void
  unreadable(seq: number, reason: string): void
  /** Tells of the last run. */
  end(): void
}

interface Run {
  readonly first: number
  readonly last: number
  readonly code: 'message-missing' | 'message-unreadable'
  readonly reason: string
}

/** Takes lost messages by ascending number, and adds one fault to the list for each run that is lost in the same way. */
function createLostRuns(list: FaultList): LostRuns {
  let run: Run | undefined
  const end = (): void => {
    if (run === undefined) return
    const { first, last, code, reason } = run
    const ref = rangeRef(first, last)
    const count = last - first + 1
    const subject = count === 1 ? ref : `${ref} (${count} messages)`
    const fault =
      code === 'message-unreadable' ? `cannot be read: ${reason}` : `${count === 1 ? 'is' : 'are'} not there`
    list.add(code, `${subject} ${fault}`, ref)
    run = undefined
  }
  const take = (seq: number, code: Run['code'], reason: string): void => {
    if (run?.code === code && run.reason === reason && run.last === seq - 1) run = { ...run, last: seq }
    else {
      end()
      run = { first: seq, last: seq, code, reason }
    }
  }
  return {
    missing: (seq) => take(seq, 'message-missing', ''),
    unreadable: (seq, reason) => take(seq, 'message-unreadable', reason),
    end,
  }
}
