import { type ContentPart, contentParts, isObject, type Loose, looseOf, type Message } from '@palimpsest/core'

export type Item = Loose

/** The part of its items that a message keeps, in the provider data of `openai`. */
export interface ItemData {
  /** The items without what the message holds. Default: those that the message alone would be written as. */
  readonly items?: readonly Item[]
  /** Whole. Core takes them away when the place that they were given at is edited. */
  readonly reasoning?: readonly Item[]
  /** On a summary: the provider's own compaction, sent in its place. */
  readonly compaction?: readonly Item[]
}

export function isReasoning({ type }: Item): boolean {
  return type === 'reasoning'
}

/** Messages may leave their type out. */
export function isMessage({ type, role }: Item): boolean {
  return type === 'message' || (type === undefined && typeof role === 'string')
}

/** Whether an item is a call that is answered by another item. Calls that the provider answers itself are none. */
export function isCall({ type, call_id: id }: Item): boolean {
  return typeof type === 'string' && type.endsWith('_call') && typeof id === 'string'
}

export function isOutput({ type }: Item): boolean {
  return typeof type === 'string' && type.endsWith('_output')
}

/** Items that set a model up, or stand for a conversation in a form that only the provider reads. */
const PINNED: ReadonlySet<unknown> = new Set([
  'additional_tools',
  'configuration_update',
  'compaction',
  'compaction_summary',
  'context_compaction',
])

/** Whether no summary can stand for an item: it is sent in front when the rest around it is summarised. */
export function isPinned(item: Item): boolean {
  return PINNED.has(item.type) || isSealed(item)
}

/** Whether an item is a message between agents, such as the task of a child, that only the provider reads. */
function isSealed({ type, content }: Item): boolean {
  return type === 'agent_message' && Array.isArray(content) && content.some(isEncrypted)
}

function isEncrypted(part: unknown): boolean {
  return looseOf(part).type === 'encrypted_content'
}

/** Whether an item is no turn of its own: it goes with the message beside it. */
export function isNotice(item: Item): boolean {
  return (
    (isPinned(item) && !isSaid(item)) ||
    item.type === 'compaction_trigger' ||
    item.type === 'mcp_approval_response'
  )
}

/** Whether an item says something to the model: a message of the user, of the developer, or of another agent. */
export function isSaid(item: Item): boolean {
  const { content, role } = item
  return (typeof content === 'string' || Array.isArray(content)) && role !== 'assistant' && !isReasoning(item)
}

/** Items that are nothing without their ids. */
const IDENTIFIED: ReadonlySet<unknown> = new Set([
  'item_reference',
  'mcp_approval_request',
  'local_shell_call',
])

/** Items of a turn whose reasoning is gone: with their ids, a provider would ask for it. */
export function withoutIds(items: readonly Item[]): Item[] {
  return items.map((item) => {
    if (item.id === undefined || (IDENTIFIED.has(item.type) && !isCall(item))) return item
    const { id: _, ...rest } = item
    return rest
  })
}

/** Whether an item is a call that the gateway answers. */
type IsHidden = (item: Item) => boolean

/** The items of an answer that its client sees. */
export function visibleItems(items: readonly Item[], isHidden: IsHidden): Item[] {
  return items.flatMap((item, index) =>
    isHidden(item) ? [] : [visibleItem(item, items[index + 1], isHidden)],
  )
}

/**
 * An item as the client sees it. Of reasoning that led to a hidden call only the summary is left, which is not sent on when
 * it comes back: without that call it would be refused.
 */
export function visibleItem(item: Item, next: Item | undefined, isHidden: IsHidden): Item {
  if (!isReasoning(item) || next === undefined || !isHidden(next)) return item
  const { encrypted_content: _, content: __, ...rest } = item
  return rest
}

/** A response without what the gateway asked for of its own accord. `asked`: the client's body. */
export function visibleResponse(response: Loose, asked: Loose): Loose {
  const { tools, instructions } = response
  return {
    ...response,
    ...(tools !== undefined && { tools: Array.isArray(tools) ? tools.slice(0, toolCount(asked)) : tools }),
    ...(instructions !== undefined && { instructions: asked.instructions ?? null }),
  }
}

/** The engine's tools stand behind the client's. */
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

/** Parts as a message of core holds them: one text is a string. */
export function toContent(parts: readonly ContentPart[]): string | ContentPart[] {
  const [first] = parts
  return parts.length === 1 && first?.type === 'text' && first.text !== '' ? first.text : [...parts]
}

export function partsOf(message: Message): readonly ContentPart[] {
  return contentParts(message) as readonly ContentPart[]
}

/** The content of an item without what its message holds, so that it is not kept twice. */
export function emptyContent(content: unknown): unknown {
  if (typeof content === 'string') return ''
  return Array.isArray(content) ? content.map(emptyPart) : content
}

export function slotCount(shell: unknown): number {
  if (typeof shell === 'string') return 1
  return Array.isArray(shell) ? shell.length : 0
}

/** An emptied content with parts in their places; as plain parts when they are not those that it was made for. */
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
  // Parts of a kind that core does not know survive as they are.
  return typeof type === 'string' ? (part as ContentPart) : { type: 'text', text: JSON.stringify(part) }
}

const HELD = ['text', 'refusal', 'image_url', 'file_data']

/** A part without what its message holds; null for what the message holds as it is. */
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
