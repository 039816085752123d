import { createHash } from 'node:crypto'
import {
  type CompressResult,
  type ContextSession,
  countMessages,
  type Message,
  type TokenCounter,
} from '@palimpsest/core'
import type { QueryResult } from '../http/schemas.ts'
import { ServiceFault } from '../http/service-fault.ts'
import type { ConversationRecord } from '../store/service-store.ts'
import { answerTurn } from './answer-turn.ts'
import {
  type ConversationInput,
  type ConversationState,
  heed,
  type LockedCall,
  type QueryInput,
  type ShownPrompt,
  shownPrompt,
} from './conversation-state.ts'
import { systemMessage, systemPrompt } from './system-prompt.ts'

/** The time that a failed turn's caller waits until the engine has taken it back, in milliseconds. */
const TAKE_BACK_LIMIT = 5_000

/** One conversation in memory. Its owner calls one method at a time, and has the session for itself meanwhile. */
export interface Conversation {
  readonly record: ConversationRecord
  readonly session: ContextSession
  readonly turns: number
  /**
   * True when the stores may have something else than what is in memory here: a write failed, or another worker may have
   * gone on. What comes next has to be read from the stores.
   */
  readonly isSpent: boolean
  /** The latest prompt; undefined before the first. */
  readonly shown: ShownPrompt | undefined
  /** Answers, and stores the turn before it returns. What is rejected leaves nothing behind. */
  query(input: QueryInput, call: LockedCall): Promise<QueryResult>
  /** Compacts now, and shows the engine's projection of it. */
  compact(focus: string | undefined, call: LockedCall): Promise<CompressResult>
  close(): Promise<void>
}

/**
 * Brings a stored conversation back to life: its engine is handed the whole transcript, and recognises in its own store
 * what it knows of it. Rejects when the two contradict each other.
 */
export async function openConversation(input: ConversationInput, signal: AbortSignal): Promise<Conversation> {
  const { record, store, session, projection } = input
  const { system, turns } = record
  const messages = await store.messages(record.no)
  const state: ConversationState = {
    ...{ messages, system, turns, projection },
    ...{ isSpent: false, shown: undefined },
  }
  if (messages.length > 0) {
    await input.assertSame([systemMessage(system), ...messages])
    await look(input, state, signal)
  }
  return {
    record,
    session,
    get turns() {
      return state.turns
    },
    get isSpent() {
      return state.isSpent
    },
    get shown() {
      return state.shown
    },
    query: (query, call) => answerQuery(input, state, query, call),
    async compact(focus, { signal, lock }) {
      const result = await session.compact({ signal, ...(focus !== undefined && { focusTopic: focus }) })
      if (result.outcome === 'compacted') await look(input, state, signal)
      await keepProjection(input, state, lock.token)
      return result
    },
    close: () => session.end(),
  }
}

async function look(input: ConversationInput, state: ConversationState, signal: AbortSignal): Promise<void> {
  const given = [systemMessage(state.system), ...state.messages]
  const prepared = await input.session.prepare(given, { signal })
  heed(input, state, prepared.warnings)
  state.shown = shownPrompt(input, prepared, state.system)
}

/** Stores what the session keeps of its last compaction, if that is another one than is stored. */
async function keepProjection(
  { store, record, session }: ConversationInput,
  state: ConversationState,
  token: number,
): Promise<void> {
  const { stored } = session
  if (stored === state.projection) return
  const kept = { conversation: record.no, projection: stored ?? null, token }
  await store.keepProjection(kept).catch((error: unknown) => {
    state.isSpent = true
    throw error
  })
  state.projection = stored
}

/** Hands the engine the history as it is stored, so that what it read of a failed turn does not count. */
async function takeBack(input: ConversationInput, state: ConversationState): Promise<void> {
  const prompt = state.system === '' ? systemPrompt(input.record.repoName, []) : state.system
  const given = [systemMessage(prompt), ...state.messages]
  const signal = AbortSignal.timeout(TAKE_BACK_LIMIT)
  // A failure here is made up for when the conversation is read again: the engine is handed the history then, too.
  try {
    heed(input, state, (await input.session.prepare(given, { signal })).warnings)
  } catch {
    state.isSpent = true
  }
}

/** After a write that failed: whether the turn is certainly not stored. */
async function isUnchanged(
  { store, record }: ConversationInput,
  { turns }: ConversationState,
): Promise<boolean> {
  const stored = await store.find(record.session).catch(() => undefined)
  return stored?.no === record.no && stored.turns === turns
}

async function answerQuery(
  input: ConversationInput,
  state: ConversationState,
  query: QueryInput,
  call: LockedCall,
): Promise<QueryResult> {
  const { store, record, session, tokens } = input
  const hash = hashOfQuery(query)
  const { requestId } = query
  const known = requestId === undefined ? undefined : await store.findResponse(record.no, requestId)
  if (known !== undefined) return repeatedAnswer(known, hash, requestId)
  const request = requestId === undefined ? undefined : { id: requestId, hash }
  const keepsPrompt = query.codes === undefined && state.system !== ''
  const prompt = keepsPrompt ? state.system : systemPrompt(record.repoName, query.codes ?? [])
  const question: Message = { role: 'user', content: questionText(query) }
  assertFits([systemMessage(prompt), question], session.engine.contextLength, tokens)
  const before = state.turns
  try {
    return await answerTurn(input, state, { prompt, question, request, call })
  } catch (error) {
    // Another worker that has the session takes back what it finds.
    if (call.lock.signal.aborted) state.isSpent = true
    else if (state.turns === before && (!state.isSpent || (await isUnchanged(input, state))))
      await takeBack(input, state)
    throw error
  }
}

function questionText({ query, task }: QueryInput): string {
  return task === undefined || task.trim() === '' ? query : `Task: ${task}\n\n${query}`
}

/**
 * Refuses what no compaction can help: the system prompt and the question are in every prompt as they are. Nothing has
 * been stored by then.
 *
 * @param windowTokens the model's window.
 * @throws ServiceFault 422.
 */
function assertFits(
  messages: readonly [system: Message, question: Message],
  windowTokens: number,
  tokens: TokenCounter,
): void {
  const [system, question] = messages
  const counts = { query: tokens.countMessage(question), relevantCodes: tokens.countMessage(system) }
  const total = countMessages(tokens, messages)
  if (total <= windowTokens) return
  const path = counts.query >= counts.relevantCodes ? 'query' : 'relevantCodes'
  throw new ServiceFault(
    422,
    'context-overflow',
    `the query takes about ${counts.query} tokens and the system prompt with its code ${counts.relevantCodes}, ` +
      `which is more than the window of ${windowTokens}; send less, or serve with a larger --window`,
    { path },
  )
}

/** Tells whether two queries ask the same. */
function hashOfQuery({ query, task, codes }: QueryInput): string {
  const asked = JSON.stringify([query, task ?? null, codes ?? null])
  return createHash('sha256').update(asked).digest('hex')
}

/**
 * The stored answer to a query that was asked before under the same id.
 *
 * @throws ServiceFault 409 when the id was used for another query.
 */
function repeatedAnswer(
  known: { readonly hash: string; readonly response: string },
  hash: string,
  requestId: string | undefined,
): QueryResult {
  if (known.hash !== hash)
    throw new ServiceFault(409, 'request-id-taken', `requestId "${requestId}" was used for another query`, {
      path: 'requestId',
    })
  return { ...(JSON.parse(known.response) as QueryResult), repeated: true }
}
