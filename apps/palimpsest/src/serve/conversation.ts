import { createHash } from 'node:crypto'
import {
  type ChatModel,
  type ChatResponse,
  type Clock,
  type CompressResult,
  type ContextSession,
  countMessages,
  findLastUser,
  isInstruction,
  type Message,
  messageText,
  type Prepared,
  readSummary,
  runTurn,
  type StoredProjection,
  type TokenCounter,
  type TurnSoFar,
  toolCallInput,
  toolCallName,
  toolCallsOf,
  type Usage,
  type Warning,
} from '@palimpsest/core'
import type { SessionLock } from '@palimpsest/gateway'
import type { PromptCache } from '../prompt-cache.ts'
import type { PromptBreakdown, QueryResult } from './http/schemas.ts'
import { ServiceFault } from './http/service-fault.ts'
import { type PaidTokens, paidTokens, priceOf } from './models/price-of.ts'
import { SERVE_DEFAULTS } from './serve-defaults.ts'
import type { ConversationRecord, ServiceStore, TurnRecord } from './store/service-store.ts'
import { type CodePiece, systemMessage, systemPrompt } from './system-prompt.ts'

/** Milliseconds that a failed turn's caller waits until the engine has taken it back. */
const TAKE_BACK_LIMIT = 5_000

/** A call that has the session for itself. */
export interface LockedCall {
  /** Of the caller, and of the lock: aborted when another worker may have the session. */
  readonly signal: AbortSignal
  readonly lock: SessionLock
}

interface QueryInput {
  readonly query: string
  /** The frame of the question; it is said before it. */
  readonly task?: string | undefined
  /** Code for this turn; without it, that of the turn before stays. */
  readonly codes?: readonly CodePiece[] | undefined
  /** The caller's name for this request: asked again, it is answered from the record. */
  readonly requestId?: string | undefined
}

interface ConversationInput {
  readonly record: ConversationRecord
  readonly store: ServiceStore
  readonly session: ContextSession
  /** What is stored of the session's last compaction. */
  readonly projection: StoredProjection | undefined
  /** Holds the list against what the engine stored of it. Rejects when they contradict each other. */
  readonly assertSame: (messages: readonly Message[]) => Promise<void>
  /** Metered already. */
  readonly model: ChatModel
  /** Of the model's provider. */
  readonly promptCache: Pick<PromptCache, 'mark'>
  /** What to say of an answer without a model. */
  readonly notice: string | undefined
  readonly tokens: TokenCounter
  readonly clock: Clock
}

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
  /** Of the latest prompt; null before the first. */
  readonly shown: { readonly breakdown: PromptBreakdown; readonly summary: string | null } | null
  /** Answers, and stores the turn before it returns. What is rejected leaves nothing behind. */
  query(input: QueryInput, call: LockedCall): Promise<QueryResult>
  compact(focus: string | undefined, call: LockedCall): Promise<CompressResult>
  close(): Promise<void>
}

/**
 * Brings a stored conversation back to life: its engine is handed the whole transcript, and recognises in its own store
 * what it knows of it. Rejects when the two contradict each other.
 */
export async function openConversation(input: ConversationInput, signal: AbortSignal): Promise<Conversation> {
  const { record, store, session, model, promptCache, notice, tokens, clock } = input
  const messages: Message[] = await store.messages(record.no)
  let { system, turns } = record
  let { projection } = input
  let isSpent = false
  let shown: Conversation['shown'] = null

  /** An engine that could not write, such as one that another worker was faster than, begins anew with the next call. */
  const heed = (warnings: readonly Warning[]): void => {
    if (store.kind === 'postgres') isSpent ||= warnings.some(({ code }) => code === 'engine-failed')
  }
  const show = (prepared: Prepared, prompt: string): PromptBreakdown => {
    const breakdown = breakdownOf(prepared, prompt, tokens)
    shown = { breakdown, summary: summaryIn(prepared.messages) }
    return breakdown
  }
  const look = async (prompt: string, signal: AbortSignal): Promise<void> => {
    const prepared = await session.prepare([systemMessage(prompt), ...messages], { signal })
    heed(prepared.warnings)
    show(prepared, prompt)
  }
  const write = (work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => {
      isSpent = true
      throw error
    })

  /** Stores a turn before the engine and the caller hear of its answer. */
  const commit = async (
    question: Message,
    prompt: string,
    text: string,
    turn: TurnSoFar<ChatResponse>,
    request: TurnRecord['request'],
    { signal, lock }: LockedCall,
  ): Promise<QueryResult> => {
    heed(turn.warnings)
    const result: QueryResult = {
      answer: text,
      session: record.session,
      turn: turns + 1,
      offline: notice !== undefined,
      ...(notice !== undefined && { notice }),
      breakdown: breakdownOf(turn.prepared, prompt, tokens),
      usage: turnUsage(
        turn.answers.flatMap(({ usage }) => usage ?? []),
        model.name,
      ),
      compactions: turn.compactions.filter(({ outcome }) => outcome === 'compacted').length,
      warnings: turn.warnings.map(({ code, message }) => ({ code, message })),
    }
    const added = [question, ...turn.messages]
    const { stored } = session
    // The signal is not looked at between the commit and what follows it.
    signal.throwIfAborted()
    const change = stored === projection ? {} : { projection: stored ?? null }
    await write(
      store.commitTurn({
        ...{ conversation: record.no, turn: turns + 1, system: prompt, messages: added, request },
        ...{ response: JSON.stringify(result), at: clock.now(), token: lock.token, ...change },
      }),
    )
    messages.push(...added)
    turns++
    system = prompt
    projection = stored
    show(turn.prepared, prompt)
    return result
  }

  /** @throws ServiceFault 502 when no words come. */
  const answer = async (
    question: Message,
    prompt: string,
    request: TurnRecord['request'],
    call: LockedCall,
  ): Promise<QueryResult> => {
    let result: QueryResult | undefined
    await runTurn<ChatResponse>({
      session,
      messages: [systemMessage(prompt), ...messages, question],
      ask: (request) => {
        const { tools, isLast, signal } = request
        const { messages } = promptCache.mark(request, request.cache)
        const offered = !isLast && tools.length > 0 && { tools }
        return model.chat({ messages, cache: request.cache, signal, ...offered })
      },
      runTool: (call, signal) => session.callTool(toolCallName(call), toolCallInput(call), { signal }),
      async onMessage(message, turn) {
        if (message.role !== 'assistant' || toolCallsOf(message).length > 0) return
        const text = messageText(message)
        if (text.trim() === '')
          throw new ServiceFault(502, 'no-answer', 'the model gave no answer; try again')
        result = await commit(question, prompt, text, turn, request, call)
      },
      maxRounds: SERVE_DEFAULTS.toolRounds + 1,
      signal: call.signal,
    })
    if (result !== undefined) return result
    throw new ServiceFault(502, 'no-answer', 'the model called tools again and again and gave no answer')
  }

  if (messages.length > 0) {
    await input.assertSame([systemMessage(system), ...messages])
    await look(system, signal)
  }
  return {
    record,
    session,
    get turns() {
      return turns
    },
    get isSpent() {
      return isSpent
    },
    get shown() {
      return shown
    },
    async query(query, call) {
      const { requestId } = query
      const hash = hashOfQuery(query)
      const known = requestId === undefined ? undefined : await store.findResponse(record.no, requestId)
      if (known !== undefined) return repeatedAnswer(known, hash, requestId)
      const keepsPrompt = query.codes === undefined && system !== ''
      const prompt = keepsPrompt ? system : systemPrompt(record.repoName, query.codes ?? [])
      const question: Message = { role: 'user', content: questionText(query) }
      assertFits(systemMessage(prompt), question, session.engine.contextLength, tokens)
      try {
        const request = requestId === undefined ? undefined : { id: requestId, hash }
        return await answer(question, prompt, request, call)
      } catch (error) {
        // Another worker that has the session takes back what it finds.
        isSpent ||= call.lock.signal.aborted
        // The engine is handed the history as it is stored, so that what it read of the failed turn does not count.
        const stored = system === '' ? systemPrompt(record.repoName, []) : system
        if (!isSpent)
          await look(stored, AbortSignal.timeout(TAKE_BACK_LIMIT)).catch(() => {
            isSpent = true
          })
        throw error
      }
    },
    async compact(focus, { signal, lock }) {
      const result = await session.compact({ signal, ...(focus !== undefined && { focusTopic: focus }) })
      if (result.outcome === 'compacted') await look(system, signal)
      const { stored } = session
      if (stored === projection) return result
      const kept = { conversation: record.no, projection: stored ?? null, token: lock.token }
      await write(store.keepProjection(kept))
      projection = stored
      return result
    },
    close: () => session.end(),
  }
}

function questionText({ query, task }: QueryInput): string {
  return task === undefined || task.trim() === '' ? query : `Task: ${task}\n\n${query}`
}

/**
 * Refuses what no compaction can help: the system prompt and the question are in every prompt as they are.
 *
 * @throws ServiceFault 422.
 */
function assertFits(system: Message, question: Message, window: number, tokens: TokenCounter): void {
  if (countMessages(tokens, [system, question]) <= window) return
  const counts = { query: tokens.countMessage(question), relevantCodes: tokens.countMessage(system) }
  const path = counts.query >= counts.relevantCodes ? 'query' : 'relevantCodes'
  throw new ServiceFault(
    422,
    'context-overflow',
    `the query takes about ${counts.query} tokens and the system prompt with its code ${counts.relevantCodes}, ` +
      `which is more than the window of ${window}; send less, or serve with a larger --window`,
    { path },
  )
}

/** Tells whether two queries ask the same. */
function hashOfQuery({ query, task, codes }: QueryInput): string {
  const asked = JSON.stringify([query, task ?? null, codes ?? null])
  return createHash('sha256').update(asked).digest('hex')
}

/** @throws ServiceFault 409 when the id was used for another query. */
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

/** Counts a prompt by what it consists of. `system`: the system prompt without what the engine added. */
function breakdownOf(
  { messages, origins, tools }: Prepared,
  system: string,
  tokens: TokenCounter,
): PromptBreakdown {
  const counts = { system: 0, notes: 0, summaries: 0, messages: 0, query: 0, tools: tokens.countTools(tools) }
  const query = findLastUser(messages)
  for (const [index, message] of messages.entries()) {
    const count = tokens.countMessage(message)
    if (isInstruction(message)) {
      const own = Math.min(count, tokens.countMessage(systemMessage(system)))
      counts.system += own
      counts.notes += count - own
    } else if (origins[index]?.from === 'summary') counts.summaries += count
    else if (origins[index]?.from === 'note') counts.notes += count
    else if (index === query) counts.query += count
    else counts.messages += count
  }
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return { ...counts, total }
}

/** The beginning of the assistant's turn that the decisions engine puts next to the query. */
const SUMMARY = /^<conversation_summary>\n([\s\S]*)\n<\/conversation_summary>$/

/** The text of the first summary of a projection, whichever engine put it there. */
function summaryIn(messages: readonly Message[]): string | null {
  for (const message of messages) {
    const summary =
      message.role === 'assistant' ? SUMMARY.exec(messageText(message))?.[1] : readSummary(message)
    if (summary !== undefined) return summary
  }
  return null
}

/** The usage of a turn's requests together; null when the provider reported nothing, as offline. */
function turnUsage(usages: readonly Usage[], model: string): QueryResult['usage'] {
  if (usages.length === 0) return null
  const paid = usages.map(paidTokens)
  const sum = (count: keyof PaidTokens) => paid.reduce((total, tokens) => total + tokens[count], 0)
  const tokens = {
    promptTokens: sum('promptTokens'),
    cachedTokens: sum('cachedTokens'),
    writtenTokens: sum('writtenTokens'),
    writtenLongTokens: sum('writtenLongTokens'),
    completionTokens: sum('completionTokens'),
  }
  return { model, requests: usages.length, ...tokens, usd: priceOf(model, tokens) }
}
