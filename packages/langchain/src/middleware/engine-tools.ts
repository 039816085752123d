import type { BaseMessage } from '@langchain/core/messages'
import type { ClientTool } from '@langchain/core/tools'
import { convertToOpenAITool } from '@langchain/core/utils/function_calling'
import { type ContextEngine, declaredTools, isObject, looseOf, type ToolSchema } from '@palimpsest/core'
import { tool } from 'langchain'

export interface EngineToolCall {
  readonly name: string
  readonly args: unknown
  readonly configurable: unknown
  readonly messages: readonly BaseMessage[]
  readonly signal: AbortSignal | undefined
}

export function engineTools(
  engine: ContextEngine,
  answer: (call: EngineToolCall) => Promise<string>,
): ClientTool[] {
  return declaredTools(engine).map(({ function: { name, description, parameters } }) =>
    tool(
      (args: unknown, runtime: unknown) => {
        const { configurable, state, signal } = looseOf(runtime)
        const { messages } = looseOf(state)
        return answer({
          ...{ name, args, configurable },
          messages: Array.isArray(messages) ? messages : [],
          signal: signal instanceof AbortSignal ? signal : undefined,
        })
      },
      {
        name,
        description: description ?? name,
        schema: { type: 'object', properties: {}, ...parameters },
      },
    ),
  )
}

const schemas = new WeakMap<object, ToolSchema>()

export function hostTools(tools: readonly unknown[], engineNames: ReadonlySet<unknown>): ToolSchema[] {
  return tools.filter(isObject).flatMap((hostTool) => {
    if (engineNames.has(hostTool.name)) return []
    const schema = schemas.get(hostTool) ?? (convertToOpenAITool(hostTool) as unknown as ToolSchema)
    schemas.set(hostTool, schema)
    return [schema]
  })
}
