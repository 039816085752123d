import type { CacheAnchor, CacheTtl } from '@palimpsest/core'
import { isFields } from '../fields.ts'
import type { Carriage } from './carriage.ts'
import { type BlockTtls, markMessage } from './mark-message.ts'
import { splitSystem } from './read-blocks.ts'

/** The lists of a request without markers. */
export interface MarkableLists {
  /** The system prompt first, if there is one. */
  readonly messages: readonly object[]
  readonly tools: readonly object[] | undefined
  readonly hasSystem: boolean
  /** Characters of the system prompt that are a block of their own. */
  readonly staticSystem: number | undefined
}

/** Copies of the lists with these breakpoints; null when none of them can be carried. What is not marked is shared. */
export function markLists(
  { messages, tools, hasSystem, staticSystem }: MarkableLists,
  anchors: readonly CacheAnchor[],
  carriage: Carriage,
): { readonly messages: object[]; readonly tools?: object[] } | null {
  const wanted = sortAnchors(anchors)
  const markedTools = tools?.slice()
  const marked = messages.slice()
  let isMarked = false

  const mark = (index: number, message: object | undefined, ttls: BlockTtls) => {
    if (!isFields(message)) return
    const copy = markMessage(message, ttls, carriage)
    marked[index] = copy
    isMarked ||= copy !== message
  }

  for (const [index, ttl] of carriage.onTools ? wanted.tools : []) {
    const tool = tools?.[index]
    if (markedTools === undefined || !isFields(tool)) continue
    markedTools[index] = { ...tool, [carriage.field]: carriage.marker(ttl) }
    isMarked = true
  }
  const [system] = messages
  if (hasSystem && system !== undefined) mark(0, splitSystem(system, staticSystem), wanted.system)
  for (const [index, ttls] of wanted.messages) if (index > 0 || !hasSystem) mark(index, messages[index], ttls)
  return isMarked ? { messages: marked, ...(markedTools && { tools: markedTools }) } : null
}

function sortAnchors(anchors: readonly CacheAnchor[]) {
  const tools = new Map<number, CacheTtl>()
  const system = new Map<number, CacheTtl>()
  const messages = new Map<number, Map<number, CacheTtl>>()
  for (const { ref, ttl } of anchors) {
    if (ref.at === 'tool') tools.set(ref.index, ttl)
    else if (ref.at === 'system') system.set(ref.block, ttl)
    else {
      const blocks = messages.get(ref.index) ?? new Map<number, CacheTtl>()
      messages.set(ref.index, blocks.set(ref.block, ttl))
    }
  }
  return { tools, system, messages }
}
