import { isReplaced, nextLive } from '../history/replaced-ranges.ts'
import type { LcmSession, SeqRange } from '../store/lcm-session.ts'
import type { StoredMessage } from '../store/stored-message.ts'
import type { SummaryNode } from '../store/summary-node.ts'
import { checkOffset, cutBytes } from './byte-page.ts'
import { forgottenFields, forgottenText, summaryText } from './forgotten.ts'
import { labelText, messageRef, rangeRef, summaryRef, timeText } from './refs.ts'
import { renderMessage } from './render-message.ts'

/** Sources of a page unless told otherwise, and at most. */
const PAGE_SOURCES = 20
const MAX_SOURCES = 100
/** Bytes of one source among others; the rest is read with its own id. */
const SOURCE_BYTES = 2_000
/** Characters of one source beside its text. */
const FRAME_CHARACTERS = 260

interface Page {
  /** Sources to skip. */
  readonly offset: number
  readonly limit: number | undefined
  /** Characters for the sources, as JSON text. */
  readonly characters: number
}

/** The sources of a summary: finer summaries, or messages, from `offset` on. */
export async function expandSummary(session: LcmSession, node: SummaryNode, page: Page): Promise<object> {
  const limit = Math.min(page.limit ?? PAGE_SOURCES, MAX_SOURCES)
  const total = node.children.length > 0 ? node.children.length : node.messages
  const ref = summaryRef(node.number)
  checkOffset(page.offset, total, `${ref} was made from ${total} sources`)
  const sources =
    node.children.length > 0
      ? await session.summaries(node.children.slice(page.offset, page.offset + limit))
      : await leafMessages(session, node, page.offset, limit)
  const shown: object[] = []
  let room = page.characters
  for (const source of sources) {
    const whole = showSource(source, SOURCE_BYTES, Math.max(room, FRAME_CHARACTERS) - FRAME_CHARACTERS)
    room -= JSON.stringify(whole).length + 1
    if (room < 0 && shown.length > 0) break
    shown.push(whole)
    if (room < 2 * FRAME_CHARACTERS) break
  }
  const end = page.offset + shown.length
  return {
    ref,
    depth: node.depth,
    covers: rangeRef(node.first, node.last),
    ...forgottenFields(node.forgotten),
    ...(node.forgotten !== undefined && { note: forgottenText(node.forgotten) }),
    total,
    offset: page.offset,
    next: end < total && shown.length > 0 ? end : null,
    sources: shown,
  }
}

/** The messages of a leaf. When an edit replaced some of them later, the leaf still stands for what they were. */
async function leafMessages(
  session: LcmSession,
  { first, last, messages }: SummaryNode,
  offset: number,
  limit: number,
): Promise<readonly StoredMessage[]> {
  if (offset >= messages) return []
  const { replaced } = await session.head()
  // Messages replaced inside the run were gone when the leaf was made: those behind them took their place.
  const gaps = replaced.filter((range) => range.last < last)
  let from = nextLive(gaps, first)
  for (let skipped = 0; skipped < offset; skipped++) from = nextLive(gaps, from + 1)
  const page = await session.messages({
    first: from,
    last,
    limit: limit + gapsFrom(gaps, from),
    includeReplaced: true,
  })
  return page.filter(({ seq }) => !isReplaced(gaps, seq)).slice(0, limit)
}

/** Messages of gaps that a page may run into. */
function gapsFrom(gaps: readonly SeqRange[], from: number): number {
  return gaps.reduce((sum, { first, last }) => (last < from ? sum : sum + last - first + 1), 0)
}

function showSource(source: StoredMessage | SummaryNode, bytes: number, characters: number): object {
  const isMessage = 'seq' in source
  const ref = isMessage ? messageRef(source.seq) : summaryRef(source.number)
  const page = cutBytes(isMessage ? renderMessage(source) : summaryText(source), 0, bytes, characters)
  const readOn = isMessage ? `lcm_expand ${ref} with offset ${page.next}` : `lcm_describe ${ref}`
  return {
    ref,
    ...(isMessage
      ? {
          role: labelText(source.role),
          time: timeText(source.at),
          ...(source.replaced && { replaced: true }),
        }
      : {
          depth: source.depth,
          covers: rangeRef(source.first, source.last),
          from: timeText(source.from),
          to: timeText(source.to),
        }),
    text: page.text,
    ...(page.next !== null && { cut: `${page.bytes} of ${page.total} bytes; ${readOn} reads on` }),
  }
}
