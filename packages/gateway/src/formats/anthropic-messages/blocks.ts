import { isObject, type Loose, looseOf, type ToolCall, toolCallInput, toolCallName } from '@palimpsest/core'
import { parseJson } from '../../parse-json.ts'
import { withoutMark } from '../../recognition/cache-marks.ts'

/** A block of a message of the API; of unknown kinds too. */
export type Block = Loose

/** The blocks of a content: a text is one, of which nothing is left when it is empty. */
export function blocksOf(content: unknown): readonly Block[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return Array.isArray(content) ? content.filter(isObject) : []
}

export function isThinking({ type }: Block): boolean {
  return type === 'thinking' || type === 'redacted_thinking'
}

/** A block as a part of core: media in core's words, so that they are counted as what they are; others as they are. */
export function toPart(block: Block): Loose {
  const { type, source, title } = block
  const { data, url, media_type: mediaType } = looseOf(source)
  const address = typeof data === 'string' ? `data:${String(mediaType)};base64,${data}` : url
  if (type === 'image' && typeof address === 'string')
    return { type: 'image_url', image_url: { url: address } }
  if (type === 'document' && looseOf(source).type === 'base64')
    return {
      type: 'file',
      file: { file_data: address, ...(typeof title === 'string' && { filename: title }) },
    }
  // Null says nothing, and clients leave it out.
  return Object.fromEntries(Object.entries(withoutMark(block)).filter(([, value]) => value !== null))
}

/** A part of core as a block. Undefined for what the API does not take: a text of white space. */
export function toBlock(part: Loose): Block | undefined {
  const { providerData: _, ...block } = withoutMark(part)
  if (block.type === 'text')
    return typeof block.text === 'string' && block.text.trim() !== '' ? block : undefined
  if (block.type === 'image_url')
    return { type: 'image', source: toSource(looseOf(block.image_url).url, 'image/png') }
  if (block.type !== 'file') return block
  const { file_data: data, filename } = looseOf(block.file)
  const title = typeof filename === 'string' && { title: filename }
  return { type: 'document', source: toSource(data, 'application/pdf'), ...title }
}

function toSource(address: unknown, otherwise: string): Loose {
  const text = String(address)
  const [head, mediaType] = /^data:([^;,]*);base64,/.exec(text) ?? []
  if (head === undefined) return { type: 'url', url: text }
  return { type: 'base64', media_type: mediaType || otherwise, data: text.slice(head.length) }
}

/** Members of a call that core has a word for. */
const CALL = new Set(['type', 'id', 'name', 'input', 'cache_control'])

/** @param input the JSON text that the model wrote, where it is known. */
export function toCall(block: Block, input?: string): ToolCall {
  const rest = Object.entries(block).filter(([name, value]) => !CALL.has(name) && value !== null)
  const name = String(block.name)
  return {
    id: String(block.id),
    type: 'function',
    function: { name, arguments: input || JSON.stringify(block.input ?? {}) },
    ...(rest.length > 0 && { providerData: { anthropic: Object.fromEntries(rest) } }),
  }
}

/** A call as a block. The API takes objects only: what is none goes as the text that it is. */
export function toToolUse(call: ToolCall): Block {
  const text = toolCallInput(call)
  const input = text.trim() === '' ? {} : parseJson(text)
  return {
    type: 'tool_use',
    id: call.id,
    name: toolCallName(call),
    input: isObject(input) ? input : { _raw: text },
    ...looseOf(call.providerData?.anthropic),
  }
}
