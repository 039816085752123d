import { type FunctionToolCall, type ToolCall, toolCallInput, toolCallName } from '@palimpsest/core'

/** Arguments as the peers hold them. What is not an object, such as the text of a free-text call, becomes one. */
export function callArguments(call: ToolCall): Record<string, unknown> {
  const input = toolCallInput(call)
  if (call.type === 'custom') return { input }
  try {
    const value: unknown = JSON.parse(input)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {
    // Arguments that are no JSON are passed on as the text that they are.
  }
  return { input }
}

/** The call that such arguments are sent as: both peers write them with `JSON.stringify`. */
export function functionCall(id: string, name: string, input: unknown): FunctionToolCall {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } }
}

export type ToolNames = Map<string, string>

export function rememberNames(names: ToolNames, calls: readonly ToolCall[]): void {
  for (const call of calls) names.set(call.id, toolCallName(call))
}
