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
  readonly run: (handler: Handler) => Promise<string>
  readonly maxCharacters: number
  readonly signal: AbortSignal | undefined
}

/**
 * Runs a tool with the guarantees of `handleToolCall`: the answer is JSON text of at most `maxCharacters`. Unknown
 * tools, errors of the handler and answers that are too long become `{"error": …}` of at most about 1,000 characters.
 * Never throws; rejects only with `signal.reason` on an abort.
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

/** Providers refuse two tools of one name, so a tool whose name is taken is left out with a warning. */
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
 * The engine's named tools, for a framework that registers tools once. Empty if the engine fails to list them; a
 * session then warns when it prepares a request.
 */
export function declaredTools(engine: ContextEngine): readonly ToolSchema[] {
  try {
    return engine.toolSchemas().filter((tool) => nameOf(tool) !== '')
  } catch {
    return []
  }
}

/** Runs an engine's tool and guarantees a JSON answer. `args` may be the model's raw text. Rejects only on an abort. */
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
