import {
  type ChatResponse,
  type Message,
  messageText,
  runTurn,
  type TurnSoFar,
  toolCallInput,
  toolCallName,
  toolCallsOf,
  type Usage,
} from '@palimpsest/core'
import type { QueryResult } from '../http/schemas.ts'
import { ServiceFault } from '../http/service-fault.ts'
import { type PaidTokens, paidTokens, priceOf } from '../models/price-of.ts'
import { SERVE_DEFAULTS } from '../serve-defaults.ts'
import type { StoredRequest, TurnRecord } from '../store/service-store.ts'
import {
  type ConversationInput,
  type ConversationState,
  heed,
  type LockedCall,
  shownPrompt,
} from './conversation-state.ts'
import { systemMessage } from './system-prompt.ts'

export interface AskedQuestion {
  /** The system prompt. */
  readonly prompt: string
  readonly question: Message
  readonly request: StoredRequest | undefined
  readonly call: LockedCall
}

/**
 * Answers, and stores the turn before the engine and the caller hear of it.
 *
 * @throws ServiceFault 502 when no words come.
 */
export async function answerTurn(
  input: ConversationInput,
  state: ConversationState,
  asked: AskedQuestion,
): Promise<QueryResult> {
  const { session, model, promptCache } = input
  const { prompt, question, call } = asked
  let result: QueryResult | undefined
  await runTurn<ChatResponse>({
    session,
    messages: [systemMessage(prompt), ...state.messages, question],
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
      if (text.trim() === '') throw new ServiceFault(502, 'no-answer', 'the model gave no answer; try again')
      result = await commit(input, state, asked, turn, text)
    },
    maxRounds: SERVE_DEFAULTS.toolRounds + 1,
    signal: call.signal,
  })
  if (result !== undefined) return result
  throw new ServiceFault(502, 'no-answer', 'the model called tools again and again and gave no answer')
}

async function commit(
  input: ConversationInput,
  state: ConversationState,
  { prompt, question, request, call }: AskedQuestion,
  turn: TurnSoFar<ChatResponse>,
  text: string,
): Promise<QueryResult> {
  const { store, record, session, model, notice, clock } = input
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
  const { stored: projection } = session
  // The signal is not looked at between the commit and what follows it.
  call.signal.throwIfAborted()
  const stored: TurnRecord = {
    conversation: record.no,
    turn: state.turns + 1,
    system: prompt,
    messages,
    request,
    response: JSON.stringify(result),
    projection: projection === state.projection ? undefined : (projection ?? null),
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
  state.projection = projection
  state.shown = shown
  return result
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
