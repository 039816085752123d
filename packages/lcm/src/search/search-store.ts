import {
  DEFAULT_PRINCIPAL,
  type ListQuery,
  listSessions,
  type Store,
  type StoredSession,
} from '@palimpsest/core'
import { storeTerms, withForms } from './parse-query.ts'
import { questionTerms } from './question-terms.ts'
import { type Reading, readQuery } from './run-search.ts'
import { searchMessages } from './search-messages.ts'
import { type SummarySearchResult, searchSummaries } from './search-summaries.ts'
import {
  DEFAULT_HITS,
  type MessageHit,
  type MessageSearchQuery,
  SEARCH_TIME_LIMIT,
  type SearchContext,
  type SearchResult,
} from './search-types.ts'

/** The scope of a search. */
export type SearchScope = 'messages' | 'summaries' | 'both'

export interface SessionHits {
  readonly session: string
  readonly messages?: SearchResult<MessageHit>
  readonly summaries?: SummarySearchResult
}

/** Searches a session's messages, its summaries, or both. @throws as `searchMessages`. */
export async function searchSession(
  session: StoredSession,
  query: MessageSearchQuery,
  among: SearchScope,
  context: SearchContext,
): Promise<SessionHits> {
  return {
    session: session.key,
    ...(among !== 'messages' && { summaries: await searchSummaries(session, query, context) }),
    ...(among !== 'summaries' && { messages: await searchMessages(session, query, context) }),
  }
}

/** A search in all sessions of a principal. */
export interface StoreSearchQuery extends Omit<MessageSearchQuery, 'cursor' | 'first' | 'last'> {
  /** Default `local`. */
  readonly principal?: string
  /** Default `messages`. */
  readonly among?: SearchScope
  /** Keys of the sessions to search, in this order. Default: all, by name. */
  readonly sessions?: readonly string[]
}

export interface StoreSearchResult {
  /** Sessions with hits, or in which a search stopped early, by name. */
  readonly found: readonly SessionHits[]
  readonly complete: boolean
  /** Set if no message has all words: the hits are the best messages of the sessions with most of the words. */
  readonly order?: 'relevance'
}

/**
 * Searches all sessions of a principal, by name, until there are enough hits. Looser readings of the query are tried
 * only if no session matches; the last one ranks messages with some of the words. The store's index limits the search
 * for rare words, so the cost depends on the number of hits, not of sessions.
 *
 * @throws as `searchMessages`.
 */
export async function searchStore(
  store: Store,
  query: StoreSearchQuery,
  context: Omit<SearchContext, 'unsaved' | 'level'>,
): Promise<StoreSearchResult> {
  const { clock, timeLimit = SEARCH_TIME_LIMIT } = context
  const search = { store, query, context, deadline: clock.now() + timeLimit }
  const [first, ...looser] = await readQuery(query)
  const asked = await searchReading(search, first)
  const isEmpty = ({ found, complete }: StoreSearchResult) => found.length === 0 && complete
  if (!isEmpty(asked)) return asked
  for (const reading of looser) {
    const result = await searchReading(search, reading)
    if (!isEmpty(result)) return result
  }
  const { order, mode = 'text', among = 'messages', limit = DEFAULT_HITS } = query
  if (order !== undefined || mode !== 'text' || among !== 'messages') return asked
  const sessions = await sessionsAbout(store, query)
  if (sessions.length === 0) return asked
  const best = { ...query, order: 'relevance', sessions, limit: Math.ceil(limit / sessions.length) } as const
  return { ...(await searchReading({ ...search, query: best }, first)), order: 'relevance' }
}

const ASKED_SESSIONS = 3
const MOST_SESSIONS = 10_000

async function sessionsAbout(
  store: Store,
  { query, principal = DEFAULT_PRINCIPAL, sessions }: StoreSearchQuery,
): Promise<string[]> {
  const scores = new Map(sessions?.map((key) => [key, 0]))
  for (const term of await withForms(questionTerms(query))) {
    const listed = await store.list({ principal, matching: [storeTerms(term)], limit: MOST_SESSIONS })
    const holding = listed.filter(({ key }) => sessions === undefined || scores.has(key))
    const score = Math.log(1 + (sessions?.length ?? MOST_SESSIONS) / Math.max(1, holding.length))
    for (const { key } of holding) scores.set(key, (scores.get(key) ?? 0) + score)
  }
  const found = [...scores].filter(([, score]) => score > 0).sort(([, one], [, other]) => other - one)
  return found.slice(0, ASKED_SESSIONS).map(([key]) => key)
}

interface StoreSearch {
  readonly store: Store
  readonly query: StoreSearchQuery
  readonly context: SearchContext
  readonly deadline: number
}

async function searchReading(search: StoreSearch, reading: Reading): Promise<StoreSearchResult> {
  const { store, query, deadline } = search
  const {
    principal = DEFAULT_PRINCIPAL,
    among = 'messages',
    limit = DEFAULT_HITS,
    sessions,
    ...asked
  } = query
  // The index covers only messages, and a ranked message contains only some of the words.
  const isExact = among === 'messages' && query.order !== 'relevance'
  const matching = isExact ? reading.matcher.where : []
  const { clock, signal } = search.context
  const found: SessionHits[] = []
  let room = limit
  let complete = true
  for await (const key of sessionsToSearch(store, principal, matching, sessions)) {
    signal?.throwIfAborted()
    const timeLimit = deadline - clock.now()
    if (room <= 0 || timeLimit <= 0) return { found, complete: false }
    const session = await store.find({ principal, key })
    if (session === null) continue
    const context = { ...search.context, level: reading.level, timeLimit }
    const hits = await searchSession(session, { ...asked, limit: room }, among, context)
    const results = [hits.messages, hits.summaries].filter((one) => one !== undefined)
    const count = results.reduce((sum, one) => sum + one.hits.length, 0)
    const isWhole = results.every((one) => one.complete)
    if (count > 0 || !isWhole) found.push(hits)
    if (query.order !== 'relevance') room -= count
    complete &&= isWhole
  }
  return { found, complete }
}

async function* sessionsToSearch(
  store: Store,
  principal: string,
  matching: NonNullable<ListQuery['matching']>,
  among: readonly string[] | undefined,
): AsyncGenerator<string> {
  const keys = new Set<string>()
  for await (const { key } of listSessions(store, { principal, matching }))
    if (among === undefined) yield key
    else keys.add(key)
  yield* (among ?? []).filter((key) => keys.has(key))
}
