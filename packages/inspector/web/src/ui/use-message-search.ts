import { useEffect, useMemo, useState } from 'react'
import type { ViewMessage } from '../../../src/view/session-view.ts'
import { argumentTexts } from '../data/call-change.ts'

export interface SearchHits {
  readonly counts: ReadonlyMap<number, number>
  readonly total: number
  readonly isDone: boolean
}

interface FoundHits extends SearchHits {
  readonly pattern: RegExp | null
}

const nothing: FoundHits = { counts: new Map(), total: 0, isDone: true, pattern: null }

const SLICE = 8

/** Searches in small steps, so that typing stays fluid over megabytes. Old hits stay until new ones are found. */
export function useMessageSearch(messages: readonly ViewMessage[], pattern: RegExp | null): SearchHits {
  const [hits, setHits] = useState(nothing)
  useEffect(() => {
    if (pattern === null) {
      setHits(nothing)
      return
    }
    const abort = new AbortController()
    void searchMessages(messages, pattern, abort.signal).then((found) => found && setHits(found))
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
  signal: AbortSignal,
): Promise<FoundHits | null> {
  const counts = new Map<number, number>()
  let total = 0
  let pausedAt = performance.now()
  for (const [index, message] of messages.entries()) {
    const count = countIn(message, pattern)
    if (count > 0) counts.set(index, count)
    total += count
    if (performance.now() - pausedAt < SLICE) continue
    await new Promise((resolve) => setTimeout(resolve))
    if (signal.aborted) return null
    pausedAt = performance.now()
  }
  return { counts, total, isDone: true, pattern }
}

function countIn(message: ViewMessage, pattern: RegExp): number {
  let count = countMatches(message.text, pattern) + countMatches(message.reasoning ?? '', pattern)
  for (const call of message.calls ?? []) {
    for (const text of [call.name, ...argumentTexts(call.arguments)]) count += countMatches(text, pattern)
  }
  return count
}

export function countMatches(text: string, pattern: RegExp): number {
  let count = 0
  pattern.lastIndex = 0
  while (pattern.test(text)) count += 1
  return count
}

/**
 * The pattern ignores case instead of changing the text, so offsets stay valid. A query in double quotes matches whole
 * words. Null for an empty search.
 */
export function searchPattern(query: string): RegExp | null {
  const quoted = /^\s*"(.*)"\s*$/.exec(query)?.[1]
  const words = quoted?.trim() ?? query
  if (words.trim() === '') return null
  const literal = words.replace(/[\^$\\.*+?()[\]{}|/]/g, '\\$&')
  return new RegExp(quoted === undefined ? literal : `(?<!${LETTER})${literal}(?!${LETTER})`, 'giu')
}

const LETTER = '[\\p{L}\\p{N}_]'

export function isFound(text: string, pattern: RegExp | null): boolean {
  return pattern !== null && text.search(pattern) !== -1
}
