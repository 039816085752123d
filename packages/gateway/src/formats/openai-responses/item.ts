import { type Loose, looseOf } from '@palimpsest/core'

/** An item of the Responses API, of whatever type. */
export type Item = Loose

/** The part of its items that a message keeps, in the provider data of `openai`. */
export interface ItemData {
  /** The items without what the message holds. Default: those that the message alone would be written as. */
  readonly items?: readonly Item[]
  /** Whole. Core takes them away when the place that they were given at is edited. */
  readonly reasoning?: readonly Item[]
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
export function isPinned({ type }: Item): boolean {
  return PINNED.has(type)
}

/** Whether an item is no turn of its own: it goes with the message beside it. */
export function isNotice(item: Item): boolean {
  return isPinned(item) || item.type === 'compaction_trigger' || item.type === 'mcp_approval_response'
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
export type IsHidden = (item: Item) => boolean

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
