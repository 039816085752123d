import { errorText } from '../errors/error-text.ts'
import { isJson } from '../laws/check-message.ts'
import type { ContextEngine } from '../spec/v1/context-engine.ts'
import { abortable } from './abortable.ts'

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
      return failure(`unknown tool: ${name}; ${known}`)
    }
    if (typeof args === 'string' && !isJson(args))
      return failure(`the arguments of ${name} are not valid JSON`)
    const input: unknown = typeof args === 'string' ? JSON.parse(args) : args
    const result: unknown = await abortable(engine.handleToolCall(name, input, signal), signal)
    return typeof result === 'string' && isJson(result)
      ? result
      : failure(`${name} returned something that is not JSON`)
  } catch (error) {
    signal?.throwIfAborted()
    return failure(errorText(error))
  }
}

function failure(message: string): string {
  return JSON.stringify({ error: message })
}
