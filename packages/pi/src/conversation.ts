import type { SessionBeforeCompactEvent, SessionEntry } from '@earendil-works/pi-coding-agent'
import {
  type ContextSession,
  isInstruction,
  type Message,
  ModelError,
  messageText,
  type Origin,
  type Prepared,
  readSummary,
  type ToolSchema,
  toolCallName,
  toolCallsOf,
} from '@palimpsest/core'
import { readMaterial } from '@palimpsest/summaries'
import { createPiBranchReader } from '@palimpsest/transcripts'
import type { Branch } from './branch.ts'
import { type AnswerFrame, entryMessage, type PiMessage, toPiMessage } from './to-pi-message.ts'

export interface Moment {
  readonly branch: Branch
  readonly system: string
  readonly tools: readonly ToolSchema[]
  readonly frame: AnswerFrame
  readonly signal?: AbortSignal | undefined
}

export interface Request {
  readonly messages: PiMessage[]
  readonly note: string
}

export interface Compacted {
  readonly summary: string
  readonly covers: readonly (readonly [string, string])[]
}

export interface Conversation {
  readonly key: string
  readonly session: ContextSession
  request(moment: Moment): Promise<Request | undefined>
  observe(answer: PiMessage): Promise<void>
  /**
   * Compacts at pi's request, and returns the text for everything before the first kept entry. Undefined if the engine
   * has none.
   */
  compact(event: SessionBeforeCompactEvent, moment: Moment): Promise<Compacted | undefined>
}

interface History {
  readonly list: readonly Message[]
  readonly places: readonly number[]
  readonly edited: ReadonlySet<string>
}

export function createConversation(key: string, session: ContextSession): Conversation {
  const read = createPiBranchReader()
  let recovered: { readonly count: number; readonly prepared: Prepared } | undefined
  let engineFailed = false
  session.subscribe((event) => {
    if (event.type === 'warning' && event.warning.code === 'engine-failed') engineFailed = true
    if (event.type === 'compaction' && event.committed) engineFailed = false
  })

  const historyOf = ({ branch, system }: Moment): History => {
    const said = read(branch.entries)
    const head: Message[] = system === '' ? [] : [{ role: 'system', content: system }]
    return {
      list: [...head, ...said.map(({ message }) => message)],
      places: [...head.map(() => -1), ...said.map(({ line }) => line - 1)],
      edited: new Set(
        branch.entries.flatMap((entry) => (entry.type === 'context_edit' ? [entry.targetId] : [])),
      ),
    }
  }

  const prepare = async ({ list }: History, { tools, signal }: Moment): Promise<Prepared> => {
    const known = recovered
    recovered = undefined
    if (known?.count === list.length) return known.prepared
    return session.prepare(list, { tools, signal })
  }

  return {
    key,
    session,
    async request(moment) {
      const history = historyOf(moment)
      const prepared = await prepare(history, moment)
      const { origins } = prepared
      const isOwn = origins.every((origin) => origin.from === 'transcript' && origin.whole)
      const isSummarized = origins.some(({ from }) => from === 'summary')
      if (isOwn || (engineFailed && !isSummarized)) return undefined
      return toRequest(prepared, history, moment)
    },

    async observe(answer) {
      const [entry] = createPiBranchReader()([{ type: 'message', message: answer }])
      const interrupted = answer.role === 'assistant' && answer.stopReason === 'aborted'
      const message = entry?.message.role === 'assistant' ? entry.message : undefined
      await session.observe({ message, usage: entry?.usage, interrupted })
    },

    async compact({ preparation, reason, customInstructions: focusTopic, signal, branchEntries }, moment) {
      const history = historyOf(moment)
      const refusal = reason === 'overflow' ? lastError(branchEntries) : undefined
      let prepared: Prepared
      if (refusal === undefined) {
        await session.prepare(history.list, { tools: moment.tools, signal })
        await session.compact({ focusTopic, signal })
        prepared = await session.prepare(history.list, { tools: moment.tools, signal })
      } else {
        prepared = await session.recover(new ModelError('context-overflow', refusal), {
          tools: moment.tools,
          signal,
        })
        recovered = { count: history.list.length, prepared }
      }
      const cut = moment.branch.entries.findIndex(({ id }) => id === preparation.firstKeptEntryId)
      return cut === -1 ? undefined : textBefore(cut, prepared, history, moment.branch)
    },
  }
}

function toRequest(
  { messages, origins }: Prepared,
  history: History,
  { branch, frame, system }: Moment,
): Request {
  const names = new Map<string, string>()
  let note = ''
  const request = messages.flatMap((message, index): PiMessage[] => {
    if (isInstruction(message)) {
      note = messageText(message).slice(system.length).trim()
      return []
    }
    for (const call of toolCallsOf(message)) names.set(call.id, toolCallName(call))
    const entry = entryOf(origins[index], history, branch)
    const isWhole = origins[index]?.from === 'transcript' && origins[index].whole
    const own =
      entry !== undefined && isWhole && !history.edited.has(entry.id) ? entryMessage(entry) : undefined
    const toolName = message.role === 'tool' ? (names.get(message.tool_call_id) ?? '') : ''
    return [own ?? toPiMessage(message, entry, { frame, toolName })]
  })
  return { messages: request, note }
}

function entryOf(origin: Origin | undefined, { places, list }: History, { entries }: Branch) {
  if (origin?.from !== 'transcript') return undefined
  // A result that is missing in pi's session is at the place of its call.
  const entry = entries[places[origin.index] ?? -1]
  return entry?.id === list[origin.index]?.id ? entry : undefined
}

function textBefore(
  cut: number,
  { messages, origins }: Prepared,
  { places }: History,
  { entries }: Branch,
): Compacted | undefined {
  const placeOf = (index: number) => places[index] ?? -1
  const idAt = (index: number) => entries[placeOf(index)]?.id ?? ''
  const texts: string[] = []
  const covers: [string, string][] = []
  messages.forEach((message, index) => {
    const origin = origins[index]
    if (origin?.from === 'summary') {
      texts.push(readSummary(message) ?? messageText(message))
      covers.push(...origin.of.map(({ first, last }): [string, string] => [idAt(first), idAt(last)]))
    }
    const place = origin?.from === 'transcript' ? placeOf(origin.index) : -1
    if (place !== -1 && place < cut) texts.push(shortened(readMaterial([message]).join('')))
  })
  return covers.length === 0 ? undefined : { summary: texts.join('\n\n'), covers }
}

/** Maximum characters of a message, as in pi's own summaries. */
const LONGEST = 2_000

function shortened(text: string): string {
  if (text.length <= LONGEST) return text
  return `${text.slice(0, LONGEST)}\n[… ${text.length - LONGEST} more characters]`
}

function lastError(entries: readonly SessionEntry[]): string | undefined {
  const answer = entries.findLast((entry) => entry.type === 'message' && entry.message.role === 'assistant')
  if (answer?.type !== 'message' || answer.message.role !== 'assistant') return undefined
  return answer.message.stopReason === 'error' ? answer.message.errorMessage : undefined
}
