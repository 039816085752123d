import { type ContentPart, contentParts, isObject, type Loose, looseOf, type Message } from '@palimpsest/core'

export type Item = Loose

export interface ItemData {
  readonly items?: readonly Item[]
  readonly reasoning?: readonly Item[]
  /** The provider's own compaction, sent in place of a summary. */
  readonly compaction?: readonly Item[]
}

export function isReasoning({ type }: Item): boolean {
  return type === 'reasoning'
}

export function isMessage({ type, role }: Item): boolean {
  return type === 'message' || (type === undefined && typeof role === 'string')
}

export function isCall({ type, call_id: id }: Item): boolean {
  return typeof type === 'string' && type.endsWith('_call') && typeof id === 'string'
}

export function isOutput({ type }: Item): boolean {
  return typeof type === 'string' && type.endsWith('_output')
}

const PINNED: ReadonlySet<unknown> = new Set([
  'additional_tools',
  'configuration_update',
  'compaction',
  'compaction_summary',
  'context_compaction',
])

export function isPinned(item: Item): boolean {
  return PINNED.has(item.type) || isSealed(item)
}

/** True for a message between agents that only the provider reads, such as a sub-agent's task. */
function isSealed({ type, content }: Item): boolean {
  return type === 'agent_message' && Array.isArray(content) && content.some(isEncrypted)
}

function isEncrypted(part: unknown): boolean {
  return looseOf(part).type === 'encrypted_content'
}

export function isNotice(item: Item): boolean {
  return (
    (isPinned(item) && !isSaid(item)) ||
    item.type === 'compaction_trigger' ||
    item.type === 'mcp_approval_response'
  )
}

export function isSaid(item: Item): boolean {
  const { content, role } = item
  return (typeof content === 'string' || Array.isArray(content)) && role !== 'assistant' && !isReasoning(item)
}

const IDENTIFIED: ReadonlySet<unknown> = new Set([
  'item_reference',
  'mcp_approval_request',
  'local_shell_call',
])

/** Items without their reasoning must lose their ids, because a provider would ask for it. */
export function withoutIds(items: readonly Item[]): Item[] {
  return items.map((item) => {
    if (item.id === undefined || (IDENTIFIED.has(item.type) && !isCall(item))) return item
    const { id: _, ...rest } = item
    return rest
  })
}

type IsHidden = (item: Item) => boolean

export function visibleItems(items: readonly Item[], isHidden: IsHidden): Item[] {
  return items.flatMap((item, index) =>
    isHidden(item) ? [] : [visibleItem(item, items[index + 1], isHidden)],
  )
}

/** Reasoning before a hidden call keeps only its summary, because without that call it would be refused. */
export function visibleItem(item: Item, next: Item | undefined, isHidden: IsHidden): Item {
  if (!isReasoning(item) || next === undefined || !isHidden(next)) return item
  const { encrypted_content: _, content: __, ...rest } = item
  return rest
}

export function visibleResponse(response: Loose, asked: Loose): Loose {
  const { tools, instructions } = response
  return {
    ...response,
    ...(tools !== undefined && { tools: Array.isArray(tools) ? tools.slice(0, toolCount(asked)) : tools }),
    ...(instructions !== undefined && { instructions: asked.instructions ?? null }),
  }
}

function toolCount({ tools }: Loose): number {
  return Array.isArray(tools) ? tools.length : 0
}

export function outputOf(response: Loose): Item[] {
  return Array.isArray(response.output) ? response.output.map(looseOf) : []
}

export function toParts(content: unknown): ContentPart[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? content.map(toPart) : []
}

export function toContent(parts: readonly ContentPart[]): string | ContentPart[] {
  const [first] = parts
  return parts.length === 1 && first?.type === 'text' && first.text !== '' ? first.text : [...parts]
}

export function partsOf(message: Message): readonly ContentPart[] {
  return contentParts(message) as readonly ContentPart[]
}

export function emptyContent(content: unknown): unknown {
  if (typeof content === 'string') return ''
  return Array.isArray(content) ? content.map(emptyPart) : content
}

export function slotCount(shell: unknown): number {
  if (typeof shell === 'string') return 1
  return Array.isArray(shell) ? shell.length : 0
}

export function fillContent(shell: unknown, parts: readonly ContentPart[], isAnswer = false): unknown {
  const [first] = parts
  if (typeof shell === 'string') {
    if (parts.length === 0) return ''
    if (parts.length === 1 && first?.type === 'text') return first.text
  }
  const isSame = Array.isArray(shell) && shell.length === parts.length
  return parts.map((part, index) =>
    isSame ? fillPart(shell[index], part, isAnswer) : plainPart(part, isAnswer),
  )
}

export function plainPart(part: ContentPart, isAnswer: boolean): object {
  if (part.type === 'text') return { type: isAnswer ? 'output_text' : 'input_text', text: part.text }
  if (part.type === 'image_url') {
    const { url, detail } = part.image_url
    return { type: 'input_image', ...(detail !== undefined && { detail }), image_url: url }
  }
  if (part.type === 'file') return { type: 'input_file', ...part.file }
  return part
}

export function toPart(part: unknown): ContentPart {
  const { type, text, refusal, image_url: url, file_data: data, filename } = looseOf(part)
  if (typeof text === 'string') return { type: 'text', text }
  if (typeof refusal === 'string') return { type: 'refusal', refusal }
  if (typeof url === 'string') return { type: 'image_url', image_url: { url } }
  if (typeof data === 'string')
    return { type: 'file', file: { file_data: data, ...(typeof filename === 'string' && { filename }) } }
  return typeof type === 'string' ? (part as ContentPart) : { type: 'text', text: JSON.stringify(part) }
}

const HELD = ['text', 'refusal', 'image_url', 'file_data']

export function emptyPart(part: unknown): unknown {
  const held = HELD.find((name) => typeof looseOf(part)[name] === 'string')
  return held === undefined ? null : { ...looseOf(part), [held]: '' }
}

function fillPart(shell: unknown, part: ContentPart, isAnswer: boolean): object {
  if (isObject(shell))
    for (const [name, value] of Object.entries(heldBy(part)))
      if (typeof shell[name] === 'string') return { ...shell, [name]: value }
  return plainPart(part, isAnswer)
}

function heldBy(part: ContentPart): Loose {
  if (part.type === 'text') return { text: part.text }
  if (part.type === 'refusal') return { refusal: part.refusal }
  if (part.type === 'image_url') return { image_url: part.image_url.url }
  return part.type === 'file' ? { file_data: part.file.file_data } : {}
}
