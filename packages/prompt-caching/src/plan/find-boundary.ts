import type { RequestLayout } from '../layout/request-layout.ts'

/** A summary stands behind no more messages without one than this: an engine's protected beginning is 3. */
const MESSAGES_BEFORE_SUMMARY = 8
/** How far to look, in blocks behind the last summary: eight messages with a dozen parallel calls each. */
const BLOCKS_BEFORE_SUMMARY = 128

/**
 * The end of the summaries at the beginning of the messages: what the next compaction and a rewind leave as it is. Of a
 * summary in several blocks the last one ends its frame, and moves on when a block is appended: the one before it is the
 * end. Undefined when there is none. Looks at the first messages only.
 */
export function findBoundary({ blocks }: RequestLayout, messages: number): number | undefined {
  let boundary: number | undefined
  let lastSummary = blocks[messages]?.unit ?? 0
  let end = messages + BLOCKS_BEFORE_SUMMARY
  for (let index = messages; index < Math.min(end, blocks.length); index++) {
    const block = blocks[index]
    if (block === undefined || block.unit - lastSummary > MESSAGES_BEFORE_SUMMARY) break
    if (!block.carries || !(block.isSummary === true || block.kind === 'compaction')) continue
    boundary = index
    lastSummary = block.unit
    end = index + BLOCKS_BEFORE_SUMMARY
  }
  const before = boundary === undefined ? undefined : blocks[boundary - 1]
  const isFrameEnd =
    before?.isSummary === true && before.carries && before.unit === blocks[boundary ?? -1]?.unit
  return isFrameEnd && boundary !== undefined ? boundary - 1 : boundary
}
