import { hash } from 'node:crypto'
import type { Message } from '@palimpsest/core'
import { isReplaced } from '../history/replaced-ranges.ts'
import { decodeMessage } from '../messages/decode-message.ts'
import { encodeMessage } from '../messages/encode-message.ts'
import type { LcmSession, SessionHead } from '../store/lcm-session.ts'
import type { EncodedMessage, StoredMessage } from '../store/stored-message.ts'
import type { FaultList } from './fault-list.ts'
import { readOrReport } from './read-or-report.ts'

/** Messages that are read at a time. */
const PAGE = 200

/** What checking needs to know of a session. */
export interface CheckContext {
  readonly session: LcmSession
  readonly head: SessionHead
  readonly list: FaultList
}

/**
 * Every message from `from` on is there, in its place, and what its hash says; what a search reads of it is what
 * stands in it.
 *
 * @param onMessages Is told how many more were checked.
 */
export async function checkMessages(
  context: CheckContext,
  from: number,
  onMessages: (count: number) => void,
): Promise<void> {
  const { nextSeq } = context.head
  for (let first = from; first < nextSeq; first += PAGE) {
    const last = Math.min(first + PAGE, nextSeq) - 1
    await checkRun(context, first, last)
    onMessages(last - first + 1)
  }
}

/** A run that cannot be read is halved until the message is found that is to blame. */
async function checkRun(context: CheckContext, first: number, last: number): Promise<void> {
  const { session, list } = context
  let reason = ''
  const query = { first, last, limit: last - first + 2, includeReplaced: true } as const
  const read = async () => ({
    messages: await session.messages(query),
    rows: await session.candidates({ ...query, where: [], order: 'oldest' }),
  })
  const found = await readOrReport(read, (text) => {
    reason = text
  })
  if (found !== undefined) {
    checkNumbers(found.messages, first, last, list)
    const texts = new Map(found.rows.map(({ seq, text }) => [seq, text]))
    for (const message of found.messages) checkMessage(context, message, texts.get(message.seq))
  } else if (first === last)
    list.add('message-unreadable', `m${first} cannot be read: ${reason}`, `m${first}`)
  else {
    const middle = Math.floor((first + last) / 2)
    await checkRun(context, first, middle)
    await checkRun(context, middle + 1, last)
  }
}

function checkNumbers(
  messages: readonly StoredMessage[],
  first: number,
  last: number,
  list: FaultList,
): void {
  let expected = first
  for (const { seq } of messages) {
    const ref = `m${seq}`
    if (seq < expected || seq > last) list.add('message-order', `m${seq} comes twice or out of order`, ref)
    for (; expected < seq && expected <= last; expected++) reportMissing(expected, list)
    expected = Math.max(expected, seq + 1)
  }
  for (; expected <= last; expected++) reportMissing(expected, list)
}

function reportMissing(seq: number, list: FaultList): void {
  list.add('message-missing', `m${seq} is not there`, `m${seq}`)
}

function checkMessage({ head, list }: CheckContext, message: StoredMessage, text: string | undefined): void {
  const { seq, json, replaced, forgotten } = message
  const ref = `m${seq}`
  if (replaced !== isReplaced(head.replaced, seq))
    list.add('message-replaced', `m${seq} says another thing about being replaced than the session does`, ref)
  if (forgotten !== undefined) {
    if (json !== '' || (text ?? '') !== '')
      list.add('forgotten-content', `m${seq} was forgotten, but content of it is still there`, ref)
  } else if (hash('sha256', json) !== message.hash)
    list.add('message-hash', `m${seq} is not what was stored: its hash is another`, ref)
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
    list.add('message-json', `m${seq} is no JSON`, ref)
    return
  }
  if (encoded.role !== role)
    list.add('message-role', `m${seq} is stored as ${role}, but it is ${encoded.role}`, ref)
  if (decodeMessage(encoded.shape, encoded.text) !== json)
    list.add('message-codec', `m${seq} is not the same after it was taken apart and put together`, ref)
  if (text === undefined) list.add('message-unsearchable', `m${seq} is not there for searches`, ref)
  else if (text !== encoded.text)
    list.add('message-text', `searches read another text of m${seq} than it has`, ref)
}
