import {
  InvalidOptionError,
  type Message,
  type StoredMessage,
  type StoredSession,
  type Summary,
  toolCallName,
  toolCallsOf,
} from '@palimpsest/core'
import { lazily, readToolArguments, toolSchema, z } from '@palimpsest/core/options'
import { searchText } from '@palimpsest/store'
import { isReplaced } from '../history/replaced-ranges.ts'
import { checkOffset, cutBytes } from './byte-page.ts'
import {
  forgottenFields,
  labelText,
  lossText,
  messageRef,
  parseRefs,
  type RefRange,
  rangeRef,
  summaryRef,
  summaryText,
  timeText,
} from './refs.ts'
import { choice, integer, requiredReferences } from './tool-arguments.ts'
import { findMessage, findSummary, type ToolContext, USUAL_CHARACTERS } from './tool-context.ts'

const PAGE_BYTES = 8_000
const MAX_PAGE_BYTES = 16_000
const argumentSchema = lazily(() =>
  z.object({
    id: requiredReferences('A summary "s12", a message "m57", a range "m57-m63", or a list of these.'),
    offset: integer(
      0,
      Number.MAX_SAFE_INTEGER,
      'Bytes of a message, else messages or sources, to skip: "next" of the previous answer, or "offset" of a hit.',
    ),
    limit: integer(
      1,
      MAX_PAGE_BYTES,
      `Bytes of a message (default ${PAGE_BYTES}, at most ${MAX_PAGE_BYTES}), else messages or sources (default 20).`,
    ),
    form: choice(['text', 'json'], 'Of a message: default "text"; "json" for exactly what was stored.'),
  }),
)

export const lcmExpandSchema = lazily(() =>
  toolSchema(
    'lcm_expand',
    'Reads originals: of a summary, the messages or finer summaries that it was made from; a message in pages; a range or a ' +
      'list, one message after the other. While "next" is a number there is more: pass it as "offset".',
    argumentSchema(),
  ),
)

export async function lcmExpand(args: unknown, context: ToolContext): Promise<object> {
  const { id: ids, offset = 0, limit, form = 'text' } = readToolArguments(argumentSchema(), args)
  const refs = parseRefs(ids)
  const [ref] = refs
  const characters = USUAL_CHARACTERS
  if (refs.length > 1 || ref.last > ref.number)
    return expandMessages(refs, { offset, limit, characters }, context)
  if (ref.kind === 'message') {
    const message = await findMessage(context, ref.number)
    return expandMessage(message, { offset, limit: limit ?? PAGE_BYTES, form, characters })
  }
  if (form === 'json') {
    throw new InvalidOptionError(
      'form',
      'form "json" is for a message such as "m57"; leave it out for a summary',
    )
  }
  const summary = await findSummary(context, ref.number)
  return expandSummary(context.session, summary, { offset, limit, characters })
}

/**
 * A page of a message: at most `limit` bytes, and at most `characters` as JSON text. A deleted message says when and
 * why its content was deleted.
 *
 * @throws InvalidOptionError if `offset` is after the end.
 */
export function expandMessage(
  message: StoredMessage,
  page: { offset: number; limit: number; form: 'text' | 'json'; characters: number },
) {
  const { seq, role, at, replaced, forgotten } = message
  const { offset, limit, form, characters } = page
  const text =
    form === 'json' && message.message !== null ? JSON.stringify(message.message) : renderMessage(message)
  const shown = cutBytes(text, offset, limit, characters)
  checkOffset(offset, shown.total, `the ${form} of ${messageRef(seq)} has ${shown.total} bytes`)
  return {
    ref: messageRef(seq),
    role: labelText(role),
    time: timeText(at),
    ...(replaced && { replaced }),
    ...forgottenFields(forgotten),
    form,
    ...shown,
  }
}

const PAGE_SOURCES = 20
const MAX_SOURCES = 100
const SOURCE_BYTES = 2_000
const FRAME_CHARACTERS = 260

interface Page {
  readonly offset: number
  readonly limit: number | undefined
  readonly characters: number
}

async function expandMessages(refs: readonly RefRange[], page: Page, context: ToolContext): Promise<object> {
  const { session, hidesReplaced } = context
  const limit = Math.min(page.limit ?? PAGE_SOURCES, MAX_SOURCES)
  const found = new Map<number, StoredMessage>()
  for (const { kind, number, last } of refs) {
    const isOne = kind === 'message' && number === last
    if (isOne) await findMessage(context, number)
    const range = kind === 'summary' ? await findSummary(context, number) : { first: number, last }
    const messages = await session.messages({
      ...{ first: range.first, last: range.last, limit: page.offset + limit + 1 },
      includeReplaced: isOne && hidesReplaced !== true,
    })
    for (const message of messages) found.set(message.seq, message)
  }
  const messages = [...found.values()].sort((one, other) => one.seq - other.seq)
  if (messages.length === 0) {
    const { nextSeq } = await session.head()
    throw new InvalidOptionError(
      'id',
      `there are no such messages; they go from m0 to ${messageRef(nextSeq - 1)}`,
    )
  }
  checkOffset(page.offset, messages.length, 'there are no more messages in this list')
  const shown = showSources(messages.slice(page.offset, page.offset + limit), page.characters)
  const end = page.offset + shown.length
  return { offset: page.offset, next: end < messages.length ? end : null, messages: shown }
}

async function expandSummary(session: StoredSession, summary: Summary, page: Page): Promise<object> {
  const limit = Math.min(page.limit ?? PAGE_SOURCES, MAX_SOURCES)
  const total = summary.children.length > 0 ? summary.children.length : summary.messages
  const ref = summaryRef(summary.number)
  const note = lossText(summary)
  checkOffset(page.offset, total, `${ref} was made from ${total} sources`)
  const sources =
    summary.children.length > 0
      ? await session.summaries(summary.children.slice(page.offset, page.offset + limit))
      : await leafMessages(session, summary, page.offset, limit)
  const shown = showSources(sources, page.characters)
  const end = page.offset + shown.length
  return {
    ref,
    depth: summary.depth,
    covers: rangeRef(summary.first, summary.last),
    ...forgottenFields(summary.forgotten),
    ...(note !== undefined && { note }),
    total,
    offset: page.offset,
    next: end < total && shown.length > 0 ? end : null,
    sources: shown,
  }
}

/** A leaf still covers messages that an edit replaced after it was written. */
async function leafMessages(
  session: StoredSession,
  { first, last }: Summary,
  offset: number,
  limit: number,
): Promise<readonly StoredMessage[]> {
  const { replaced } = await session.head()
  // Messages replaced within the range were gone when the leaf was written.
  const gaps = replaced.filter((range) => range.last < last)
  const covered = await session.messages({ first, last, includeReplaced: true })
  return covered.filter(({ seq }) => !isReplaced(gaps, seq)).slice(offset, offset + limit)
}

function showSources(sources: readonly (StoredMessage | Summary)[], characters: number): readonly object[] {
  const shown: object[] = []
  let room = characters
  for (const source of sources) {
    const whole = showSource(source, SOURCE_BYTES, Math.max(room, FRAME_CHARACTERS) - FRAME_CHARACTERS)
    room -= JSON.stringify(whole).length + 1
    if (room < 0 && shown.length > 0) break
    shown.push(whole)
    if (room < 2 * FRAME_CHARACTERS) break
  }
  return shown
}

function showSource(source: StoredMessage | Summary, bytes: number, characters: number): object {
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

const SHOWN: ReadonlySet<string> = new Set([
  'role',
  'content',
  'refusal',
  'tool_calls',
  'tool_call_id',
  'id',
  'name',
])

/**
 * Renders a stored message as text. The searched text comes first, unchanged, so that lines and offsets of hits apply;
 * one line follows for everything else.
 */
function renderMessage(stored: StoredMessage): string {
  const { message } = stored
  if (message === null) return lossText(stored) ?? ''
  const text = searchText(message)
  return [...(text === '' ? [] : [text]), ...notes({ ...message })].join('\n')
}

function notes(message: Message & Record<string, unknown>): string[] {
  const lines: string[] = []
  if (typeof message.name === 'string') lines.push(`[name ${labelText(message.name)}]`)
  if (typeof message.tool_call_id === 'string') lines.push(`[result of ${labelText(message.tool_call_id)}]`)
  lines.push(...contentNotes(message.content))
  for (const call of toolCallsOf(message)) {
    const id = typeof call.id === 'string' ? ` ${labelText(call.id)}` : ''
    lines.push(`[call${id}: ${labelText(toolCallName(call))}]`)
  }
  for (const key of Object.keys(message)) if (!SHOWN.has(key)) lines.push(omitted(key, message[key]))
  return lines
}

function contentNotes(content: unknown): string[] {
  if (content === undefined || content === null || typeof content === 'string') return []
  if (!Array.isArray(content)) return [omitted('content', content)]
  return content.flatMap((part: Record<string, unknown> | null) => {
    const type = typeof part?.type === 'string' ? part.type : 'part'
    const isText = (type === 'text' || type === 'refusal') && typeof part?.[type] === 'string'
    return isText ? [] : [omitted(type, part)]
  })
}

function omitted(name: string, value: unknown): string {
  const bytes = Buffer.byteLength(JSON.stringify(value))
  return `[${labelText(name)}: ${bytes} bytes, see form "json"]`
}
