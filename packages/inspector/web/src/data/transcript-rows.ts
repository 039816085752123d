import type { SessionView, ViewMessage } from '../../../src/view/session-view.ts'

export interface TranscriptRow extends PlacedMessage {
  readonly calls: NonNullable<ViewMessage['calls']>
  readonly results: ReadonlyMap<string, PlacedMessage>
  readonly took: number | undefined
}

const NONE: ReadonlyMap<string, PlacedMessage> = new Map()

export function transcriptRows(placed: readonly PlacedMessage[]): readonly TranscriptRow[] {
  const rows: TranscriptRow[] = []
  let calling: { readonly ids: Set<string>; readonly results: Map<string, PlacedMessage> } | undefined
  let before: ViewMessage | undefined
  for (const said of placed) {
    const { message } = said
    const { callId, calls = [] } = message
    if (callId !== undefined && message.kind === 'message' && calling?.ids.delete(callId)) {
      calling.results.set(callId, said)
    } else {
      const results = calls.length > 0 ? new Map<string, PlacedMessage>() : NONE
      rows.push({ ...said, calls, results, took: timeBetween(before, message) })
      if (results instanceof Map && calls.length > 0)
        calling = { ids: new Set(calls.map(({ id }) => id)), results }
      else if (message.role !== 'tool') calling = undefined
    }
    before = message
  }
  return rows
}

export function timeBetween(before: ViewMessage | undefined, after: ViewMessage): number | undefined {
  if (before?.at === undefined || after.at === undefined || after.at <= before.at) return undefined
  return after.at - before.at
}

export const isTimed = ({ messages }: Pick<SessionView, 'messages'>): boolean =>
  messages.some(({ at }) => at !== undefined)

export function answerTo(
  { messages, requests }: Pick<SessionView, 'messages' | 'requests'>,
  request: number,
) {
  const seq = requests[request]?.transcript
  const index = seq === undefined ? undefined : indexOfSeq(messages, seq)
  const message = index === undefined ? undefined : messages[index]
  if (seq === undefined || index === undefined || message?.role !== 'assistant') return undefined
  const before = indexOfSeq(messages, seq - 1)
  return { index, message, took: before === undefined ? undefined : timeBetween(messages[before], message) }
}

export interface TranscriptFilter {
  readonly tool: string | undefined
  readonly onlyFailed: boolean
}

export function filterRows(
  rows: readonly TranscriptRow[],
  { tool, onlyFailed }: TranscriptFilter,
): readonly TranscriptRow[] {
  if (tool === undefined && !onlyFailed) return rows
  return rows.flatMap((row) => {
    const { message, results } = row
    const calls = row.calls.filter(
      ({ id, name }) =>
        (tool === undefined || name === tool) && (!onlyFailed || results.get(id)?.message.isError === true),
    )
    if (calls.length > 0) return [{ ...row, calls }]
    return onlyFailed && tool === undefined && message.isError ? [row] : []
  })
}

export function messagesIn({ calls, results, ...said }: TranscriptRow): readonly PlacedMessage[] {
  return [said, ...calls.flatMap(({ id }) => results.get(id) ?? [])]
}

/** A row, or the calls between two texts of a turn as one line, before their rows while it is open. */
export type TranscriptItem =
  | { readonly type: 'row'; readonly key: string; readonly row: TranscriptRow; readonly isInside: boolean }
  | {
      readonly type: 'calls'
      readonly key: string
      readonly rows: readonly TranscriptRow[]
      readonly isOpen: boolean
    }

export const itemOf = (row: TranscriptRow, isInside = false): TranscriptItem => ({
  type: 'row',
  key: String(row.index),
  row,
  isInside,
})

export function foldCalls(
  rows: readonly TranscriptRow[],
  open: ReadonlySet<string>,
): readonly TranscriptItem[] {
  const items: TranscriptItem[] = []
  let inside: TranscriptRow[] = []
  const addCalls = () => {
    const [first] = inside
    if (first === undefined) return
    const key = `calls ${first.index}`
    items.push({ type: 'calls', key, rows: inside, isOpen: open.has(key) })
    if (open.has(key)) items.push(...inside.map((row) => itemOf(row, true)))
    inside = []
  }
  for (const row of rows) {
    if (row.calls.length > 0) inside.push(row)
    else {
      addCalls()
      items.push(itemOf(row))
    }
  }
  addCalls()
  return items
}

/** A shorter time before a message of the user is not a pause, in milliseconds. */
export const PAUSE = 60_000

export interface Turn extends PlacedMessage {
  readonly last: number
  readonly calls: number
  readonly failed: number
  readonly took: number | undefined
  readonly pause: number | undefined
  /** True if the turn before it was on another day. */
  readonly isNewDay: boolean
  readonly found: number
}

/** @param hits Matches of a search by the message's index. */
export function turnsOf(
  rows: readonly TranscriptRow[],
  hits: ReadonlyMap<number, number> = new Map(),
): readonly Turn[] {
  const turns: Turn[] = []
  for (const row of rows) {
    const { message, index, calls, results, took: pause } = row
    const said = messagesIn(row)
    const found = said.reduce((sum, each) => sum + (hits.get(each.index) ?? 0), 0)
    if (message.role === 'user' && message.kind === 'message' && !message.isInserted) {
      const isNewDay = dayOf(message) !== dayOf(turns.at(-1)?.message)
      const empty = { calls: 0, failed: 0, took: undefined }
      turns.push({ message, index, last: index, ...empty, pause, isNewDay, found })
      continue
    }
    const turn = turns.at(-1)
    if (turn === undefined) continue
    const failed = [...results.values()].filter((result) => result.message.isError).length
    const last = said.at(-1) ?? row
    turns[turns.length - 1] = {
      ...turn,
      last: last.index,
      calls: turn.calls + calls.length,
      failed: turn.failed + failed,
      took: timeBetween(turn.message, last.message) ?? turn.took,
      found: turn.found + found,
    }
  }
  return turns
}

const dayOf = (message: ViewMessage | undefined): string | undefined =>
  message?.at === undefined ? undefined : new Date(message.at).toDateString()

export interface ToolCount {
  readonly calls: number
  readonly failed: number
}

export function countTools(rows: readonly TranscriptRow[]) {
  const tools = new Map<string, ToolCount>()
  let failed = 0
  for (const { calls, results, message } of rows) {
    for (const { id, name } of calls) {
      const before = tools.get(name) ?? { calls: 0, failed: 0 }
      const isFailed = results.get(id)?.message.isError === true
      tools.set(name, { calls: before.calls + 1, failed: before.failed + (isFailed ? 1 : 0) })
      if (isFailed) failed += 1
    }
    if (message.isError) failed += 1
  }
  return { tools, failed }
}

export interface PlacedMessage {
  readonly index: number
  readonly message: ViewMessage
}

export function transcriptOf(messages: readonly ViewMessage[]): readonly PlacedMessage[] {
  return messages
    .map((message, index) => ({ index, message }))
    .filter(({ message }) => message.seq !== null && message.kind !== 'shortened')
    .sort((a, b) => (a.message.seq ?? 0) - (b.message.seq ?? 0) || a.index - b.index)
}

export function indexOfSeq(messages: readonly ViewMessage[], seq: number): number | undefined {
  const index = messages.findLastIndex((message) => message.seq === seq && message.kind !== 'shortened')
  return index === -1 ? undefined : index
}
