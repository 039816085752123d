import {
  type AssistantMessage,
  abortable,
  type ChatModel,
  type ChatResponse,
  type ContextSession,
  type FinishReason,
  type Message,
  ModelError,
  messageText,
  repairMessages,
  runTurn,
  type ToolCall,
  type ToolSchema,
  type TurnRequest,
  toolCallInput,
  toolCallName,
  toolCallsOf,
  type Usage,
} from '@palimpsest/core'
import type { PromptCache } from '../prompt-cache.ts'
import type { TurnEnd, TurnOptions } from './chat-agent.ts'
import type { ChatRecord } from './chat-record.ts'
import type { ChatTool, ToolAnswer } from './tools/tool.ts'

const REASONS: Partial<Record<FinishReason, TurnEnd['reason']>> = {
  length: 'cut-off',
  'content-filter': 'filtered',
}

/** Limit for an engine's tool result in characters: engines limit theirs, but a mistake must not fill the window. */
const RESULT_CHARACTERS = 100_000
const GRACE = 500

interface ChatTurnInput {
  readonly session: ContextSession
  readonly model: ChatModel
  readonly system: Message
  readonly record: ChatRecord
  readonly tools: readonly ChatTool[]
  readonly cache: PromptCache
  readonly note: (model: string, usage: Usage | undefined) => void
  readonly onPrompt: (tokens: number) => void
}

/**
 * Asks the model until it answers without calls, and runs the tools. However the turn ends, every recorded call has a
 * result.
 */
export async function runChatTurn(input: ChatTurnInput, options: TurnOptions): Promise<TurnEnd> {
  const { session, record, tools } = input
  const { signal, on } = options
  const unsubscribe = session.subscribe((event) => {
    if (event.type === 'compaction' && event.result.outcome !== 'unchanged')
      on({ type: 'compaction', trigger: event.trigger, result: event.result })
    if (event.type === 'warning') on({ type: 'warning', warning: event.warning })
  })
  let offered: readonly ToolSchema[] = []
  let said = ''

  const ask = async (request: TurnRequest): Promise<ChatResponse & { message: AssistantMessage }> => {
    said = ''
    offered = request.tools
    const response = await send(input, request, signal, (text) => {
      said += text
      on({ type: 'text', text })
    })
    const { usage } = response
    input.onPrompt(usage?.promptTokens ?? request.tokens)
    if (usage !== undefined) on({ type: 'usage', usage })
    return { ...response, message: usableMessage(response) }
  }

  const run = async (call: ToolCall, work: (args: unknown) => Promise<ToolAnswer>): Promise<string> => {
    const { id } = call
    const [name, args] = [toolCallName(call), parseArguments(call)]
    const summary =
      toolOf(tools, call)?.summary(args) ?? toolCallInput(call).replace(/\s+/g, ' ').slice(0, 200)
    on({ type: 'tool-start', id, name, summary })
    const { ok, text } = await stoppable(work(args), signal)
    on({ type: 'tool-end', id, name, ok, result: text })
    return text
  }

  try {
    const { end, answers } = await runTurn({
      session: {
        prepare: session.prepare,
        recover: session.recover,
        async observe(response) {
          await abortable(session.observe(response), signal).catch((error) => {
            if (!signal.aborted) throw error
          })
          if (response.message !== undefined) await record.append(response.message)
          said = ''
        },
        async answerCall(call) {
          const isEngines = toolOf(tools, call) === undefined && isOffered(offered, call)
          if (!isEngines) return undefined
          const content = await run(call, (args) => askEngine(session, call, args, signal))
          return { role: 'tool', tool_call_id: call.id, content }
        },
      },
      messages: [input.system, ...record.messages],
      tools: tools.map(({ schema }) => schema),
      ask,
      runTool: (call) =>
        run(call, async (args) => {
          const tool = toolOf(tools, call)
          if (tool !== undefined) return tool.run(args, signal)
          const names = offered.map(({ function: { name } }) => name).join(', ')
          return { ok: false, text: `Error: there is no tool ${toolCallName(call)}; there are: ${names}` }
        }),
      async onMessage(message) {
        if (message.role === 'tool') await record.append(message)
      },
      signal,
    })
    if (end === 'too-many-rounds') return { reason: end, text: '' }
    const { message, finishReason } = answers.at(-1) ?? answers[0]
    return { reason: REASONS[finishReason] ?? 'answered', text: messageText(message) }
  } catch (error) {
    if (signal.aborted) await record.mend()
    const message = said.trim() === '' ? undefined : ({ role: 'assistant', content: said } as const)
    const observed = session.observe({ message, interrupted: true }).catch(() => {})
    await Promise.race([observed, new Promise((resolve) => setTimeout(resolve, GRACE).unref())])
    if (message !== undefined) await record.append(message)
    if (!signal.aborted) throw error
    return { reason: 'stopped', text: said }
  } finally {
    unsubscribe()
  }
}

async function send(
  { model, cache, note }: ChatTurnInput,
  request: TurnRequest,
  signal: AbortSignal,
  onText: (text: string) => void,
): Promise<ChatResponse> {
  const { messages, tools } = cache.mark(request, request.cache)
  let isOpen = true
  try {
    // A model that ignores its signal must neither block the caller nor continue to write.
    const chat = model.chat({
      messages,
      cache: request.cache,
      signal,
      onText: (text) => {
        if (isOpen && !signal.aborted) onText(text)
      },
      ...(tools.length > 0 && { tools }),
    })
    const response = await abortable(chat, signal)
    note(model.name, response.usage)
    return response
  } catch (error) {
    // A stopped request also costs money.
    if (signal.aborted) note(model.name, undefined)
    throw error
  } finally {
    isOpen = false
  }
}

function usableMessage({ message, finishReason }: ChatResponse): AssistantMessage {
  const [usable] = repairMessages([{ ...message, role: 'assistant' }], { inFlight: true }).messages
  if (usable?.role === 'assistant' && (toolCallsOf(usable).length > 0 || messageText(usable).trim() !== ''))
    return usable
  if (finishReason === 'content-filter')
    throw new ModelError('blocked', 'the provider blocked the answer; change the question')
  throw new ModelError('empty', 'the model gave no answer; try again')
}

function toolOf(tools: readonly ChatTool[], call: ToolCall): ChatTool | undefined {
  return tools.find(({ schema }) => schema.function.name === toolCallName(call))
}

function isOffered(tools: readonly ToolSchema[], call: ToolCall): boolean {
  return tools.some(({ function: { name } }) => name === toolCallName(call))
}

async function askEngine(
  session: ContextSession,
  call: ToolCall,
  args: unknown,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const text = await session.callTool(toolCallName(call), args, { signal })
  const isCut = text.length > RESULT_CHARACTERS
  return {
    ok: !text.startsWith('{"error"'),
    text: isCut ? `${text.slice(0, RESULT_CHARACTERS).toWellFormed()}…` : text,
  }
}

function parseArguments(call: ToolCall): unknown {
  const text = toolCallInput(call)
  try {
    return text.trim() === '' ? {} : JSON.parse(text)
  } catch {
    return text
  }
}

async function stoppable(running: Promise<ToolAnswer>, signal: AbortSignal): Promise<ToolAnswer> {
  const stopped: ToolAnswer = { ok: false, text: 'Error: stopped by the user' }
  const late = Promise.withResolvers<ToolAnswer>()
  const onAbort = () => void setTimeout(late.resolve, GRACE, stopped).unref()
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    return await Promise.race([running, late.promise])
  } catch (error) {
    if (signal.aborted) return stopped
    throw error
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
