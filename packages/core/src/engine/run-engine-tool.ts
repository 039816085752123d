import { errorText } from '../errors/errors.ts'
import { isJson } from '../invariants/check-sequence.ts'
import { abortable } from '../session/scheduling.ts'
import type { EngineGuard, WarningLog } from '../session/session-reports.ts'
import type { ContextEngine, ToolSchema } from '../spec/v1/index.ts'

const ERROR_CHARACTERS = 1_000
const NAME_CHARACTERS = 100

export interface EngineToolRun<Handler> {
  readonly name: string
  readonly handlers: ReadonlyMap<string, Handler>
  /** Lets a handler answer, with JSON text. What it throws becomes the answer. */
  readonly run: (handler: Handler) => Promise<string>
  /** Longest answer, in characters. */
  readonly maxCharacters: number
  readonly signal: AbortSignal | undefined
}

/**
 * Runs a tool as `handleToolCall` must: the answer is JSON text of at most `maxCharacters`, `{"error": …}` of at most about
 * 1,000 characters for a tool that there is not, for what the handler throws and for an answer that is too long. Never
 * throws; rejects with `signal.reason` when it is aborted.
 */
export async function runEngineTool<Handler>(call: EngineToolRun<Handler>): Promise<string> {
  const { name, handlers, run, maxCharacters, signal } = call
  const handler = handlers.get(name)
  if (handler === undefined)
    return failure(
      `there is no tool ${String(name).slice(0, NAME_CHARACTERS)}; use ${[...handlers.keys()].join(', ')}`,
    )
  try {
    signal?.throwIfAborted()
    const answer = await run(handler)
    signal?.throwIfAborted()
    return answer.length <= maxCharacters
      ? answer
      : failure('the answer is too long; ask for less with "limit"')
  } catch (error) {
    signal?.throwIfAborted()
    return failure(errorText(error))
  }
}

function failure(message: string): string {
  return JSON.stringify({ error: message.slice(0, ERROR_CHARACTERS).toWellFormed() })
}

/**
 * The engine's tools that can be offered beside the host's. Providers refuse two tools of one name, so a tool
 * whose name is taken is left out, with a warning; a tool without a name too.
 */
export function engineTools(
  hostTools: readonly ToolSchema[],
  engine: ContextEngine,
  guard: EngineGuard,
  warnings: WarningLog,
): ToolSchema[] {
  const names = new Set(hostTools.map(nameOf))
  return guard
    .call('toolSchemas', [], () => [...engine.toolSchemas()])
    .filter((tool) => {
      const { name } = tool.function
      const isOffered = name !== '' && !names.has(name)
      if (isOffered) names.add(name)
      else {
        const why = name === '' ? 'it has no name' : `the name "${name}" is taken`
        warnings.say({ code: 'tool-skipped', message: `a tool of "${engine.name}" is not offered: ${why}` })
      }
      return isOffered
    })
}

function nameOf(tool: ToolSchema & { readonly custom?: { readonly name?: unknown } }): unknown {
  return tool.function?.name ?? tool.custom?.name
}

/**
 * The engine's tools for a framework that registers tools once, before there is a request: those that have a name. None of
 * an engine that fails to say them, which a session tells of when it prepares a request.
 */
export function declaredTools(engine: ContextEngine): readonly ToolSchema[] {
  try {
    return engine.toolSchemas().filter((tool) => nameOf(tool) !== '')
  } catch {
    return []
  }
}

/**
 * Runs a tool of the engine and makes sure that what comes back is JSON, whatever the engine does. `args` may
 * be the raw text that the model wrote. Only an abort rejects.
 */
export async function callEngineTool(
  engine: ContextEngine,
  name: string,
  args: unknown,
  signal?: AbortSignal,
): Promise<string> {
  try {
    const names = engine.toolSchemas().flatMap((tool) => tool.function.name || [])
    if (!names.includes(name)) {
      const known = names.length === 0 ? 'this engine has no tools' : `known tools: ${names.join(', ')}`
      return errorJson(`unknown tool: ${name}; ${known}`)
    }
    if (typeof args === 'string' && !isJson(args))
      return errorJson(`the arguments of ${name} are not valid JSON`)
    const input: unknown = typeof args === 'string' ? JSON.parse(args) : args
    const result: unknown = await abortable(engine.handleToolCall(name, input, signal), signal)
    return typeof result === 'string' && isJson(result)
      ? result
      : errorJson(`${name} returned something that is not JSON`)
  } catch (error) {
    signal?.throwIfAborted()
    return errorJson(errorText(error))
  }
}

function errorJson(message: string): string {
  return JSON.stringify({ error: message })
}
