import type { CacheRef } from '@palimpsest/core'
import { commonBlocks } from '../cache/serve-request.ts'
import type { CacheBlock, RequestLayout } from '../layout/request-layout.ts'

/** The first thing in a request that is not what it was. */
export interface Difference {
  /** Its position; null for settings. */
  readonly ref: CacheRef | null
  /** A clause for people: `messages[3] (user) changed`. */
  readonly clause: string
}

/** Settings in the order in which a layout has them. */
const SETTINGS = [
  'the model (or its effort of thinking)',
  'speed, web search or citations',
  'tool choice, images, thinking or effort',
]

/** The first block in which a request differs from the one before, unless one of them begins with the other. */
export function findDifference(before: RequestLayout, now: RequestLayout): Difference | null {
  const index = commonBlocks(before.hashes, now.hashes)
  const old = before.blocks[index]
  const own = now.blocks[index]
  if (old === undefined || own === undefined) return null
  // Where a setting follows in the order of the prompt, what stood there before is not there any longer.
  if (own.kind === 'setting' && old.kind !== 'setting')
    return { ref: old.ref, clause: `${nameOf(old)} is gone` }
  if (own.kind === 'setting') return { ref: null, clause: `${settingAt(now, index)} changed` }
  return { ref: own.ref, clause: `${nameOf(own)} ${old.kind === 'setting' ? 'is new' : 'changed'}` }
}

/** A block as people look for it: `messages[3] (user)`. Messages are counted from 0, as in the request. */
export function nameOf({ ref, role }: CacheBlock): string {
  if (ref === null) return 'a setting'
  if (ref.at === 'tool') return `tools[${ref.index}]`
  if (ref.at === 'system') return `block ${ref.block} of the system prompt`
  return ref.block === 0
    ? `messages[${ref.index}] (${role})`
    : `block ${ref.block} of messages[${ref.index}] (${role})`
}

function settingAt({ blocks }: RequestLayout, index: number): string {
  const before = blocks.slice(0, index).filter(({ kind }) => kind === 'setting').length
  return SETTINGS[before] ?? 'a setting'
}

/** For people: `1 token`, `3,600 tokens`. */
export function countTokens(count: number): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? 'token' : 'tokens'}`
}
