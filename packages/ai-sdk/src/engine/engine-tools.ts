import { type ContextSession, looseOf, type ToolSchema } from '@palimpsest/core'
import { asSchema, jsonSchema, tool } from 'ai'
import type { EngineTool, HostTools } from './context-engine-types.ts'

/** The session's tools for the AI SDK, but those without a name and those whose name the application uses itself. */
export function engineTools(session: ContextSession, own: HostTools): Record<string, EngineTool> {
  const offered = session.engine
    .toolSchemas()
    .filter(({ function: { name } }) => name !== '' && !Object.hasOwn(own, name))
  return Object.fromEntries(
    offered.map(({ function: { name, description, parameters } }) => [
      name,
      tool({
        ...(description !== undefined && { description }),
        inputSchema: jsonSchema<Record<string, unknown>>({ ...parameters }),
        execute: (input, { abortSignal }) =>
          session.callTool(name, input, { ...(abortSignal && { signal: abortSignal }) }),
      }),
    ]),
  )
}

/**
 * The application's tools as they are counted. A description that is written for each call anew is left out, and so is
 * the schema of a tool of the provider's.
 */
export async function toolSchemas(tools: HostTools): Promise<ToolSchema[]> {
  return Promise.all(
    Object.entries(tools).map(async ([name, { description, inputSchema }]): Promise<ToolSchema> => {
      const schema: unknown = await asSchema(inputSchema).jsonSchema
      const text = typeof description === 'string' ? { description } : {}
      return { type: 'function', function: { name, ...text, parameters: { ...looseOf(schema) } } }
    }),
  )
}
