import type { RequestLayout } from '../layout/request-layout.ts'
import type { CachePricing } from '../pricing/cache-pricing.ts'

/** More new positions than this get a breakpoint in their middle: a marker looks at 20, and a request may add a few. */
export const MIDPOINT_POSITIONS = 15

/**
 * The end of a message near the middle of what is new, for rewinds that go back less than all of it. Undefined when
 * few positions are new, or no message ends in between with a block that can carry a breakpoint.
 * @param from last block that is not new
 * @param to last block that can carry a breakpoint
 */
export function findMidpoint(
  { blocks, runs }: RequestLayout,
  from: number,
  to: number,
  { matching }: Pick<CachePricing, 'matching'>,
): number | undefined {
  const positions = matching === 'collapsed' ? (runs[to] ?? 0) - (runs[from] ?? 0) : to - from
  if (positions <= MIDPOINT_POSITIONS) return undefined
  const isEnd = (index: number) =>
    index > from && index < to && blocks[index]?.carries && blocks[index]?.unit !== blocks[index + 1]?.unit
  const middle = Math.floor((from + to) / 2)
  for (let distance = 0; distance <= to - middle; distance++) {
    if (isEnd(middle + distance)) return middle + distance
    if (isEnd(middle - distance)) return middle - distance
  }
  return undefined
}
