import { countLive } from '../history/replaced-ranges.ts'
import type { SummaryNode } from '../store/summary-node.ts'
import { USUAL_CHARACTERS } from './answer-limits.ts'
import { checkOffset } from './byte-page.ts'
import { rangeRef, summaryRef, timeText } from './refs.ts'
import type { ToolContext } from './tool-context.ts'

/** Summaries of the frontier in one answer. */
const LISTED_SUMMARIES = 50
/** Characters of an answer beside facts and summaries. */
const PAGE_CHARACTERS = 50

/** Counts of a session, in messages and summaries; tokens where they are known without reading the messages. */
export async function sessionFacts({ session, frontier }: ToolContext) {
  const head = await session.head()
  const { version, nodes } = await frontier()
  const total = head.nextSeq
  const live = countLive(head.replaced, 0, total - 1)
  const covered = nodes.reduce((sum, { messages }) => sum + messages, 0)
  const [first] = await session.messages({ limit: 1 })
  const [last] = await session.messages({ limit: 1, order: 'newest' })
  return {
    facts: {
      messages: live,
      replaced: total - live,
      summaries: head.nextSummary - 1,
      from: first === undefined ? null : timeText(first.at),
      to: last === undefined ? null : timeText(last.at),
      range: first === undefined || last === undefined ? null : rangeRef(first.seq, last.seq),
      frontier: {
        version,
        summaries: nodes.length,
        depth: nodes.reduce((deepest, { depth }) => Math.max(deepest, depth), 0),
        tokens: nodes.reduce((sum, { tokens }) => sum + tokens, 0),
        covered_messages: covered,
        covered_tokens: nodes.reduce((sum, { sourceTokens }) => sum + sourceTokens, 0),
        shown_messages: live - covered,
      },
    },
    nodes,
  }
}

/** The overview of `lcm_describe`: counts, and the summaries that stand for the past, page by page. */
export async function describeSession(context: ToolContext, offset: number): Promise<object> {
  const { facts, nodes } = await sessionFacts(context)
  checkOffset(offset, nodes.length, `the overview lists ${nodes.length} summaries`)
  const list: object[] = []
  let room = USUAL_CHARACTERS - JSON.stringify(facts).length - PAGE_CHARACTERS
  for (const node of nodes.slice(offset, offset + LISTED_SUMMARIES)) {
    const shown = listed(node)
    room -= JSON.stringify(shown).length + 1
    if (room < 0 && list.length > 0) break
    list.push(shown)
  }
  const end = offset + list.length
  return { ...facts, list, offset, next: end < nodes.length ? end : null }
}

function listed({ number, depth, first, last, messages, tokens, from, to }: SummaryNode) {
  return {
    ref: summaryRef(number),
    depth,
    covers: rangeRef(first, last),
    messages,
    tokens,
    from: timeText(from),
    to: timeText(to),
  }
}
