import { isObject, type Loose, looseOf, type ToolSchema } from '@palimpsest/core'

/** A tool of the Responses API as sessions count it. */
export function toToolSchema(tool: Loose): ToolSchema {
  const { type, name, description, parameters, ...rest } = tool
  return {
    type: 'function',
    function: {
      name: typeof name === 'string' ? name : String(type),
      ...(typeof description === 'string' && { description }),
      parameters: isObject(parameters) ? parameters : rest,
    },
  }
}

/** The names that a tool gives to a model: a namespace gives several. */
export function toolNames({ name, type, tools }: Loose): string[] {
  const inner = Array.isArray(tools) ? tools.flatMap((tool) => toolNames(looseOf(tool))) : []
  return [typeof name === 'string' ? name : String(type), ...inner]
}

/** A tool of the engine as the Responses API has it. Its schema is not made for the strict mode. */
export function engineTool({ function: { name, description, parameters } }: ToolSchema): Loose {
  return { type: 'function', name, description, parameters: parameters ?? { type: 'object' }, strict: false }
}
