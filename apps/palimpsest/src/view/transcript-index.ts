import { equalValues, isInstruction, type Message, messageText, toolCallsOf } from '@palimpsest/core'
import type { MessageTable } from './message-table.ts'
import { noteKind } from './token-kinds.ts'

/**
 * The transcript by place, with the row of each message in the table. Where the host takes messages back, what it says
 * instead gets rows of its own: of several rows with one place, the last one stands there now.
 */
export interface TranscriptIndex {
  readonly messages: readonly Message[]
  /** How many of them, at the beginning, are system prompts. */
  readonly instructions: number
  /** Tokens of the whole transcript. */
  readonly tokens: number
  rowAt(place: number): number
  /** Takes over the transcript as it is now. Costs a look at each message, and work for each that is new. */
  follow(transcript: readonly Message[], at: number | null): void
  /** The model answered: its message will be the next of the transcript, if the host keeps it. Returns its row. */
  answered(message: Message, at: number | null): number
  /** The last place up to `limit` that a message was said at or is a version of; `exact` when it is the message. */
  find(message: Message, limit: number): { readonly seq: number; readonly exact: boolean } | undefined
}

export function createTranscriptIndex(table: MessageTable): TranscriptIndex {
  let messages: readonly Message[] = []
  let instructions = 0
  const rows: number[] = []
  const byText = new Map<string, number[]>()
  const byResult = new Map<string, number[]>()
  const byCall = new Map<string, number[]>()
  let tokens = 0
  let pending: { readonly row: number; readonly place: number } | undefined

  const sizeOf = (row: number | undefined): number => (row === undefined ? 0 : (table.rows[row]?.tokens ?? 0))

  const cut = (length: number): void => {
    for (const row of rows.splice(length)) tokens -= sizeOf(row)
  }

  const place = (message: Message, seq: number, at: number | null): void => {
    const isAnswer = pending?.place === seq && table.reads(pending.row, message)
    const row = isAnswer && pending !== undefined ? pending.row : table.say(message, kindOf(message), seq, at)
    if (isAnswer) table.settle(row, message)
    tokens += sizeOf(row) - sizeOf(rows[seq])
    rows[seq] = row
    const calls = toolCallsOf(message)
    for (const { id } of calls) note(byCall, id, seq)
    if (message.role === 'tool') note(byResult, message.tool_call_id, seq)
    else if (calls.length === 0) note(byText, messageText(message), seq)
  }

  const lastOf = (
    places: readonly number[] | undefined,
    limit: number,
    holds: (message: Message) => boolean,
  ): number | undefined => {
    let last: number | undefined
    for (const seq of places ?? []) {
      const message = messages[seq]
      if (seq > limit || (last !== undefined && seq < last) || message === undefined) continue
      if (holds(message)) last = seq
    }
    return last
  }

  return {
    get messages() {
      return messages
    },
    get instructions() {
      return instructions
    },
    get tokens() {
      return tokens
    },
    rowAt: (seq) => rows[seq] ?? -1,
    follow(transcript, at) {
      const before = messages
      messages = transcript
      instructions = 0
      while (isInstruction(transcript[instructions])) instructions++
      if (transcript.length < rows.length) cut(transcript.length)
      for (let seq = 0; seq < transcript.length; seq++) {
        const message = transcript[seq]
        if (message !== undefined && (before[seq] !== message || rows[seq] === undefined))
          place(message, seq, at)
      }
      pending = undefined
    },
    answered(message, at) {
      const seq = messages.length
      pending = { row: table.say(message, kindOf(message), seq, at), place: seq }
      return pending.row
    },
    find(message, limit) {
      const candidates =
        message.role === 'tool'
          ? byResult.get(message.tool_call_id)
          : (byCall.get(toolCallsOf(message)[0]?.id ?? '') ?? byText.get(messageText(message)))
      const exact = lastOf(candidates, limit, (other) => equalValues(other, message))
      if (exact !== undefined) return { seq: exact, exact: true }
      const version = lastOf(candidates, limit, (other) => isVersion(message, other))
      return version === undefined ? undefined : { seq: version, exact: false }
    },
  }
}

/** What is said in a transcript; a host may go on from a request, with the summaries of an engine in it. */
function kindOf(message: Message) {
  return isInstruction(message) ? 'system' : (noteKind(message) ?? 'message')
}

/** Characters at the beginning that two versions of a text have in common. */
const COMMON_BEGINNING = 20

/** Whether a message of a request is a message of the transcript in another form: in part, or without its reasoning. */
export function isVersion(shown: Message, said: Message): boolean {
  if (shown.role === 'tool') return said.role === 'tool' && shown.tool_call_id === said.tool_call_id
  const [calls, others] = [toolCallsOf(shown), toolCallsOf(said)]
  if (calls.length > 0 || others.length > 0)
    return calls.length === others.length && calls.every(({ id }, index) => id === others[index]?.id)
  const [text, other] = [messageText(shown), messageText(said)]
  if (text === other) return text !== '' || shown.role === said.role
  const length = Math.min(COMMON_BEGINNING, other.length)
  return said.role === shown.role && length > 0 && text.startsWith(other.slice(0, length))
}

function note(places: Map<string, number[]>, key: unknown, seq: number): void {
  if (typeof key !== 'string') return
  const known = places.get(key)
  if (known === undefined) places.set(key, [seq])
  else if (!known.includes(seq)) known.push(seq)
}
