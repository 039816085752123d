import type { CacheAnchor } from '@palimpsest/core'
import { anchorsByPlace, type BlockTtls } from '../anchors-by-place.ts'
import { isFields } from '../fields.ts'
import type { Carriage } from './carriage.ts'
import { markMessage } from './mark-message.ts'
import { splitSystem } from './read-blocks.ts'

/** The lists of a request without markers. */
export interface MarkableLists {
  /** The system prompt first, if there is one. */
  readonly messages: readonly object[]
  readonly tools: readonly object[]
  readonly hasSystem: boolean
  /** Characters of the system prompt that are a block of their own. */
  readonly staticSystem: number | undefined
}

/** Copies of the lists with these breakpoints, all of which can be carried. What is not marked is shared. */
export function markLists(
  { messages, tools, hasSystem, staticSystem }: MarkableLists,
  anchors: readonly CacheAnchor[],
  carriage: Carriage,
): { readonly messages: readonly object[]; readonly tools?: readonly object[] } {
  const wanted = anchorsByPlace(anchors)
  const marked = messages.slice()
  const mark = (index: number, message: object | undefined, ttls: BlockTtls) => {
    if (isFields(message)) marked[index] = markMessage(message, ttls, carriage)
  }
  const [system] = messages
  if (hasSystem && system !== undefined) mark(0, splitSystem(system, staticSystem), wanted.system)
  for (const [index, ttls] of wanted.messages) mark(index, messages[index], ttls)
  const markedTools = tools.map((tool, index) => {
    const ttl = wanted.tools.get(index)
    return ttl === undefined ? tool : { ...tool, [carriage.field]: carriage.marker(ttl) }
  })
  return { messages: marked, ...(wanted.tools.size > 0 && { tools: markedTools }) }
}
