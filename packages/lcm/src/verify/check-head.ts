import type { SessionHead } from '../store/lcm-session.ts'
import type { FaultList } from './fault-list.ts'

/** Replaced messages are runs in order that do not touch, of messages that are there. */
export function checkHead({ replaced, nextSeq }: SessionHead, list: FaultList): void {
  let end = -1
  for (const [index, { first, last }] of replaced.entries()) {
    const ref = `m${first}`
    if (first < 0 || last < first)
      list.add('replaced-empty', `the replaced run from m${first} to m${last} is empty`, ref)
    if (index > 0 && first <= end + 1)
      list.add(
        'replaced-order',
        `the replaced run from m${first} on overlaps with the one before it or touches it`,
        ref,
      )
    if (last >= nextSeq)
      list.add('replaced-beyond', `m${last} is marked as replaced, but the next message is m${nextSeq}`, ref)
    end = Math.max(end, last)
  }
}
