import type { RequestLayout } from '../layout/request-layout.ts'

/** The last block that can carry a breakpoint; looks back no further than to `from`. */
export function findTail({ blocks }: RequestLayout, from = 0): number | undefined {
  for (let index = blocks.length - 1; index >= from; index--) {
    if (blocks[index]?.carries) return index
  }
  return undefined
}
