import {
  abortable,
  type ChatModel,
  type ChatResponse,
  type ContextSession,
  type Message,
  type Prepared,
  type ToolSchema,
} from '@palimpsest/core'
import type { PromptCache } from '../../prompt-cache.ts'
import type { CostMeter } from './cost-meter.ts'

export interface AskInput {
  readonly session: ContextSession
  readonly model: ChatModel
  /** The system prompt and the whole history. */
  readonly messages: readonly Message[]
  /** The host's tools. */
  readonly tools: readonly ToolSchema[]
  readonly cache: PromptCache
  readonly meter: CostMeter
  readonly signal: AbortSignal
  readonly onText: (text: string) => void
}

export interface Asked {
  readonly response: ChatResponse
  readonly prepared: Prepared
}

/**
 * One request; a second, smaller one when the provider says that the first was too long.
 *
 * @throws ModelError, ContextOverflowError; `signal.reason` on abort.
 */
export async function askModel(input: AskInput): Promise<Asked> {
  const { session, messages, tools, signal } = input
  const prepared = await session.prepare(messages, { tools, signal })
  try {
    return { prepared, response: await send(input, prepared) }
  } catch (error) {
    signal.throwIfAborted()
    const smaller = await session.recover(error, { tools, signal })
    return { prepared: smaller, response: await send(input, smaller) }
  }
}

async function send(
  { model, cache, meter, signal, onText }: AskInput,
  prepared: Prepared,
): Promise<ChatResponse> {
  const { messages, tools } = cache.mark(
    { messages: prepared.messages, tools: prepared.tools },
    prepared.cache,
  )
  let isOpen = true
  try {
    // A model that does not listen to its signal must not hold the caller, nor speak when nobody listens any more.
    const chat = model.chat({
      messages,
      signal,
      onText: (text) => {
        if (isOpen && !signal.aborted) onText(text)
      },
      ...(tools.length > 0 && { tools }),
    })
    const response = await abortable(chat, signal)
    meter.note(model.name, response?.usage)
    return response
  } catch (error) {
    // What was stopped is paid for, too.
    if (signal.aborted) meter.note(model.name, undefined)
    throw error
  } finally {
    isOpen = false
  }
}
