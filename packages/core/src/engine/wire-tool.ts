import { isObject, looseOf } from '../messages/loose.ts'
import type { ToolSchema } from '../spec/v1/tool-schema.ts'

/**
 * A tool as an author wrote it, in the wire shape: a flat schema gets its frame, and what has no name has the empty
 * one, so that whoever reads a list of tools finds a name in each and leaves out what cannot be offered.
 */
export function wireTool(schema: unknown): ToolSchema {
  const given = looseOf(schema)
  const { type, ...flat } = given
  const isFramed = isObject(given.function)
  const tool = isFramed ? looseOf(given.function) : flat
  if (typeof tool.name !== 'string') return { type: 'function', function: { ...tool, name: '' } }
  // The same object each time: readers compare lists of tools.
  if (isFramed && type === 'function') return schema as ToolSchema
  return { ...(isFramed && flat), type: 'function', function: { ...tool, name: tool.name } }
}
