import type { StoredSession, Summary } from '@palimpsest/core'
import { lazily, readToolArguments, toolSchema, z } from '@palimpsest/core/options'
import { topicsOf } from '../engine/summary-topics.ts'
import { frontierSummaries } from '../history/frontier-history.ts'
import { countLive, isReplaced } from '../history/replaced-ranges.ts'
import { coveringSummary } from '../search/search-messages.ts'
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

const LISTED_CHILDREN = 100
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
    'Facts that a hit does not show. Without id: counts, dates, work in progress, and what each summary is about. A ' +
      'summary: its text, what it covers, parents, children. A message: role, time, size, its summaries.',
    describeArguments(),
  ),
)

export async function lcmDescribe(args: unknown, context: ToolContext): Promise<object> {
  const { id, offset = 0 } = readToolArguments(describeArguments(), args)
  const ref = id === undefined ? undefined : parseRef(id)
  if (ref === undefined) return describeSession(context, offset)
  if (ref.kind === 'message') return describeMessage(ref.number, context)
  return describeSummary(ref.number, offset, context)
}

async function describeMessage(seq: number, context: ToolContext): Promise<object> {
  const { session } = context
  const { role, at, tokens, message, replaced, forgotten, damaged } = await findMessage(context, seq)
  const covering = replaced ? [] : await summariesCovering(session, await frontierSummaries(session), seq)
  return {
    ref: messageRef(seq),
    role: labelText(role),
    time: timeText(at),
    tokens,
    bytes: message === null ? 0 : Buffer.byteLength(JSON.stringify(message)),
    ...(message?.id !== undefined && { id: labelText(message.id) }),
    replaced,
    ...forgottenFields(forgotten),
    ...(damaged && { damaged }),
    shown: !replaced && covering.length === 0,
    summaries: covering.map(({ number }) => summaryRef(number)).reverse(),
  }
}

async function describeSummary(number: number, offset: number, context: ToolContext): Promise<object> {
  const { session } = context
  const summary = await findSummary(context, number)
  const { replaced } = await session.head()
  const covering = await summariesCovering(session, await frontierSummaries(session), summary.first)
  const path = covering.map((one) => one.number)
  const place = path.indexOf(number)
  const facts = {
    ref: summaryRef(number),
    depth: summary.depth,
    covers: rangeRef(summary.first, summary.last),
    messages: summary.messages,
    from: timeText(summary.from),
    to: timeText(summary.to),
    written: timeText(summary.at),
    writer: summary.writer,
    tokens: summary.tokens,
    source_tokens: summary.sourceTokens,
    in_frontier: place >= 0,
    parents: path.slice(0, Math.max(0, place)).map(summaryRef).reverse(),
    children: summary.children.slice(0, LISTED_CHILDREN).map(summaryRef),
    ...(summary.children.length > LISTED_CHILDREN && { children_total: summary.children.length }),
    ...(isReplaced(replaced, summary.last) && { replaced: true }),
    ...forgottenFields(summary.forgotten),
  }
  const room = Math.max(1, USUAL_CHARACTERS - JSON.stringify(facts).length - PAGE_CHARACTERS)
  const { text, offset: start, total, next } = cutBytes(summaryText(summary), offset, room, room)
  checkOffset(offset, total, `the text of ${summaryRef(number)} has ${total} bytes`)
  return { ...facts, text, ...(start > 0 || next !== null ? { offset: start, bytes: total, next } : {}) }
}

async function summariesCovering(
  session: StoredSession,
  summaries: readonly Summary[],
  seq: number,
): Promise<readonly Summary[]> {
  const covering = coveringSummary(summaries, seq)
  if (covering === undefined) return []
  return [covering, ...(await summariesCovering(session, await session.summaries(covering.children), seq))]
}

const LISTED_SUMMARIES = 50
async function sessionFacts({ session }: ToolContext) {
  const head = await session.head()
  const { version } = head
  const shown = await frontierSummaries(session, version)
  const total = head.nextSeq
  const live = countLive(head.replaced, 0, total - 1)
  const covered = shown.reduce((sum, { messages }) => sum + messages, 0)
  const [first] = await session.messages({ limit: 1 })
  const [last] = await session.messages({ limit: 1, order: 'newest' })
  return {
    facts: {
      messages: live,
      replaced: total - live,
      ...(total > live && { replaced_not_searched: total - live }),
      summaries: head.nextSummary - 1,
      from: first === undefined ? null : timeText(first.at),
      to: last === undefined ? null : timeText(last.at),
      range: first === undefined || last === undefined ? null : rangeRef(first.seq, last.seq),
      frontier: {
        version,
        summaries: shown.length,
        depth: shown.reduce((deepest, { depth }) => Math.max(deepest, depth), 0),
        tokens: shown.reduce((sum, { tokens }) => sum + tokens, 0),
        covered_messages: covered,
        covered_tokens: shown.reduce((sum, { sourceTokens }) => sum + sourceTokens, 0),
        shown_messages: live - covered,
      },
    },
    shown,
  }
}

async function describeSession(context: ToolContext, offset: number): Promise<object> {
  const { facts, shown } = await sessionFacts(context)
  checkOffset(offset, shown.length, `the overview lists ${shown.length} summaries`)
  const status = context.status?.()
  const room = USUAL_CHARACTERS - JSON.stringify({ ...status, ...facts }).length - PAGE_CHARACTERS
  const list = fitting(shown.slice(offset, offset + LISTED_SUMMARIES).map(listed), room)
  const end = offset + list.length
  return { ...status, ...facts, list, offset, next: end < shown.length ? end : null }
}

function listed(summary: Summary) {
  const { number, depth, first, last, messages, tokens, from, to } = summary
  const about = topicsOf([summary])
  return {
    ref: summaryRef(number),
    depth,
    covers: rangeRef(first, last),
    messages,
    tokens,
    from: timeText(from),
    to: timeText(to),
    ...(about !== '' && { about }),
  }
}
