import type { TokenCounter } from '@palimpsest/core'
import type { ReadBlock } from '../../layout/request-layout.ts'
import { isFields } from '../fields.ts'
import { wireText } from '../wire-text.ts'
import { type AiSdkRequest, type AiSdkTool, fieldsOf } from './ai-sdk-request.ts'
import { withoutMarker } from './markers.ts'

export interface SentTool {
  readonly name: string
  readonly tool: AiSdkTool
}

/** The tools that are sent, in the order in which the AI SDK sends them: those of `toolOrder`, then by name. */
export function sentTools({ tools, activeTools, toolOrder }: AiSdkRequest): SentTool[] {
  const active = activeTools && new Set(activeTools)
  const sent = Object.entries(tools ?? {})
    .filter(([name, tool]) => isFields(tool) && (active?.has(name) ?? true))
    .map(([name, tool]) => ({ name, tool }))
  if (!toolOrder) return sent
  const placeOf = (name: string) => (toolOrder.includes(name) ? toolOrder.indexOf(name) : toolOrder.length)
  return sent.sort((a, b) => placeOf(a.name) - placeOf(b.name) || (a.name < b.name ? -1 : 1))
}

/**
 * A tool as a block. It never carries: the tools that `prepareStep` returns are ignored, and two of the three packages
 * leave the marker of a tool out. What marks the system prompt covers the tools before it.
 */
export function readSentTool({ name, tool }: SentTool, tokens: TokenCounter): ReadBlock {
  const { description, inputSchema, strict, inputExamples, type, id, args, providerOptions } = fieldsOf(
    withoutMarker(tool),
  )
  const schema = schemaText(inputSchema)
  const about = typeof description === 'string' ? description : ''
  const called = { name, description: about, parameters: { schema } }
  return {
    kind: 'tool',
    role: 'system',
    content: wireText([name, about, schema, type, id, args, strict, inputExamples, providerOptions]),
    tokens: tokens.countTools([{ type: 'function', function: called }]),
    carries: false,
  }
}

/** Turning a schema of zod into JSON Schema takes longer than all the rest, and schemas do not change. */
const schemas = new WeakMap<object, string>()

/** The schema as JSON Schema; nothing for one that cannot be had without waiting, or by a library's own ways. */
function schemaText(schema: unknown): string {
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null) return ''
  const known = schemas.get(schema)
  if (known !== undefined) return known
  const text = wireText(jsonSchemaOf(schema))
  schemas.set(schema, text)
  return text
}

interface AnySchema {
  readonly jsonSchema?: unknown
  readonly '~standard'?: { readonly jsonSchema?: { input(options: { target: string }): unknown } }
}

function jsonSchemaOf(schema: object): unknown {
  try {
    const any: AnySchema =
      typeof schema === 'function' && !('~standard' in schema) ? schema.call(null) : schema
    return any.jsonSchema ?? any['~standard']?.jsonSchema?.input({ target: 'draft-07' })
  } catch {
    return ''
  }
}
