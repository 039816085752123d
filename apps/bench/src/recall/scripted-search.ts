import type { TokenCounter } from '@palimpsest/core'
import type { OpenedArm, Search } from '../arms/arm.ts'
import { leavesOf, parsed } from './message-text.ts'
import { indexOfName, wordsOf } from './whole-word.ts'

/** Calls that a searcher makes at most. */
export const MOST_CALLS = 3

/** Members of an answer that repeat the query or say what to do next: no content of the conversation. */
const ECHOES = new Set(['query', 'terms', 'ignored', 'split', 'hint', 'error'])

export interface SearchInput {
  readonly identifier: string
  /** In the order in which they are tried; each with every tool before the next. */
  readonly queries: readonly string[]
  readonly searches: readonly Search[]
  readonly opened: OpenedArm
  readonly tokens: TokenCounter
}

export interface SearchResult {
  /** Which call found it, from 1; null when none did. */
  readonly call: number | null
  /** Tokens of the answers that were read. */
  readonly tokens: number
}

/**
 * What somebody asks who has an identifier before them and needs what was said about it: the identifier as a phrase, its
 * words, its longest word. Nothing is given away by that: in a recorded session the identifier stands in the message that
 * needs it, and what is asked is whether the earlier messages about it can be brought back.
 */
export function identifierQueries(identifier: string): string[] {
  const [longest = identifier] = Array.from(wordsOf(identifier), ([word]) => word).sort(
    (a, b) => b.length - a.length,
  )
  return [...new Set([`"${identifier}"`, identifier, longest])]
}

/**
 * Asks until an answer shows the identifier as a whole word of the conversation, with three calls at most. Called when the
 * projection for the probe was made, before anything of the probe's message is told to the arm: what it finds is earlier.
 */
export async function searchFor({
  identifier,
  queries,
  searches,
  opened,
  tokens,
}: SearchInput): Promise<SearchResult> {
  const calls = queries.flatMap((query) => searches.map((search) => ({ search, query }))).slice(0, MOST_CALLS)
  let read = 0
  for (const [index, { search, query }] of calls.entries()) {
    const answer = await opened.callTool(search.tool, search.arguments(query))
    read += tokens.countText(answer)
    if (showsName(answer, identifier)) return { call: index + 1, tokens: read }
  }
  return { call: null, tokens: read }
}

/** True when a tool's answer shows a name as a whole word of the conversation, not of the query that it repeats. */
export function showsName(answer: string, name: string): boolean {
  // A snippet of a call's arguments is a part of JSON text, with JSON's escapes.
  return leavesOf(withoutEchoes(parsed(answer))).some(
    (text) => indexOfName(text, name) >= 0 || indexOfName(unescaped(text), name) >= 0,
  )
}

function withoutEchoes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEchoes)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value).flatMap(([key, member]) => (ECHOES.has(key) ? [] : [withoutEchoes(member)]))
}

function unescaped(json: string): string {
  return json.replace(/\\[nrt]/g, ' ').replace(/\\(["\\/])/g, '$1')
}
