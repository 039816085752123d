import {
  checkMessage,
  createPause,
  isBridge,
  isSummary,
  type Message,
  messageText,
  redactMessage,
  toolCallsOf,
} from '@palimpsest/core'
import type { ArtifactTouch } from '../candidates/artifact-touch.ts'
import type { Candidate } from '../candidates/candidate.ts'
import type { SourceMessage } from '../candidates/source-message.ts'
import { extractMessage } from '../extract/extract-message.ts'
import { touchesOf } from '../extract/touches-of.ts'
import { sourceOf } from './source-of.ts'

/** Where a reading of the transcript stands: what the next message may refer to. */
export interface ReadingState {
  /** Number of the user's messages so far. */
  readonly turn: number
  /** The last message of the assistant that says something. */
  readonly said?: { readonly index: number; readonly text: string }
  /** The last message of the assistant that makes calls, with the results that came. */
  readonly calls?: {
    readonly index: number
    readonly message: Message
    readonly count: number
    readonly results: Message[]
  }
}

export const BEGINNING: ReadingState = { turn: 0 }

/** The content of some messages, before it is known what that means for the log. */
export interface Reading {
  readonly sources: readonly SourceMessage[]
  readonly candidates: readonly Candidate[]
  readonly touches: readonly ArtifactTouch[]
  readonly state: ReadingState
  /** Indices of messages whose reading took too long: no decision is taken from them. */
  readonly givenUp: readonly number[]
}

/** The rules read one message for this long, in milliseconds of the processor. Long messages take a few of them. */
const READING_LIMIT_MS = 200

class ReadingTooLong extends Error {}

/** The processor's clock is asked again after so many milliseconds: asking costs as much as reading a short message. */
const CLOCK_STEP_MS = 50

let clock = { askedAt: Number.NEGATIVE_INFINITY, time: 0 }

/** Milliseconds of the processor: on a busy machine a message is read as it is on an idle one. */
function processorTime(): number {
  const askedAt = performance.now()
  if (askedAt - clock.askedAt < CLOCK_STEP_MS) return clock.time
  const { user, system } = process.cpuUsage()
  clock = { askedAt, time: (user + system) / 1000 }
  return clock.time
}

/** The first reading of a process builds the rules, and may take as long as that takes. */
let areRulesBuilt = false

/**
 * Reads the messages of a transcript from `from` on; those before `newFrom` are only walked over, for what later ones
 * refer to. Summaries, bridges and broken messages are not read, nor are proposals of the assistant before `worthFrom`,
 * unless the user replies to them. `now` is read between sentences, in milliseconds.
 */
export async function readNewMessages(
  messages: readonly Message[],
  {
    from,
    newFrom,
    worthFrom,
    state: before,
  }: { from: number; newFrom: number; worthFrom: number; state: ReadingState },
  now = processorTime,
): Promise<Reading> {
  const pause = createPause()
  const sources: SourceMessage[] = []
  const candidates: Candidate[] = []
  const touches: ArtifactTouch[] = []
  const givenUp: number[] = []
  let state = before
  // The reading adds to its own list of results: a new one for each of thousands would be too much.
  if (before.calls) state = { ...before, calls: { ...before.calls, results: [...before.calls.results] } }
  for (const [offset, message] of messages.entries()) {
    await pause()
    const index = from + offset
    const isNew = index >= newFrom
    const isSound = checkMessage(message).length === 0
    const isOwn = isSound && (isSummary(message) || isBridge(message))
    if (message.role === 'user' && !isOwn) state = { ...state, turn: state.turn + 1 }
    const source = sourceOf(message, index, Math.max(1, state.turn))
    if (isNew) sources.push(source)
    if (!isSound || isOwn) continue
    const isRead = isNew && (index >= worthFrom || message.role === 'user')
    const read = isRead ? extract(message, index, state, now) : []
    if (read === undefined) givenUp.push(index)
    else candidates.push(...read)
    state = follow(message, source, state)
    const { calls } = state
    if (isNew && message.role === 'tool' && calls && calls.results.length >= calls.count)
      touches.push(...touchesOf({ ...calls, message: redactMessage(calls.message), turn: source.turn }))
  }
  return { sources, candidates, touches, state, givenUp }
}

/** Undefined when it takes too long. */
function extract(
  message: Message,
  index: number,
  { said }: ReadingState,
  now: () => number,
): readonly Candidate[] | undefined {
  // Nothing else says anything, and results are long.
  if (message.role !== 'user' && message.role !== 'assistant') return []
  const redacted = redactMessage(message)
  const end = areRulesBuilt ? now() + READING_LIMIT_MS : Number.POSITIVE_INFINITY
  try {
    return extractMessage({
      index,
      message: redacted,
      ...(message.role === 'user' && said && { previous: said }),
      onSentence() {
        if (now() > end) throw new ReadingTooLong()
      },
    })
  } catch (error) {
    if (error instanceof ReadingTooLong) return undefined
    throw error
  } finally {
    areRulesBuilt = true
  }
}

function follow(
  message: Message,
  { message: index, text }: SourceMessage,
  state: ReadingState,
): ReadingState {
  if (message.role === 'tool') {
    state.calls?.results.push(message)
    return state
  }
  const { calls: _, ...rest } = state
  if (message.role !== 'assistant') return rest
  const { length: count } = toolCallsOf(message)
  return {
    ...rest,
    ...(messageText(message).trim() !== '' && { said: { index, text } }),
    ...(count > 0 && { calls: { index, message, count, results: [] } }),
  }
}
