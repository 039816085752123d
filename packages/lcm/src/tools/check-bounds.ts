import { InvalidOptionError } from '@palimpsest/core'
import type { SearchQuery } from '../search/search-types.ts'
import { messageRef, timeText } from './refs.ts'
import type { ToolContext } from './tool-context.ts'

/**
 * Bounds between which there can be nothing are a slip, not a question.
 *
 * @throws InvalidOptionError that says what there is.
 */
export async function checkBounds(
  { first, last, since, before }: SearchQuery,
  { session, head }: ToolContext,
): Promise<void> {
  if (since !== undefined && before !== undefined && since >= before) {
    throw new InvalidOptionError(
      'since',
      `"since" (${timeText(since)}) must be earlier than "before" (${timeText(before)})`,
    )
  }
  if (first === undefined) return
  if (last !== undefined && first > last) {
    throw new InvalidOptionError(
      'first',
      `"first" (${messageRef(first)}) stands behind "last" (${messageRef(last)}); messages are numbered from the oldest`,
    )
  }
  const { nextSeq } = await (head?.() ?? session.head())
  if (nextSeq === 0 || first < nextSeq) return
  throw new InvalidOptionError(
    'first',
    `there is no ${messageRef(first)} to begin at; messages go from m0 to ${messageRef(nextSeq - 1)}`,
  )
}
