import { useEffect, useMemo, useState } from 'react'
import type { ViewMessage } from '../../../src/view/session-view.ts'
import type { Route } from '../route.ts'

export interface SearchHits {
  /** Index in the list that was searched → matches there. In the list's order. */
  readonly counts: ReadonlyMap<number, number>
  readonly total: number
  readonly isDone: boolean
}

interface FoundHits extends SearchHits {
  readonly pattern: string
}

const nothing: FoundHits = { counts: new Map(), total: 0, isDone: true, pattern: '' }

const slice = 8

const report = 150

/** Searches in small steps, so that typing stays fluid over megabytes. Old hits stay until the first news. */
export function useMessageSearch(
  messages: readonly ViewMessage[],
  { query, wholeWords }: SearchTerms,
): SearchHits {
  const [hits, setHits] = useState(nothing)
  useEffect(() => {
    const pattern = searchPattern({ query, wholeWords })
    if (pattern === null) {
      setHits(nothing)
      return
    }
    const abort = new AbortController()
    void searchMessages(messages, pattern, setHits, abort.signal)
    return () => abort.abort()
  }, [messages, query, wholeWords])
  const pattern = searchPattern({ query, wholeWords })?.source
  return useMemo(() => {
    if (pattern === undefined) return nothing
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
      tell({ counts: new Map(counts), total, isDone: false, pattern: pattern.source })
      toldAt = now
    }
    await new Promise((resolve) => setTimeout(resolve))
    if (signal.aborted) return
    pausedAt = performance.now()
  }
  tell({ counts, total, isDone: true, pattern: pattern.source })
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

export interface SearchTerms {
  readonly query: string
  readonly wholeWords: boolean
}

/** The search that an address names, and the other way round. */
export const termsOf = ({ query = '', words }: Pick<Route, 'query' | 'words'>): SearchTerms => ({
  query,
  wholeWords: words === 'whole',
})

export const termsRoute = ({ query, wholeWords }: SearchTerms) => ({
  query: query === '' ? undefined : query,
  words: wholeWords ? 'whole' : undefined,
})

const wordCharacter = /[\p{L}\p{N}_]/u

/** Case is folded by the pattern, not by changing the text: offsets stay those of the text. Null for an empty search. */
export function searchPattern({ query, wholeWords }: SearchTerms): RegExp | null {
  if (query.trim() === '') return null
  const letters = query.replace(/[\^$\\.*+?()[\]{}|/]/g, '\\$&')
  if (!wholeWords) return new RegExp(letters, 'giu')
  const characters = [...query]
  // A bound behind the letters costs less than one before them, where it would be tried at every place.
  const before = wordCharacter.test(characters[0] ?? '') ? `(?<![\\p{L}\\p{N}_]${letters})` : ''
  const after = wordCharacter.test(characters.at(-1) ?? '') ? '(?![\\p{L}\\p{N}_])' : ''
  return new RegExp(`${letters}${before}${after}`, 'giu')
}

export function isFound(text: string, pattern: RegExp | null): boolean {
  if (pattern === null) return false
  pattern.lastIndex = 0
  return pattern.test(text)
}
