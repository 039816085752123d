import { lazily, readToolArguments, toolSchema, z } from '@palimpsest/core/options'
import { countLive, isReplaced } from '../history/replaced-ranges.ts'
import { coveringSummary } from '../search/search-messages.ts'
import type { LcmSession, SummaryNode } from '../store/lcm-session.ts'
import { checkOffset, cutBytes } from './byte-page.ts'
import {
  forgottenFields,
  labelText,
  messageRef,
  parseRef,
  rangeRef,
  summaryRef,
  summaryText,
  timeText,
} from './refs.ts'
import { integer, reference } from './tool-arguments.ts'
import { findMessage, findSummary, fitting, type ToolContext, USUAL_CHARACTERS } from './tool-context.ts'

/** Children of a summary that are listed. A summary has a handful; the rest is in `lcm_expand`. */
const LISTED_CHILDREN = 100
/** Characters of an answer beside the text of a summary, or a list of them, and its facts. */
const PAGE_CHARACTERS = 100

export const describeArguments = lazily(() =>
  z.object({
    id: reference('Such as "s12" or "m57". Default: an overview.'),
    offset: integer(0, Number.MAX_SAFE_INTEGER, '"next" of the previous answer.'),
  }),
)

export const lcmDescribeSchema = lazily(() =>
  toolSchema(
    'lcm_describe',
    'Facts about the stored conversation. Without id: counts, times, current summaries. A summary: text, what it covers, ' +
      'parents, children. A message: role, time, size, its summaries.',
    describeArguments(),
  ),
)

/** An overview, or the facts about one summary or message. */
export async function lcmDescribe(args: unknown, context: ToolContext): Promise<object> {
  const { id, offset = 0 } = readToolArguments(describeArguments(), args)
  const ref = id === undefined ? undefined : parseRef(id)
  if (ref === undefined) return describeSession(context, offset)
  if (ref.kind === 'message') return describeMessage(ref.number, context)
  return describeSummary(ref.number, offset, context)
}

async function describeMessage(seq: number, context: ToolContext): Promise<object> {
  const { session, frontier } = context
  const { role, at, tokens, json, hash, hostId, replaced, forgotten } = await findMessage(context, seq)
  const covering = replaced ? [] : await summariesCovering(session, (await frontier()).nodes, seq)
  return {
    ref: messageRef(seq),
    role: labelText(role),
    time: timeText(at),
    tokens,
    bytes: Buffer.byteLength(json, 'utf8'),
    sha256: hash,
    ...(hostId !== undefined && { host_id: labelText(hostId) }),
    replaced,
    ...forgottenFields(forgotten),
    shown: !replaced && covering.length === 0,
    summaries: covering.map(({ number }) => summaryRef(number)).reverse(),
  }
}

async function describeSummary(number: number, offset: number, context: ToolContext): Promise<object> {
  const { session, frontier } = context
  const node = await findSummary(context, number)
  const { nodes } = await frontier()
  const { replaced } = await session.head()
  const path = (await summariesCovering(session, nodes, node.first)).map((covering) => covering.number)
  const place = path.indexOf(number)
  const facts = {
    ref: summaryRef(number),
    depth: node.depth,
    covers: rangeRef(node.first, node.last),
    messages: node.messages,
    from: timeText(node.from),
    to: timeText(node.to),
    written: timeText(node.at),
    writer: node.writer,
    tokens: node.tokens,
    source_tokens: node.sourceTokens,
    in_frontier: place >= 0,
    parents: path.slice(0, Math.max(0, place)).map(summaryRef).reverse(),
    children: node.children.slice(0, LISTED_CHILDREN).map(summaryRef),
    ...(node.children.length > LISTED_CHILDREN && { children_total: node.children.length }),
    ...(isReplaced(replaced, node.last) && { replaced: true }),
    ...forgottenFields(node.forgotten),
  }
  const room = Math.max(1, USUAL_CHARACTERS - JSON.stringify(facts).length - PAGE_CHARACTERS)
  const { text, offset: start, total, next } = cutBytes(summaryText(node), offset, room, room)
  checkOffset(offset, total, `the text of ${summaryRef(number)} has ${total} bytes`)
  return { ...facts, text, ...(start > 0 || next !== null ? { offset: start, bytes: total, next } : {}) }
}

/** The summaries of a frontier's tree that cover a message, from the coarsest to the leaf. Empty when none does. */
async function summariesCovering(
  session: LcmSession,
  nodes: readonly SummaryNode[],
  seq: number,
): Promise<readonly SummaryNode[]> {
  const path: SummaryNode[] = []
  for (let node = coveringSummary(nodes, seq); node !== undefined; ) {
    path.push(node)
    const children: readonly SummaryNode[] =
      node.children.length > 0 ? await session.summaries(node.children) : []
    node = children.find(({ first, last }) => first <= seq && seq <= last)
  }
  return path
}

/** Summaries of the frontier in one answer. */
const LISTED_SUMMARIES = 50
/** Counts of a session, in messages and summaries; tokens where they are known without reading the messages. */
async function sessionFacts({ session, frontier }: ToolContext) {
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

/** The overview of `lcm_describe`: counts, and the summaries in force, page by page. */
async function describeSession(context: ToolContext, offset: number): Promise<object> {
  const { facts, nodes } = await sessionFacts(context)
  checkOffset(offset, nodes.length, `the overview lists ${nodes.length} summaries`)
  const room = USUAL_CHARACTERS - JSON.stringify(facts).length - PAGE_CHARACTERS
  const list = fitting(nodes.slice(offset, offset + LISTED_SUMMARIES).map(listed), room)
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

const statusArguments = lazily(() => z.object({}))

export const lcmStatusSchema = lazily(() =>
  toolSchema(
    'lcm_status',
    'The conversation store: counts, summaries in use, work in progress.',
    statusArguments(),
  ),
)

/** Counts, and what the host adds. */
export async function lcmStatus(args: unknown, context: ToolContext): Promise<object> {
  readToolArguments(statusArguments(), args)
  const { facts } = await sessionFacts(context)
  return {
    ...context.status?.(),
    ...facts,
    ...(facts.replaced > 0 && { replaced_not_searched: facts.replaced }),
  }
}
