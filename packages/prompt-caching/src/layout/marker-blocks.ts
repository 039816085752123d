import type { CacheAnchor, CacheRef } from '@palimpsest/core'
import type { Marker } from '../cache/cache-state.ts'
import type { RequestLayout } from './request-layout.ts'

/** Index of the block that a ref names; undefined when the layout has none. Found by halving: refs are in order. */
export function blockOf({ blocks }: RequestLayout, ref: CacheRef): number | undefined {
  let low = 0
  let high = blocks.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const at = withRef(blocks, middle, high)
    const found = blocks[at]?.ref
    if (!found) {
      high = middle - 1
      continue
    }
    const order = compareRefs(found, ref)
    if (order === 0) return at
    if (order < 0) low = at + 1
    else high = middle - 1
  }
  return undefined
}

/** The first block from `from` to `to` that is no setting. */
function withRef(blocks: RequestLayout['blocks'], from: number, to: number): number {
  let at = from
  while (at <= to && !blocks[at]?.ref) at++
  return at <= to ? at : -1
}

/** The anchors as markers on the layout, ascending; those without a block are left out. */
export function markersOf(layout: RequestLayout, anchors: readonly CacheAnchor[]): Marker[] {
  return anchors
    .flatMap(({ ref, ttl }) => {
      const block = blockOf(layout, ref)
      return block === undefined ? [] : [{ block, ttl }]
    })
    .sort((a, b) => a.block - b.block)
}

const RANKS = { tool: 0, system: 1, message: 2 } as const

/** Below 0 when `a` stands before `b` in a prompt. */
export function compareRefs(a: CacheRef, b: CacheRef): number {
  return RANKS[a.at] - RANKS[b.at] || unitOf(a) - unitOf(b) || placeOf(a) - placeOf(b)
}

function unitOf(ref: CacheRef): number {
  return ref.at === 'system' ? 0 : ref.index
}

function placeOf(ref: CacheRef): number {
  return ref.at === 'tool' ? 0 : ref.block
}
