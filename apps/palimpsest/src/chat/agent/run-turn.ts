import {
  abortable,
  type ChatModel,
  type ContextSession,
  type Message,
  messageText,
  toolCallsOf,
} from '@palimpsest/core'
import type { PromptCache } from '../../prompt-cache.ts'
import type { ChatEvent, TurnEnd, TurnOptions } from '../chat-agent.ts'
import type { ChatRecord } from '../records/chat-record.ts'
import type { ChatTools } from '../tools/create-tools.ts'
import { type Asked, askModel } from './ask-model.ts'
import type { CostMeter } from './cost-meter.ts'
import { patiently } from './patiently.ts'
import { runCalls, STOPPED } from './run-calls.ts'
import { tidyAnswer } from './tidy-answer.ts'

/** Answers of one turn, after which the model has lost its way. */
const MAX_ROUNDS = 50

/** How long an engine may take to note that a turn was stopped, in milliseconds. */
const NOTE_LIMIT = 1_000

export interface TurnInput {
  readonly session: ContextSession
  readonly model: ChatModel
  readonly system: Message
  /** Ends with what is to be answered. */
  readonly record: ChatRecord
  readonly tools: Pick<ChatTools, 'all' | 'waited'>
  readonly cache: PromptCache
  readonly meter: CostMeter
  /** Called with the tokens of each prompt, as soon as they are known better. */
  readonly onPrompt: (tokens: number) => void
}

/**
 * Asks the model until it answers in words, and runs the tools that it calls on the way. Whatever ends the turn, every
 * call that is on record has a result.
 *
 * @throws ModelError, ContextOverflowError, UsageError when the record cannot be written.
 */
export async function runTurn(input: TurnInput, options: TurnOptions): Promise<TurnEnd> {
  const { session, record, tools } = input
  const { signal } = options
  const on = quietly(options.on)
  const unsubscribe = session.subscribe((event) => {
    if (event.type === 'compaction' && event.result.outcome !== 'unchanged')
      on({ type: 'compaction', trigger: event.trigger, result: event.result })
    if (event.type === 'warning') on({ type: 'warning', warning: event.warning })
  })
  let said = ''

  /** Keeps what was said until then: it was shown. */
  const stopped = async (text: string): Promise<TurnEnd> => {
    const message = { role: 'assistant', content: text } as const
    if (text.trim() !== '') await record.append(message)
    const answer = text.trim() === '' ? {} : { message }
    await patiently(session.observe({ ...answer, interrupted: true }), NOTE_LIMIT)
    return { reason: 'stopped', text }
  }

  const unlessStopped = (error: unknown): void => {
    if (!signal.aborted) throw error
  }

  const ask = (): Promise<Asked> => {
    said = ''
    return askModel({
      ...input,
      messages: [input.system, ...record.messages],
      tools: tools.all.map(({ schema }) => schema),
      signal,
      onText(text) {
        said += text
        on({ type: 'text', text })
      },
    })
  }

  try {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const { prepared, response } = await ask()
      const { usage, finishReason } = response
      const { message, unreadable } = tidyAnswer(response, record.messages.length)
      await record.append(message)
      said = ''
      input.onPrompt(usage?.promptTokens ?? prepared.tokens)
      if (usage !== undefined) on({ type: 'usage', usage })
      // The answer is on record: a stop from here on does not unsay it, and calls find out themselves.
      await abortable(session.observe({ message, ...(usage !== undefined && { usage }) }), signal).catch(
        unlessStopped,
      )
      const calls = toolCallsOf(message)
      if (calls.length === 0)
        return { reason: finishReason === 'length' ? 'cut-off' : 'answered', text: messageText(message) }
      await runCalls(calls, { session, record, tools, offered: prepared.tools, unreadable, signal, on })
      signal.throwIfAborted()
    }
    return { reason: 'too-many-rounds', text: '' }
  } catch (error) {
    unlessStopped(error)
    // Calls that nobody came to.
    await record.mend(STOPPED)
    return await stopped(said)
  } finally {
    unsubscribe()
  }
}

/** What a listener throws is its own affair: the turn goes on. */
function quietly(on: TurnOptions['on']): TurnOptions['on'] {
  return (event: ChatEvent) => {
    try {
      on(event)
    } catch {}
  }
}
