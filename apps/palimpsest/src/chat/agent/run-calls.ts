import {
  type ContextSession,
  type ToolCall,
  type ToolSchema,
  toolCallInput,
  toolCallName,
} from '@palimpsest/core'
import type { ChatEvent } from '../chat-agent.ts'
import type { ChatTools } from '../tools/create-tools.ts'
import type { ToolAnswer } from '../tools/tool.ts'

/** The result of a call that the person stopped. */
export const STOPPED = 'Error: stopped by the user'

/** Milliseconds for a tool to say how it ended when it is stopped. */
const GRACE = 500

/** Characters of a result of an engine's tool: engines bound theirs, and a mistake must not fill the window. */
const MAX_CHARACTERS = 100_000

const UNREADABLE: ToolAnswer = {
  ok: false,
  text: 'Error: the arguments are no JSON; send one JSON object, such as {"path": "README.md"}',
}

interface CallsInput {
  readonly session: ContextSession
  readonly tools: Pick<ChatTools, 'all' | 'waited'>
  readonly signal: AbortSignal
  readonly on: (event: ChatEvent) => void
}

/** Runs the calls of a turn, one at a time, and tells when each begins and ends. */
export interface CallRunner {
  /** The tools that the model was offered last: the host's and the engine's. */
  offered: readonly ToolSchema[]
  /** Ids of calls of its answer whose arguments are no JSON. */
  unreadable: ReadonlySet<string>
  readonly answerCall: ContextSession['answerCall']
  runTool(call: ToolCall): Promise<string>
}

export function createCallRunner({ session, tools, signal, on }: CallsInput): CallRunner {
  const toolOf = (call: ToolCall) =>
    tools.all.find(({ schema }) => schema.function.name === toolCallName(call))

  const told = async (call: ToolCall, answer: () => Promise<ToolAnswer>): Promise<string> => {
    const { id } = call
    const name = toolCallName(call)
    const start = performance.now() - tools.waited
    const summary =
      toolOf(call)?.summary(parseArguments(call)) ?? toolCallInput(call).replace(/\s+/g, ' ').slice(0, 200)
    on({ type: 'tool-start', id, name, summary })
    const { ok, text } = runner.unreadable.has(id) ? UNREADABLE : await stoppable(answer(), signal)
    // Without the time in which the person was asked.
    const took = Math.round(performance.now() - tools.waited - start)
    on({ type: 'tool-end', id, name, ok, result: text, took })
    return text
  }

  const runner: CallRunner = {
    offered: [],
    unreadable: new Set(),
    async answerCall(call) {
      const name = toolCallName(call)
      const isEngines = toolOf(call) === undefined && namesOf(runner.offered).includes(name)
      if (!isEngines) return undefined
      const content = await told(call, () => askEngine(session, call, signal))
      return { role: 'tool', tool_call_id: call.id, content }
    },
    runTool: (call) =>
      told(call, async () => {
        const tool = toolOf(call)
        if (tool !== undefined) return tool.run(parseArguments(call), signal)
        const names = namesOf(runner.offered).join(', ')
        const text = `Error: there is no tool ${toolCallName(call)}; there are: ${names}`
        return { ok: false, text }
      }),
  }
  return runner
}

function namesOf(tools: readonly ToolSchema[]): string[] {
  return tools.map(({ function: { name } }) => name)
}

async function askEngine(session: ContextSession, call: ToolCall, signal: AbortSignal): Promise<ToolAnswer> {
  const text = await session.callTool(toolCallName(call), parseArguments(call), { signal })
  const isError = text.startsWith('{"error"')
  return {
    ok: !isError,
    text: text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS).toWellFormed()}…`,
  }
}

/** The tool's answer, or `STOPPED` when it does not answer in time after a stop. Never rejects. */
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
