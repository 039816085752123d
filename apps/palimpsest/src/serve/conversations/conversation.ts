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
import type { SessionHold } from '@palimpsest/gateway'
import { ServiceFault } from '../http/service-fault.ts'
import { SERVE_DEFAULTS } from '../serve-defaults.ts'
import type { ConversationRecord, ServiceStore, StoredRequest, TurnRecord } from '../store/service-store.ts'
import { assertFits } from './assert-fits.ts'
import { type PromptBreakdown, promptBreakdown } from './prompt-breakdown.ts'
import type { QueryInput, QueryResult } from './query.ts'
import { hashOfQuery, repeatedAnswer } from './repeated-answer.ts'
import { systemMessage, systemPrompt } from './system-prompt.ts'
import { turnUsage } from './turn-usage.ts'

/** How long a failed turn's caller waits at most until the engine has taken it back, in milliseconds. */
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
  query(input: QueryInput, held: HeldCall): Promise<QueryResult>
  /** Compacts now, and shows the engine's projection of it. */
  compact(focus: string | undefined, signal: AbortSignal): Promise<CompressResult>
  close(): Promise<void>
}

/** A call that has the session for itself. */
export interface HeldCall {
  /** Of the caller, and of the hold: aborted when another worker may have the session. */
  readonly signal: AbortSignal
  readonly hold: SessionHold
}

/** What a model was shown. */
export interface ShownPrompt {
  readonly messages: readonly Message[]
  readonly breakdown: PromptBreakdown
}

type ServiceTurn = TurnSoFar<ChatResponse>

export interface ConversationInput {
  readonly record: ConversationRecord
  readonly store: ServiceStore
  readonly session: ContextSession
  /** Metered already. */
  readonly model: ChatModel
  /** What answers say of themselves when there is no real model. */
  readonly notice: string | undefined
  readonly tokens: TokenCounter
  readonly clock: Clock
}

/**
 * Brings a stored conversation back to life: its engine is handed the whole transcript, and recognises in its own store
 * what it knows of it.
 */
export async function openConversation(input: ConversationInput, signal: AbortSignal): Promise<Conversation> {
  const { record, store, session, model, notice, tokens, clock } = input
  const messages = await store.messages(record.no)
  let { system, turns } = record
  let isSpent = false
  const show = ({ messages, origins, tools }: Prepared, system: string): ShownPrompt => ({
    messages,
    breakdown: promptBreakdown({ messages, origins, tools, system, tokens }),
  })
  let shown: ShownPrompt | undefined
  /** An engine that could not write, such as one that another worker was faster than, begins anew with the next call. */
  const heed = (warnings: readonly Warning[]): void => {
    if (store.kind === 'postgres') isSpent ||= warnings.some(({ code }) => code === ENGINE_FAILED)
  }
  const look = async (signal: AbortSignal): Promise<void> => {
    const prepared = await session.prepare([systemMessage(system), ...messages], { signal })
    heed(prepared.warnings)
    shown = show(prepared, system)
  }
  if (messages.length > 0) await look(signal)

  /** Hands the engine the history as it is stored, so that what it read of a failed turn does not count. */
  const takeBack = async (): Promise<void> => {
    const prompt = system === '' ? systemPrompt(record.repoName, []) : system
    const given = [systemMessage(prompt), ...messages]
    // What fails here is made up for when the conversation is read again: the engine is handed the history then, too.
    try {
      heed((await session.prepare(given, { signal: AbortSignal.timeout(TAKE_BACK_LIMIT) })).warnings)
    } catch {
      isSpent = true
    }
  }

  /** After a write that failed: whether the turn is certainly not stored. */
  const isUnchanged = async (): Promise<boolean> => {
    const stored = await store.find(record.session).catch(() => undefined)
    return stored?.no === record.no && stored.turns === turns
  }

  const answer = async (
    prompt: string,
    question: Message,
    request: StoredRequest | undefined,
    { signal, hold }: HeldCall,
  ): Promise<QueryResult> => {
    const commit = async (turn: ServiceTurn, text: string): Promise<QueryResult> => {
      heed(turn.warnings)
      const prompted = show(turn.prepared, prompt)
      const result: QueryResult = {
        answer: text,
        session: record.session,
        turn: turns + 1,
        offline: notice !== undefined,
        ...(notice !== undefined && { notice }),
        breakdown: prompted.breakdown,
        usage: turnUsage(
          turn.answers.flatMap(({ usage }) => usage ?? []),
          model.name,
        ),
        compactions: turn.compactions.filter(({ outcome }) => outcome === 'compacted').length,
        warnings: turn.warnings.map(({ code, message }) => ({ code, message })),
      }
      const added = [question, ...turn.messages]
      // The signal is not looked at between the commit and what follows it.
      signal.throwIfAborted()
      const stored: TurnRecord = {
        conversation: record.no,
        turn: turns + 1,
        system: prompt,
        messages: added,
        request,
        response: JSON.stringify(result),
        at: clock.now(),
        token: hold.token,
      }
      await store.commitTurn(stored).catch((error: unknown) => {
        isSpent = true
        throw error
      })
      messages.push(...added)
      turns++
      system = prompt
      shown = prompted
      return result
    }

    let result: QueryResult | undefined
    await runTurn<ChatResponse>({
      session,
      messages: [systemMessage(prompt), ...messages, question],
      ask: ({ messages, tools, isLast, signal }) =>
        model.chat({ messages, signal, ...(!isLast && tools.length > 0 && { tools }) }),
      runTool: (call) => session.callTool(toolCallName(call), toolCallInput(call), { signal }),
      async onMessage(message, turn) {
        if (message.role !== 'assistant' || toolCallsOf(message).length > 0) return
        const text = messageText(message)
        if (text.trim() === '')
          throw new ServiceFault(502, 'no-answer', 'the model gave no answer; try again')
        result = await commit(turn, text)
      },
      maxRounds: SERVE_DEFAULTS.toolRounds + 1,
      signal,
    })
    if (result !== undefined) return result
    throw new ServiceFault(502, 'no-answer', 'the model called tools again and again and gave no answer')
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
    async query(query, held) {
      const hash = hashOfQuery(query)
      const { requestId } = query
      const known = requestId === undefined ? undefined : await store.findResponse(record.no, requestId)
      if (known !== undefined) return repeatedAnswer(known, hash, requestId)
      const request = requestId === undefined ? undefined : { id: requestId, hash }
      const prompt =
        query.codes === undefined && system !== '' ? system : systemPrompt(record.repoName, query.codes ?? [])
      const question: Message = { role: 'user', content: questionText(query) }
      assertFits([systemMessage(prompt), question], session.engine.contextLength, tokens)
      const before = turns
      try {
        return await answer(prompt, question, request, held)
      } catch (error) {
        // Another worker that has the session takes back what it finds.
        if (held.hold.signal.aborted) isSpent = true
        else if (turns === before && (!isSpent || (await isUnchanged()))) await takeBack()
        throw error
      }
    },
    async compact(focus, signal) {
      const result = await session.compact({ signal, ...(focus !== undefined && { focusTopic: focus }) })
      if (result.outcome === 'compacted') await look(signal)
      return result
    },
    close: () => session.end(),
  }
}

function questionText({ query, task }: QueryInput): string {
  return task === undefined || task.trim() === '' ? query : `Task: ${task}\n\n${query}`
}
