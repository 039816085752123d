import {
  isInstruction,
  type Message,
  type Origin,
  type Prepared,
  repairMessages,
  type TokenCounter,
} from '@palimpsest/core'
import type { MessageTable } from './message-table.ts'
import type { ViewMessage, ViewRequest } from './session-view.ts'

export type RequestLog = ReturnType<typeof createRequestLog>

export function createRequestLog(table: MessageTable, tokens: TokenCounter) {
  let shown: readonly number[] = []
  const notesIn = new Map<number, number>()

  const rowOf = (
    message: Message,
    origin: Origin | undefined,
    at: number | undefined,
    taken: ReadonlySet<number>,
  ): number => {
    if (origin?.from === 'transcript' && origin.whole) return table.rowAt(origin.index)
    if (isInstruction(message)) {
      const row = table.show(message, 'system', null, at, taken)
      if (!notesIn.has(row)) notesIn.set(row, notedTokens(table.rows[row]?.tokens ?? 0))
      return row
    }
    const seq = origin?.from === 'transcript' ? origin.index : null
    return table.show(message, kindOf(origin), seq, at, taken)
  }

  const notedTokens = (total: number): number => {
    const end = table.transcript.findIndex((message) => !isInstruction(message))
    const [prompt] = repairMessages(table.transcript.slice(0, end === -1 ? undefined : end)).messages
    return prompt === undefined ? total : Math.max(0, total - tokens.countMessage(prompt))
  }

  return {
    get shown() {
      return shown
    },
    add({ messages, origins, tools }: Prepared, hostTools: number, at: number | undefined) {
      const taken = new Set<number>()
      for (const [index, message] of messages.entries()) taken.add(rowOf(message, origins[index], at, taken))
      const next = [...taken]
      const changed = next.findIndex((row, index) => row !== shown[index])
      const kept = changed === -1 ? next.length : changed
      shown = next
      return {
        transcript: table.transcript.length,
        kept,
        added: next.slice(kept),
        tokens: tokensByKind(tokens.countTools(tools), next, table.rows, notesIn),
        without: table.transcriptTokens + hostTools,
      }
    },
    forget(): void {
      shown = []
    },
  }
}

function kindOf(origin: Origin | undefined): ViewMessage['kind'] {
  if (origin?.from === 'transcript') return 'shortened'
  if (origin?.from === 'summary') return 'summary'
  return origin?.by === 'decisions' ? 'decisions' : 'message'
}

function tokensByKind(
  tools: number,
  shown: readonly number[],
  rows: readonly ViewMessage[],
  notesIn: ReadonlyMap<number, number>,
): ViewRequest['tokens'] {
  const sums = { tools, system: 0, decisions: 0, summaries: 0, head: 0, tail: 0 }
  const first = shown.findIndex((row) => rows[row]?.kind === 'summary')
  for (const [index, row] of shown.entries()) {
    const { kind, tokens: size } = rows[row] ?? { kind: 'message', tokens: 0 }
    const decided = kind === 'decisions' ? size : (notesIn.get(row) ?? 0)
    sums.decisions += decided
    if (kind === 'system') sums.system += size - decided
    else if (kind === 'summary') sums.summaries += size
    else if (kind !== 'decisions') sums[index < first ? 'head' : 'tail'] += size
  }
  return sums
}
