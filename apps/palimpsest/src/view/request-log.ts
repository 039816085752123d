import { equalValues, isInstruction, type Message, type Prepared, type TokenCounter } from '@palimpsest/core'
import { alignRequest, type Place } from './align-request.ts'
import type { MessageTable } from './message-table.ts'
import type { TokenKind, ViewRequest } from './session-view.ts'
import { decisionTokens, noteKind } from './token-kinds.ts'
import type { TranscriptIndex } from './transcript-index.ts'

/** Turns requests into what a view says of them. */
export interface RequestLog {
  /** Rows of the last request, in order. */
  readonly shown: readonly number[]
  /** The next request, after `transcript` has followed. `hostTools`: tokens of the tools that are the host's own. */
  add(prepared: Prepared, hostTools: number, at: number | null): Omit<ViewRequest, 'cache' | 'answer'>
  /** The next request is told as a whole. */
  forget(): void
}

export function createRequestLog(
  table: MessageTable,
  transcript: TranscriptIndex,
  tokens: TokenCounter,
): RequestLog {
  const shown: number[] = []
  /** Of a system prompt with decisions behind it, how many of its tokens they are, by row. */
  const decisionsIn = new Map<number, number>()
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
    next: Message | undefined,
    { place, at, taken }: { readonly place: Place; readonly at: number | null; readonly taken: Set<number> },
  ): number => {
    if (place?.exact) return transcript.rowAt(place.seq)
    if (isInstruction(message)) {
      const row = table.show(message, 'system', null, at, taken)
      const own = transcript.messages.slice(0, transcript.instructions)
      if (!decisionsIn.has(row))
        decisionsIn.set(row, decisionTokens(message, own, table.rows[row]?.tokens ?? 0, tokens))
      return row
    }
    const kind = place === null ? (noteKind(message, next) ?? 'message') : 'shortened'
    return table.show(message, kind, place?.seq ?? null, at, taken)
  }

  const countTools = (list: Prepared['tools']): number => {
    if (!equalValues(list, tools.list))
      tools = { list: structuredClone(list), tokens: tokens.countTools(list) }
    return tools.tokens
  }

  const byKind = (toolTokens: number): ViewRequest['tokens'] => {
    const sums: Record<TokenKind, number> = {
      ...{ tools: toolTokens, system: 0, decisions: 0, summaries: 0, head: 0, tail: 0 },
    }
    const first = shown.findIndex((row) => table.rows[row]?.kind === 'summary')
    for (const [index, row] of shown.entries()) {
      const { kind, tokens: size } = table.rows[row] ?? { kind: 'message', tokens: 0 }
      const decided = kind === 'decisions' ? size : (decisionsIn.get(row) ?? 0)
      sums.decisions += decided
      if (kind === 'system') sums.system += size - decided
      else if (kind === 'summary') sums.summaries += size
      else if (kind !== 'decisions') sums[index < first ? 'head' : 'tail'] += size
    }
    return sums
  }

  return {
    shown,
    add({ messages, tools: list }, hostTools, at) {
      const kept = keep(messages)
      shown.length = kept
      const behind = messages.slice(kept)
      const last = shown.findLast((row) => table.rows[row]?.seq != null)
      // A system prompt with a note behind it has no place, and stands for the host's own.
      const begins = kept === 0 ? 0 : transcript.instructions
      const from = last === undefined ? begins : (table.rows[last]?.seq ?? -1) + 1
      const places = alignRequest(behind, from, transcript)
      const taken = new Set(shown)
      for (const [index, message] of behind.entries()) {
        const row = rowOf(message, behind[index + 1], { place: places[index] ?? null, at, taken })
        shown.push(row)
        taken.add(row)
      }
      return {
        at,
        transcript: transcript.messages.length,
        kept,
        added: shown.slice(kept),
        tokens: byKind(countTools(list)),
        without: transcript.tokens + hostTools,
      }
    },
    forget() {
      shown.length = 0
    },
  }
}
