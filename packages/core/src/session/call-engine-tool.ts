import { isJson } from '../laws/check-message.ts'
import type { ContextEngineV1 } from '../spec/context-engine.ts'
import { abortable } from './abortable.ts'

/**
 * Runs a tool of the engine and makes sure that what comes back is JSON, whatever the engine does. `args` may
 * be the raw text that the model wrote. Only an abort rejects.
 */
export async function callEngineTool(
  engine: ContextEngineV1,
  name: string,
  args: unknown,
  signal?: AbortSignal,
): Promise<string> {
  const names = engine.toolSchemas().map((tool) => tool.function.name)
  if (!names.includes(name)) {
    return failure(
      `unknown tool: ${name}. ${names.length === 0 ? 'This engine has no tools.' : `Known tools: ${names.join(', ')}.`}`,
    )
  }
  if (typeof args === 'string' && !isJson(args)) return failure(`the arguments of ${name} are not valid JSON`)
  try {
    const input = typeof args === 'string' ? JSON.parse(args) : args
    const result = await abortable(engine.handleToolCall(name, input, signal), signal)
    return typeof result === 'string' && isJson(result)
      ? result
      : failure(`${name} returned something that is not JSON`)
  } catch (error) {
    signal?.throwIfAborted()
    return failure(error instanceof Error ? error.message : String(error))
  }
}

function failure(message: string): string {
  return JSON.stringify({ error: message })
}
