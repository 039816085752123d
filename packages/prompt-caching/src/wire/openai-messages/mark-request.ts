import type { CacheAnchor } from '@palimpsest/core'
import { anchorsByPlace, type BlockTtls } from '../anchors-by-place.ts'
import { type Fields, isFields } from '../fields.ts'
import { extendPart, toParts } from '../wrapped-content.ts'
import type { Carriage } from './message-pieces.ts'
import { messagePieces } from './message-pieces.ts'
import { splitSystem } from './read-blocks.ts'

/** The lists of a request without markers. */
export interface MarkableLists {
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

/**
 * A copy of a message without markers that has them on these blocks, of which each carries one or is where
 * `system_and_3` sets one; the message itself when there are none. A text becomes a list of one part, with the same bytes
 * in it.
 */
function markMessage(message: Fields, ttls: BlockTtls, carriage: Carriage): Fields {
  const pieces = messagePieces(message, carriage)
  let marked = message
  let parts: unknown[] | undefined
  for (const [block, ttl] of ttls) {
    const piece = pieces[block]
    const place = piece?.place ?? piece?.systemAnd3
    if (place === undefined) continue
    const marker = carriage.marker(ttl)
    if (place.on === 'message') {
      marked = { ...marked, [carriage.field]: marker }
      continue
    }
    parts ??= toParts(message.content)
    const part = parts[place.index]
    if (isFields(part)) parts[place.index] = extendPart(part, carriage.field, marker)
  }
  return parts === undefined ? marked : { ...marked, content: parts }
}
