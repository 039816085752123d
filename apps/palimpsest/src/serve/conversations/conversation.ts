import {
  type ChatModel,
  type ChatResponse,
  type Clock,
  type CompressResult,
  type ContextSession,
  type Message,
  messageText,
  type Prepared,
  runTurn,
  type TokenCounter,
  type TurnSoFar,
  toolCallInput,
  toolCallName,
  toolCallsOf,
  type Warning,
} from '@palimpsest/core'
import type { SessionLock } from '@palimpsest/gateway'
import { ServiceFault } from '../http/service-fault.ts'
import { SERVE_DEFAULTS } from '../serve-defaults.ts'
import type { ConversationRecord, ServiceStore, StoredRequest, TurnRecord } from '../store/service-store.ts'
import { assertFits } from './assert-fits.ts'
import { type PromptBreakdown, promptBreakdown } from './prompt-breakdown.ts'
import type { QueryInput, QueryResult } from './query.ts'
import { hashOfQuery, repeatedAnswer } from './repeated-answer.ts'
import { systemMessage, systemPrompt } from './system-prompt.ts'
import { turnUsage } from './turn-usage.ts'

/** The time that a failed turn's caller waits until the engine has taken it back, in milliseconds. */
const TAKE_BACK_LIMIT = 5_000

/** The warning of a session whose engine failed in a part of its work. */
const ENGINE_FAILED = 'engine-failed'

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
  compact(focus: string | undefined, signal: AbortSignal): Promise<CompressResult>
  close(): Promise<void>
}

/** A call that has the session for itself. */
export interface LockedCall {
  /** Of the caller, and of the lock: aborted when another worker may have the session. */
  readonly signal: AbortSignal
  readonly lock: SessionLock
}

export interface ShownPrompt {
  readonly messages: readonly Message[]
  readonly breakdown: PromptBreakdown
}

export interface ConversationInput {
  readonly record: ConversationRecord
  readonly store: ServiceStore
  readonly session: ContextSession
  /** Metered already. */
  readonly model: ChatModel
  readonly notice: string | undefined
  readonly tokens: TokenCounter
  readonly clock: Clock
}

/** A conversation as it is in memory. */
interface State {
  readonly messages: Message[]
  system: string
  turns: number
  isSpent: boolean
  shown: ShownPrompt | undefined
}

/**
 * Brings a stored conversation back to life: its engine is handed the whole transcript, and recognises in its own store
 * what it knows of it.
 */
export async function openConversation(input: ConversationInput, signal: AbortSignal): Promise<Conversation> {
  const { record, store, session } = input
  const { system, turns } = record
  const messages = await store.messages(record.no)
  const state: State = { messages, system, turns, isSpent: false, shown: undefined }
  if (messages.length > 0) await look(input, state, signal)
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
    async compact(focus, signal) {
      const result = await session.compact({ signal, ...(focus !== undefined && { focusTopic: focus }) })
      if (result.outcome === 'compacted') await look(input, state, signal)
      return result
    },
    close: () => session.end(),
  }
}

async function look(input: ConversationInput, state: State, signal: AbortSignal): Promise<void> {
  const given = [systemMessage(state.system), ...state.messages]
  const prepared = await input.session.prepare(given, { signal })
  heed(input, state, prepared.warnings)
  state.shown = shownPrompt(input, prepared, state.system)
}

function shownPrompt(
  { tokens }: ConversationInput,
  { messages, origins, tools }: Prepared,
  system: string,
): ShownPrompt {
  return { messages, breakdown: promptBreakdown({ messages, origins, tools, system, tokens }) }
}

/** An engine that could not write, such as one that another worker was faster than, begins anew with the next call. */
function heed({ store }: ConversationInput, state: State, warnings: readonly Warning[]): void {
  if (store.kind === 'postgres') state.isSpent ||= warnings.some(({ code }) => code === ENGINE_FAILED)
}

/** Hands the engine the history as it is stored, so that what it read of a failed turn does not count. */
async function takeBack(input: ConversationInput, state: State): Promise<void> {
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
async function isUnchanged({ store, record }: ConversationInput, { turns }: State): Promise<boolean> {
  const stored = await store.find(record.session).catch(() => undefined)
  return stored?.no === record.no && stored.turns === turns
}

async function answerQuery(
  input: ConversationInput,
  state: State,
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
    return await answer(input, state, { prompt, question, request, call })
  } catch (error) {
    // Another worker that has the session takes back what it finds.
    if (call.lock.signal.aborted) state.isSpent = true
    else if (state.turns === before && (!state.isSpent || (await isUnchanged(input, state))))
      await takeBack(input, state)
    throw error
  }
}

interface Asked {
  /** The system prompt. */
  readonly prompt: string
  readonly question: Message
  readonly request: StoredRequest | undefined
  readonly call: LockedCall
}

async function answer(input: ConversationInput, state: State, asked: Asked): Promise<QueryResult> {
  const { session, model } = input
  const { prompt, question, call } = asked
  let result: QueryResult | undefined
  await runTurn<ChatResponse>({
    session,
    messages: [systemMessage(prompt), ...state.messages, question],
    ask: ({ messages, tools, isLast, signal }) =>
      model.chat({ messages, signal, ...(!isLast && tools.length > 0 && { tools }) }),
    runTool: (call, signal) => session.callTool(toolCallName(call), toolCallInput(call), { signal }),
    async onMessage(message, turn) {
      if (message.role !== 'assistant' || toolCallsOf(message).length > 0) return
      const text = messageText(message)
      if (text.trim() === '') throw new ServiceFault(502, 'no-answer', 'the model gave no answer; try again')
      result = await commit(input, state, asked, turn, text)
    },
    maxRounds: SERVE_DEFAULTS.toolRounds + 1,
    signal: call.signal,
  })
  if (result !== undefined) return result
  throw new ServiceFault(502, 'no-answer', 'the model called tools again and again and gave no answer')
}

/** Stores a turn with its answer, before the engine and the caller hear of it. */
async function commit(
  input: ConversationInput,
  state: State,
  { prompt, question, request, call }: Asked,
  turn: TurnSoFar<ChatResponse>,
  text: string,
): Promise<QueryResult> {
  const { store, record, model, notice, clock } = input
  heed(input, state, turn.warnings)
  const shown = shownPrompt(input, turn.prepared, prompt)
  const usages = turn.answers.flatMap(({ usage }) => usage ?? [])
  const result: QueryResult = {
    answer: text,
    session: record.session,
    turn: state.turns + 1,
    offline: notice !== undefined,
    ...(notice !== undefined && { notice }),
    breakdown: shown.breakdown,
    usage: turnUsage(usages, model.name),
    compactions: turn.compactions.filter(({ outcome }) => outcome === 'compacted').length,
    warnings: turn.warnings.map(({ code, message }) => ({ code, message })),
  }
  const messages = [question, ...turn.messages]
  // The signal is not looked at between the commit and what follows it.
  call.signal.throwIfAborted()
  const stored: TurnRecord = {
    conversation: record.no,
    turn: state.turns + 1,
    system: prompt,
    messages,
    request,
    response: JSON.stringify(result),
    at: clock.now(),
    token: call.lock.token,
  }
  await store.commitTurn(stored).catch((error: unknown) => {
    state.isSpent = true
    throw error
  })
  state.messages.push(...messages)
  state.turns++
  state.system = prompt
  state.shown = shown
  return result
}

function questionText({ query, task }: QueryInput): string {
  return task === undefined || task.trim() === '' ? query : `Task: ${task}\n\n${query}`
}
