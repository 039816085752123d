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

export interface Turn extends PlacedMessage {
  readonly calls: number
  readonly failed: number
  readonly took: number | undefined
}

export function turnsOf(rows: readonly TranscriptRow[]): readonly Turn[] {
  const turns: Turn[] = []
  for (const row of rows) {
    const { message, index, calls, results } = row
    if (message.role === 'user' && message.kind === 'message' && !message.isInserted) {
      turns.push({ message, index, calls: 0, failed: 0, took: undefined })
      continue
    }
    const turn = turns.at(-1)
    if (turn === undefined) continue
    const failed = [...results.values()].filter((result) => result.message.isError).length
    const last = messagesIn(row).at(-1)?.message ?? message
    turns[turns.length - 1] = {
      ...turn,
      calls: turn.calls + calls.length,
      failed: turn.failed + failed,
      took: timeBetween(turn.message, last) ?? turn.took,
    }
  }
  return turns
}

export function countTools(rows: readonly TranscriptRow[]) {
  const tools = new Map<string, number>()
  let failed = 0
  for (const { calls, results, message } of rows) {
    for (const { name } of calls) tools.set(name, (tools.get(name) ?? 0) + 1)
    for (const result of results.values()) if (result.message.isError) failed += 1
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
