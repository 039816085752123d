import {
  checkMessage,
  createPause,
  isBridge,
  isSummary,
  type Message,
  messageText,
  toolCallsOf,
} from '@palimpsest/core'
import { redactMessage } from '@palimpsest/core/summarizer'
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
  readonly calls?: { readonly index: number; readonly message: Message; readonly results: readonly Message[] }
}

export const BEGINNING: ReadingState = { turn: 0 }

/** The content of some messages, before it is known what that means for the log. */
export interface Reading {
  readonly sources: readonly SourceMessage[]
  readonly candidates: readonly Candidate[]
  readonly touches: readonly ArtifactTouch[]
  readonly state: ReadingState
}

/**
 * Reads the messages of a transcript from `from` on; those before `newFrom` are only walked over, for what later ones
 * refer to. Summaries, bridges and broken messages are not read.
 */
export async function readNewMessages(
  messages: readonly Message[],
  { from, newFrom, state: before }: { from: number; newFrom: number; state: ReadingState },
): Promise<Reading> {
  const pause = createPause()
  const sources: SourceMessage[] = []
  const candidates: Candidate[] = []
  const touches: ArtifactTouch[] = []
  let state = before
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
    if (isNew) candidates.push(...extract(message, index, state))
    state = follow(message, source, state)
    const { calls } = state
    if (isNew && message.role === 'tool' && calls && isAnswered(calls))
      touches.push(...touchesOf({ ...calls, message: redactMessage(calls.message), turn: source.turn }))
  }
  return { sources, candidates, touches, state }
}

function extract(message: Message, index: number, { said }: ReadingState): readonly Candidate[] {
  const redacted = redactMessage(message)
  return extractMessage({
    index,
    message: redacted,
    ...(message.role === 'user' && said && { previous: said }),
  })
}

function follow(
  message: Message,
  { message: index, text }: SourceMessage,
  state: ReadingState,
): ReadingState {
  if (message.role === 'tool') {
    const { calls } = state
    return calls ? { ...state, calls: { ...calls, results: [...calls.results, message] } } : state
  }
  const { calls: _, ...rest } = state
  if (message.role !== 'assistant') return rest
  const isCalling = toolCallsOf(message).length > 0
  return {
    ...rest,
    ...(messageText(message).trim() !== '' && { said: { index, text } }),
    ...(isCalling && { calls: { index, message, results: [] } }),
  }
}

function isAnswered({ message, results }: NonNullable<ReadingState['calls']>): boolean {
  return results.length >= toolCallsOf(message).length
}
