import { type Loose, looseOf } from '@palimpsest/core'
import { type Item, isReasoning } from './item.ts'

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
