import { useEffect, useMemo, useState } from 'react'
import type { ViewMessage } from '../../../src/view/session-view.ts'

export interface SearchHits {
  /** Index in the list that was searched → matches there. In the list's order. */
  readonly counts: ReadonlyMap<number, number>
  readonly total: number
  readonly isDone: boolean
}

interface FoundHits extends SearchHits {
  readonly pattern: RegExp | null
}

const nothing: FoundHits = { counts: new Map(), total: 0, isDone: true, pattern: null }

/** Milliseconds of work before the page may draw, and between two reports. */
const slice = 8
const report = 150

/** Searches in small steps, so that typing stays fluid over megabytes. Old hits stay until the first news. */
export function useMessageSearch(messages: readonly ViewMessage[], pattern: RegExp | null): SearchHits {
  const [hits, setHits] = useState(nothing)
  useEffect(() => {
    if (pattern === null) {
      setHits(nothing)
      return
    }
    const abort = new AbortController()
    void searchMessages(messages, pattern, setHits, abort.signal)
    return () => abort.abort()
  }, [messages, pattern])
  return useMemo(() => {
    if (pattern === null) return nothing
    return hits.pattern === pattern ? hits : { ...hits, isDone: false }
  }, [hits, pattern])
}

async function searchMessages(
  messages: readonly ViewMessage[],
  pattern: RegExp,
  tell: (hits: FoundHits) => void,
  signal: AbortSignal,
): Promise<void> {
  const counts = new Map<number, number>()
  let total = 0
  let pausedAt = performance.now()
  let toldAt = pausedAt
  for (const [index, message] of messages.entries()) {
    const count = countIn(message, pattern)
    if (count > 0) counts.set(index, count)
    total += count
    const now = performance.now()
    if (now - pausedAt < slice) continue
    if (now - toldAt > report) {
      tell({ counts: new Map(counts), total, isDone: false, pattern })
      toldAt = now
    }
    await new Promise((resolve) => setTimeout(resolve))
    if (signal.aborted) return
    pausedAt = performance.now()
  }
  tell({ counts, total, isDone: true, pattern })
}

function countIn(message: ViewMessage, pattern: RegExp): number {
  let count = countMatches(message.text, pattern) + countMatches(message.reasoning ?? '', pattern)
  for (const call of message.calls ?? []) {
    count += countMatches(call.name, pattern) + countMatches(call.arguments, pattern)
  }
  return count
}

export function countMatches(text: string, pattern: RegExp): number {
  let count = 0
  pattern.lastIndex = 0
  while (pattern.test(text)) count += 1
  return count
}

/** Case is folded by the pattern, not by changing the text: offsets stay those of the text. Null for an empty search. */
export function searchPattern(query: string): RegExp | null {
  if (query.trim() === '') return null
  return new RegExp(query.replace(/[\^$\\.*+?()[\]{}|/]/g, '\\$&'), 'giu')
}

export function isFound(text: string, pattern: RegExp | null): boolean {
  if (pattern === null) return false
  pattern.lastIndex = 0
  return pattern.test(text)
}
