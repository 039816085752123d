import { errorText, type ToolSchema } from '@palimpsest/core'
import { sliceText, wholeIndex } from './cut-text.ts'
import type { MessageLog } from './message-log.ts'
import { serializeMessage } from './serialize-message.ts'

/** Characters of one answer of `ref_get`. */
const PIECE = { default: 4_000, most: 20_000 } as const
/** Matches of one answer of `ref_search`. */
const MATCHES = { default: 10, most: 50 } as const
const QUERY_CHARACTERS = 500
const EXCERPT_CHARACTERS = 160

export const TOOL_SCHEMAS: readonly ToolSchema[] = [
  schema('ref_get', 'The text of one message of this session as JSON, from offset on', ['index'], {
    index: { type: 'integer', minimum: 0, description: 'Position in the transcript' },
    offset: { type: 'integer', minimum: 0, description: 'Characters to leave out at the beginning' },
    limit: { type: 'integer', minimum: 1, maximum: PIECE.most, description: 'Characters at most' },
  }),
  schema('ref_search', 'Messages of this session that hold a text, upper and lower case alike', ['query'], {
    query: { type: 'string', maxLength: QUERY_CHARACTERS },
    limit: { type: 'integer', minimum: 1, maximum: MATCHES.most, description: 'Matches at most' },
  }),
]

type Arguments = Readonly<Record<string, unknown>>

/** Runs a tool. The answer is always JSON. */
export function runTool(log: MessageLog, name: string, args: unknown): string {
  try {
    return JSON.stringify(answer(log, name, readArguments(args)))
  } catch (error) {
    return JSON.stringify({ error: errorText(error) })
  }
}

function answer(log: MessageLog, name: string, args: Arguments): object {
  if (name === 'ref_get') return getMessage(log, args)
  if (name === 'ref_search') return search(log, args)
  throw new Error(`unknown tool: ${name}; known are ref_get and ref_search`)
}

function getMessage({ texts }: MessageLog, args: Arguments): object {
  const index = integer(args, 'index', 0, texts.length - 1)
  const text = texts[index] ?? ''
  const offset = wholeIndex(text, integer(args, 'offset', 0, text.length, 0))
  const piece = sliceText(text, offset, integer(args, 'limit', 1, PIECE.most, PIECE.default))
  const end = offset + piece.length
  return { index, offset, text: piece, total: text.length, next: end < text.length ? end : null }
}

function search({ texts }: MessageLog, args: Arguments): object {
  const { query } = args
  if (typeof query !== 'string' || query === '' || query.length > QUERY_CHARACTERS)
    throw new Error(`query must be a text of 1 to ${QUERY_CHARACTERS} characters`)
  const limit = integer(args, 'limit', 1, MATCHES.most, MATCHES.default)
  const wanted = query.toLowerCase()
  const matches: object[] = []
  let index = 0
  for (; index < texts.length && matches.length < limit; index++) {
    const text = serializeMessage(JSON.parse(texts[index] ?? ''))
    const at = text.toLowerCase().indexOf(wanted)
    if (at !== -1) matches.push({ index, excerpt: sliceText(text, Math.max(0, at - 40), EXCERPT_CHARACTERS) })
  }
  return { matches, searched: index, total: texts.length }
}

function readArguments(args: unknown): Arguments {
  if (typeof args === 'object' && args !== null && !Array.isArray(args)) return args as Arguments
  throw new Error('the arguments must be an object')
}

function integer(args: Arguments, key: string, least: number, most: number, standard?: number): number {
  const value = Object.hasOwn(args, key) ? args[key] : standard
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value
  throw new Error(
    most < least ? 'nothing is stored yet' : `${key} must be an integer from ${least} to ${most}`,
  )
}

function schema(name: string, description: string, required: string[], properties: object): ToolSchema {
  const parameters = { type: 'object', properties, required, additionalProperties: false }
  return { type: 'function', function: { name, description, parameters } }
}
