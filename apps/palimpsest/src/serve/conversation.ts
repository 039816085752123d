import { createHash } from 'node:crypto'
import {
  type ChatModel,
  type ChatResponse,
  type CompressResult,
  type ContextSession,
  countMessages,
  findLastUser,
  isInstruction,
  type Message,
  messageText,
  PalimpsestError,
  type Prepared,
  readSummary,
  runTurn,
  type TokenCounter,
  type TurnSoFar,
  toolCallInput,
  toolCallName,
  toolCallsOf,
  type Usage,
} from '@palimpsest/core'
import type { PromptCache } from '../prompt-cache.ts'
import type { PromptBreakdown, QueryResult } from './http/schemas.ts'
import { ServiceFault } from './http/service-fault.ts'
import { paidTokens, priceOf, sumTokens } from './models/price-of.ts'
import { SERVE_DEFAULTS } from './serve-defaults.ts'
import type { ConversationRecord, NamedAnswer, ServiceStore } from './service-store.ts'
import { type CodePiece, systemMessage, systemPrompt } from './system-prompt.ts'

const TAKE_BACK_LIMIT = 5_000

export interface LockedCall {
  readonly signal: AbortSignal
  readonly lost: AbortSignal
}

interface QueryInput {
  readonly query: string
  readonly task?: string | undefined
  readonly codes?: readonly CodePiece[] | undefined
  readonly requestId?: string | undefined
}

interface ConversationInput {
  readonly record: ConversationRecord
  readonly store: Pick<ServiceStore, 'prompt' | 'savePrompt' | 'answer' | 'saveAnswer'>
  readonly session: ContextSession
  readonly model: ChatModel
  readonly promptCache: Pick<PromptCache, 'mark'>
  readonly notice: string | undefined
  readonly tokens: TokenCounter
}

export type Conversation = Awaited<ReturnType<typeof openConversation>>

export async function openConversation(input: ConversationInput, signal: AbortSignal) {
  const { record, store, session, model, promptCache, notice, tokens } = input
  const { stored } = record
  const { repoName, ...prompt } = await store.prompt(record)
  let system = prompt.system === '' ? systemPrompt(repoName, []) : prompt.system
  let head = await stored.head()
  let isSpent = false
  let shown: { readonly breakdown: PromptBreakdown; readonly summary: string | null } | null = null
  let storeFailure = ''
  session.subscribe((event) => {
    if (event.type === 'warning' && event.warning.code.startsWith('store-'))
      storeFailure = event.warning.message
  })

  const history = (): readonly Message[] => {
    const { transcript } = session
    const first = transcript.findIndex((message) => !isInstruction(message))
    return first === -1 ? [] : transcript.slice(first)
  }
  const turns = () => history().filter(({ role }) => role === 'user').length
  const show = (prepared: Prepared, prompt: string): PromptBreakdown => {
    const breakdown = breakdownOf(prepared, prompt, tokens)
    shown = { breakdown, summary: summaryIn(prepared.messages) }
    return breakdown
  }
  const look = async (said: readonly Message[], signal: AbortSignal): Promise<void> => {
    show(await session.prepare([systemMessage(system), ...said], { signal }), system)
  }
  const assertStored = (): void => {
    const { unsaved, isDetached } = session.log
    if (unsaved === 0 && !isDetached) return
    isSpent = true
    throw new PalimpsestError(isDetached ? 'STORE_CONFLICT' : 'STORE_UNAVAILABLE', storeFailure)
  }
  const write = (work: Promise<void>): Promise<void> =>
    work.catch((error: unknown) => {
      isSpent = true
      throw error
    })

  const answer = async (
    { requestId, ...query }: QueryInput,
    prompt: string,
    signal: AbortSignal,
  ): Promise<QueryResult> => {
    const question: Message = { role: 'user', content: questionText(query) }
    let result: QueryResult | undefined
    const before = turns()
    const turn = await runTurn<ChatResponse>({
      session,
      messages: [systemMessage(prompt), ...history(), question],
      ask: (request) => {
        assertStored()
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
        const breakdown = breakdownOf(turn.prepared, prompt, tokens)
        result = { ...resultOf(turn, text), session: record.session, turn: before + 1, breakdown }
        // The signal is not checked between these writes.
        signal.throwIfAborted()
        if (prompt !== system || before === 0)
          await write(store.savePrompt(record, { repoName, system: prompt }))
        if (requestId !== undefined)
          await write(store.saveAnswer(record, requestId, { hash: hashOfQuery(query), response: result }))
      },
      maxRounds: SERVE_DEFAULTS.toolRounds + 1,
      signal,
    })
    const last = turn.messages.at(-1)
    if (result === undefined || last === undefined)
      throw new ServiceFault(
        502,
        'no-answer',
        'the model only called tools and gave no answer; ask again, or ask for less',
      )
    await session.append([last])
    assertStored()
    system = prompt
    show(turn.prepared, prompt)
    return result
  }

  const resultOf = (turn: TurnSoFar<ChatResponse>, text: string) => ({
    answer: text,
    offline: notice !== undefined,
    ...(notice !== undefined && { notice }),
    usage: turnUsage(
      turn.answers.flatMap(({ usage }) => usage ?? []),
      model.name,
    ),
    compactions: turn.compactions.filter(({ outcome }) => outcome === 'compacted').length,
    warnings: turn.warnings.map(({ code, message }) => ({ code, message })),
  })

  if (head.nextSeq > 0) {
    const prepared = await session.prepare(undefined, { signal })
    // Without all messages, the next list would look like an edit.
    if (storeFailure !== '') throw new PalimpsestError('STORE_UNAVAILABLE', storeFailure)
    const said = history()
    const whole = said.slice(0, said.findLastIndex(isAnswer) + 1)
    if (whole.length < said.length || system !== systemIn(session.transcript)) await look(whole, signal)
    else show(prepared, system)
    head = await stored.head()
  }
  return {
    record,
    session,
    repoName,
    get turns(): number {
      return turns()
    },
    /**
     * True if memory and store may differ: a write failed, or another worker may have continued. The conversation must
     * then be read again.
     */
    get isSpent(): boolean {
      return isSpent
    },
    get shown() {
      return shown
    },
    async isCurrent(): Promise<boolean> {
      const { nextSeq, edits } = await stored.head()
      return nextSeq === head.nextSeq && edits === head.edits
    },
    async query(query: QueryInput, { signal, lost }: LockedCall): Promise<QueryResult> {
      const { requestId } = query
      const known = requestId === undefined ? null : await store.answer(record, requestId)
      if (known !== null && isSaid(known, query, history())) return repeatedAnswer(known, query)
      const prompt = query.codes === undefined ? system : systemPrompt(repoName, query.codes)
      const question: Message = { role: 'user', content: questionText(query) }
      assertFits(systemMessage(prompt), question, session.engine.contextLength, tokens)
      const before = history()
      try {
        return await answer(query, prompt, signal)
      } catch (error) {
        // Another worker with the session rolls back what it finds.
        isSpent ||= lost.aborted
        if (!isSpent)
          await look(before, AbortSignal.timeout(TAKE_BACK_LIMIT)).catch(() => {
            isSpent = true
          })
        throw error
      } finally {
        head = await stored.head().catch(() => head)
      }
    },
    async compact(focus: string | undefined, { signal }: LockedCall): Promise<CompressResult> {
      const result = await session.compact({ signal, ...(focus !== undefined && { focusTopic: focus }) })
      if (result.outcome === 'compacted') await look(history(), signal)
      return result
    },
    close: () => session.end(),
  }
}

function isAnswer(message: Message): boolean {
  return message.role === 'assistant' && toolCallsOf(message).length === 0
}

function systemIn([first]: readonly Message[]): string {
  return first !== undefined && isInstruction(first) ? messageText(first) : ''
}

/** An answer is recorded before its turn, which may therefore be missing. */
function isSaid({ hash, response }: NamedAnswer, query: QueryInput, history: readonly Message[]): boolean {
  const { turn, answer } = response as QueryResult
  const [question, ...rest] = turnOf(history, turn)
  if (question === undefined) return false
  const isAsked = hash !== hashOfQuery(query) || messageText(question) === questionText(query)
  return isAsked && rest.some((message) => isAnswer(message) && messageText(message) === answer)
}

function turnOf(history: readonly Message[], turn: number): readonly Message[] {
  let turns = 0
  return history.filter(({ role }) => {
    if (role === 'user') turns++
    return turns === turn
  })
}

function questionText({ query, task }: QueryInput): string {
  return task === undefined || task.trim() === '' ? query : `Task: ${task}\n\n${query}`
}

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

function hashOfQuery({ query, task, codes }: QueryInput): string {
  const asked = JSON.stringify([query, task ?? null, codes ?? null])
  return createHash('sha256').update(asked).digest('hex')
}

function repeatedAnswer({ hash, response }: NamedAnswer, query: QueryInput): QueryResult {
  if (hash === hashOfQuery(query)) return { ...(response as QueryResult), repeated: true }
  const message = `requestId "${query.requestId}" was used for another query`
  throw new ServiceFault(409, 'request-id-taken', message, { path: 'requestId' })
}

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

const SUMMARY = /^<conversation_summary>\n([\s\S]*)\n<\/conversation_summary>$/

function summaryIn(messages: readonly Message[]): string | null {
  for (const message of messages) {
    const summary =
      message.role === 'assistant' ? SUMMARY.exec(messageText(message))?.[1] : readSummary(message)
    if (summary !== undefined) return summary
  }
  return null
}

function turnUsage(usages: readonly Usage[], model: string): QueryResult['usage'] {
  if (usages.length === 0) return null
  const tokens = sumTokens(usages.map(paidTokens))
  return { model, requests: usages.length, ...tokens, usd: priceOf(model, tokens) }
}
