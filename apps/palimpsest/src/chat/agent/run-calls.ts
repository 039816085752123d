import {
  type ContextSession,
  type ToolCall,
  type ToolSchema,
  toolCallInput,
  toolCallName,
} from '@palimpsest/core'
import type { ChatEvent } from '../chat-agent.ts'
import type { ChatRecord } from '../records/chat-record.ts'
import type { ChatTools } from '../tools/create-tools.ts'
import type { ToolAnswer } from '../tools/tool.ts'

/** What a call gets that was not answered, because the person stopped the turn. */
export const STOPPED = 'Error: stopped by the user'

/** How long a tool may take to say how it ended when it is stopped, in milliseconds. */
const GRACE = 500

/** Characters of a result of an engine's tool: engines bound theirs, and a mistake must not fill the window. */
const MAX_CHARACTERS = 100_000

export interface CallsInput {
  readonly session: ContextSession
  readonly record: ChatRecord
  readonly tools: Pick<ChatTools, 'all' | 'waited'>
  /** What the model was offered: the host's tools and the engine's. */
  readonly offered: readonly ToolSchema[]
  /** Ids of calls whose arguments are no JSON. */
  readonly unreadable: ReadonlySet<string>
  readonly signal: AbortSignal
  readonly on: (event: ChatEvent) => void
}

/** Runs the calls of one answer in their order and keeps their results, until it is stopped. */
export async function runCalls(calls: readonly ToolCall[], input: CallsInput): Promise<void> {
  const { record, tools, signal, on } = input
  for (const call of calls) {
    signal.throwIfAborted()
    const { id } = call
    const name = toolCallName(call)
    const start = performance.now() - tools.waited
    on({ type: 'tool-start', id, name, summary: summaryOf(call, input) })
    const { ok, text } = await answerTo(call, input)
    // Without the time in which a person was asked.
    const took = Math.round(performance.now() - tools.waited - start)
    on({ type: 'tool-end', id, name, ok, result: text, took })
    await record.append({ role: 'tool', tool_call_id: id, content: text })
  }
}

function summaryOf(call: ToolCall, { tools }: CallsInput): string {
  const args = parseArguments(call)
  const tool = tools.all.find(({ schema }) => schema.function.name === toolCallName(call))
  return tool?.summary(args) ?? toolCallInput(call).replace(/\s+/g, ' ').slice(0, 200)
}

async function answerTo(call: ToolCall, input: CallsInput): Promise<ToolAnswer> {
  const { session, tools, offered, unreadable, signal } = input
  const name = toolCallName(call)
  if (unreadable.has(call.id))
    return {
      ok: false,
      text: 'Error: the arguments are no JSON; send one JSON object, such as {"path": "README.md"}',
    }
  const tool = tools.all.find(({ schema }) => schema.function.name === name)
  if (tool !== undefined) return stoppable(tool.run(parseArguments(call), signal), signal)
  if (offered.some(({ function: { name: known } }) => known === name))
    return stoppable(askEngine(session, name, parseArguments(call), signal), signal)
  const names = offered.map(({ function: { name: known } }) => known).join(', ')
  return { ok: false, text: `Error: there is no tool ${name}; there are: ${names}` }
}

async function askEngine(
  session: ContextSession,
  name: string,
  args: unknown,
  signal: AbortSignal,
): Promise<ToolAnswer> {
  const text = await session.callTool(name, args, { signal })
  const isError = text.startsWith('{"error"')
  return {
    ok: !isError,
    text: text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS).toWellFormed()}…`,
  }
}

/** What a tool answers; when it is stopped and says nothing, that it was stopped. Never rejects. */
async function stoppable(running: Promise<ToolAnswer>, signal: AbortSignal): Promise<ToolAnswer> {
  const stopped: ToolAnswer = { ok: false, text: STOPPED }
  let onAbort = () => {}
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<ToolAnswer>((resolve) => {
    onAbort = () => {
      timer = setTimeout(resolve, GRACE, stopped)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
  })
  try {
    return await Promise.race([running, late])
  } catch (error) {
    if (signal.aborted) return stopped
    return {
      ok: false,
      text: `Error: the tool failed: ${error instanceof Error ? error.message : String(error)}`,
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    clearTimeout(timer)
  }
}

/** Blank arguments are none. */
function parseArguments(call: ToolCall): unknown {
  const text = toolCallInput(call)
  try {
    return text.trim() === '' ? {} : JSON.parse(text)
  } catch {
    return text
  }
}
