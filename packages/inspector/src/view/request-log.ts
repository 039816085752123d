import {
  equalValues,
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
  const shown: number[] = []
  const notesIn = new Map<number, number>()
  let tools: { readonly list: Prepared['tools']; readonly tokens: number } = { list: [], tokens: 0 }

  const keep = (messages: readonly Message[]): number => {
    let kept = 0
    while (kept < shown.length && kept < messages.length) {
      if (!equalValues(table.source(shown[kept] ?? -1), messages[kept])) break
      kept++
    }
    return kept
  }

  const rowOf = (
    message: Message,
    origin: Origin | undefined,
    at: number | null,
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

  const countTools = (list: Prepared['tools']): number => {
    if (!equalValues(list, tools.list))
      tools = { list: structuredClone(list), tokens: tokens.countTools(list) }
    return tools.tokens
  }

  return {
    shown: shown as readonly number[],
    /** The next request, after the table has followed the transcript. `hostTools`: tokens of the tools that are the host's own. */
    add({ messages, origins, tools: list }: Prepared, hostTools: number, at: number | null) {
      const kept = keep(messages)
      shown.length = kept
      const taken = new Set(shown)
      for (const [index, message] of messages.slice(kept).entries()) {
        const row = rowOf(message, origins[kept + index], at, taken)
        shown.push(row)
        taken.add(row)
      }
      return {
        at,
        transcript: table.transcript.length,
        kept,
        added: shown.slice(kept),
        tokens: tokensByKind(countTools(list), shown, table.rows, notesIn),
        without: table.transcriptTokens + hostTools,
      }
    },
    forget(): void {
      shown.length = 0
      tools = { list: [], tokens: 0 }
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
