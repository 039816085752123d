import { createHash } from 'node:crypto'
import {
  type ChatModel,
  type Clock,
  type CompressResult,
  type ContextSession,
  type Message,
  messageText,
  type Prepared,
  type TokenCounter,
} from '@palimpsest/core'
import { ServiceFault } from '../http/service-fault.ts'
import type { ConversationRecord, ServiceStore, StoredRequest } from '../store/service-store.ts'
import { answerTurn } from './answer-turn.ts'
import { assertFits } from './assert-fits.ts'
import { type PromptBreakdown, promptBreakdown } from './prompt-breakdown.ts'
import type { QueryInput, QueryResult } from './query.ts'
import { systemMessage, systemPrompt } from './system-prompt.ts'
import { turnUsage } from './turn-usage.ts'

/** How long a failed turn's caller waits at most until the engine has taken it back, in milliseconds. */
const TAKE_BACK_LIMIT = 5_000

/** One conversation in memory. Its owner calls one method at a time. */
export interface Conversation {
  readonly record: ConversationRecord
  readonly session: ContextSession
  readonly turns: number
  /** The latest prompt; undefined before the first. */
  readonly shown: ShownPrompt | undefined
  /** Answers, and stores the turn before it returns. What is rejected leaves nothing behind. */
  query(input: QueryInput, signal: AbortSignal): Promise<QueryResult>
  /** Compacts now, and shows the engine's projection of it. */
  compact(focus: string | undefined, signal: AbortSignal): Promise<CompressResult>
  close(): Promise<void>
}

/** What a model was shown. */
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
  const messages = store.messages(record.no)
  let { system, turns } = record
  const show = ({ messages, tools }: Prepared, system: string): ShownPrompt => ({
    messages,
    breakdown: promptBreakdown({ messages, tools, system, tokens }),
  })
  let shown: ShownPrompt | undefined
  const look = async (signal: AbortSignal): Promise<void> => {
    shown = show(await session.prepare([systemMessage(system), ...messages], { signal }), system)
  }
  if (messages.length > 0) await look(signal)

  /** Hands the engine the history as it is stored, so that what it read of a failed turn does not count. */
  const takeBack = async (): Promise<void> => {
    const prompt = system === '' ? systemPrompt(record.repoName, []) : system
    const given = [systemMessage(prompt), ...messages]
    // What fails here is made up for with the next call: the engine is handed the history then, too.
    await session.prepare(given, { signal: AbortSignal.timeout(TAKE_BACK_LIMIT) }).catch(() => {})
  }

  const answer = async (
    prompt: string,
    question: Message,
    request: StoredRequest | undefined,
    signal: AbortSignal,
  ): Promise<QueryResult> => {
    const given = [systemMessage(prompt), ...messages, question]
    const answered = await answerTurn({ session, model, messages: given, signal })
    const text = messageText(answered.answer)
    if (text.trim() === '') throw new ServiceFault(502, 'no-answer', 'the model gave no answer; try again')

    const { prepared, usages, compactions, warnings } = answered
    const prompted = show(prepared, prompt)
    const result: QueryResult = {
      answer: text,
      session: record.session,
      turn: turns + 1,
      offline: notice !== undefined,
      ...(notice !== undefined && { notice }),
      breakdown: prompted.breakdown,
      usage: turnUsage(usages, model.name),
      compactions,
      warnings: warnings.map(({ code, message }) => ({ code, message })),
    }
    const added = [question, ...answered.steps, answered.answer]
    // From here to the end of the commit nothing waits: an abort comes before it or after it.
    signal.throwIfAborted()
    store.commitTurn({
      conversation: record.no,
      turn: turns + 1,
      system: prompt,
      messages: added,
      request,
      response: JSON.stringify(result),
      at: clock.now(),
    })
    messages.push(...added)
    turns++
    system = prompt
    shown = prompted
    const usage = usages.at(-1)
    await session.observe({ message: answered.answer, ...(usage !== undefined && { usage }) })
    return result
  }

  return {
    record,
    session,
    get turns() {
      return turns
    },
    get shown() {
      return shown
    },
    async query(query, signal) {
      const hash = hashOf(query)
      const known = query.requestId === undefined ? undefined : store.findResponse(record.no, query.requestId)
      if (known !== undefined) return repeated(known, hash, query.requestId)
      const request = query.requestId === undefined ? undefined : { id: query.requestId, hash }
      const prompt =
        query.codes === undefined && system !== '' ? system : systemPrompt(record.repoName, query.codes ?? [])
      const question: Message = { role: 'user', content: questionText(query) }
      assertFits([systemMessage(prompt), question], session.engine.contextLength, tokens)
      const before = turns
      try {
        return await answer(prompt, question, request, signal)
      } catch (error) {
        if (turns === before) await takeBack()
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

function hashOf({ query, task, codes }: QueryInput): string {
  const asked = JSON.stringify([query, task ?? null, codes ?? null])
  return createHash('sha256').update(asked).digest('hex')
}

function repeated(
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
