import {
  type Clock,
  DEFAULT_PRINCIPAL,
  InvalidOptionError,
  PalimpsestError,
  runEngineTool,
  type Store,
  type StoredSession,
  type ToolSchema,
} from '@palimpsest/core'
import { lazily, readToolArguments, toolSchema, z } from '@palimpsest/core/options'
import {
  type SessionHits,
  type StoreSearchResult,
  searchSession,
  searchStore,
} from '../search/search-store.ts'
import { DEFAULT_HITS } from '../search/search-types.ts'
import { createLcmTools, type LcmTools, schemasOf, TOOL_NAMES } from './create-lcm-tools.ts'
import { describeArguments } from './lcm-describe.ts'
import { grepArguments, grepQuery, messageHits, summaryHits } from './lcm-grep.ts'
import { timeText } from './refs.ts'
import { reference } from './tool-arguments.ts'
import { ANSWER_CHARACTERS, fitting, type LcmToolsOptions, USUAL_CHARACTERS } from './tool-context.ts'

/** A session that the tools of a store may read. */
export interface ReadableSession {
  readonly key: string
  /** Title for the model: the session's first words. */
  readonly title?: string
}

/** The sessions of one call, in search order. */
export interface ReadableSessions {
  readonly sessions: readonly ReadableSession[]
  /** Additions to the result, such as unsaved messages. */
  readonly facts?: Readonly<Record<string, unknown>>
}

export interface SessionsCall {
  readonly tool: string
  /** The words of a text search; every hit has all of them. Undefined for a pattern. */
  readonly query?: string
  readonly session?: string
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: OnToolProgress | undefined
}

/** Reports progress. `total` is 0 if it is unknown. */
export type OnToolProgress = (done: number, total: number, message: string) => void

export interface LcmStoreToolsOptions extends Pick<LcmToolsOptions, 'clock' | 'hidesReplaced'> {
  readonly store: Store
  /** Default `local`. */
  readonly principal?: string
  /** Lists the sessions that may be read; the tools reach no others. */
  readonly sessions: (call: SessionsCall) => Promise<ReadableSessions>
}

/** The tools of `createLcmTools` over several sessions. */
export interface LcmStoreTools {
  readonly schemas: readonly ToolSchema[]
  call(name: string, args: unknown, signal?: AbortSignal, onProgress?: OnToolProgress): Promise<string>
}

const ROOM = USUAL_CHARACTERS - 1_500
const LISTED_SESSIONS = 50
const TITLE_CHARACTERS = 120

const SESSION = 'One session, by its "session" in an answer. Default: all, the newest first.'
const session = lazily(() => z.object({ session: reference(SESSION) }))

interface StoreReader extends Pick<LcmStoreToolsOptions, 'store' | 'hidesReplaced'> {
  readonly principal: string
  readonly clock: Clock
  open(key: string): Promise<StoredSession>
  inSession(name: string, args: object, key: string, signal: AbortSignal | undefined): Promise<object>
}

type Handler = (
  args: object,
  call: { readonly readable: readonly ReadableSession[]; readonly signal: AbortSignal | undefined },
  reader: StoreReader,
) => Promise<object>

const grep: Handler = async (args, { readable, signal }, reader) => {
  const { store, principal, clock, open } = reader
  const { scope = 'messages', cursor, ...given } = readToolArguments(grepArguments(), args)
  const { key: from, next: own } = readCursor(cursor, readable)
  const query = grepQuery({ ...given, cursor: own }, reader)
  const { limit = DEFAULT_HITS } = query
  const at = from === undefined ? 0 : readable.findIndex(({ key }) => key === from)
  const context = { clock, signal }
  const begun =
    own === undefined ? undefined : await searchSession(await open(from ?? ''), query, scope, context)
  const room = limit - countOf(begun)
  const keys = readable.slice(at + (from === undefined ? 0 : 1)).map(({ key }) => key)
  const { cursor: _, ...fresh } = query
  const search = { ...fresh, principal, among: scope, limit: room, sessions: keys }
  const rest: StoreSearchResult =
    room > 0 && keys.length > 0
      ? await searchStore(store, search, context)
      : { found: [], complete: keys.length === 0 }
  const found = [...(begun === undefined ? [] : [begun]), ...rest.found]
  const answer = grepAnswer({ ...rest, found }, readable)
  if (limit === 1 || JSON.stringify(answer).length <= USUAL_CHARACTERS) return answer
  // Fewer hits, so that "next" matches the shown ones.
  const fewer = Math.floor(limit / 2)
  return grep({ ...args, limit: fewer, ...(fewer === 1 && { context: 0 }) }, { readable, signal }, reader)
}

const describe: Handler = async (args, { readable }, { store, principal }) => {
  const { id, offset: start = 0 } = readToolArguments(describeArguments(), args)
  if (id !== undefined) throw new InvalidOptionError('session', 'name the "session" that the id belongs to')
  const listed = []
  for (const { key, title } of readable.slice(start, start + LISTED_SESSIONS)) {
    const found = await store.find({ principal, key })
    const head = await found?.head()
    const label = title === undefined ? {} : { title: title.slice(0, TITLE_CHARACTERS) }
    listed.push({
      session: key,
      ...label,
      // Neither is known of a session that was not read yet.
      ...(head && { messages: head.nextSeq, began: timeText(head.createdAt) }),
    })
  }
  const shown = fitting(listed, ROOM)
  const end = start + shown.length
  return { total: readable.length, next: end < readable.length ? end : null, sessions: shown }
}

/** Tools that work without a `session`. Ids such as "m57" need one. */
const ACROSS: ReadonlyMap<string, Handler> = new Map([
  ['lcm_grep', grep],
  ['lcm_describe', describe],
])
const ofOneSession: Handler = async () => {
  throw new InvalidOptionError('session', 'name the "session" of the hit: ids such as "m57" belong to one')
}

/**
 * Creates the tools of `createLcmTools` over the sessions of a store. Each also takes a `session`; without one,
 * `lcm_grep` searches all sessions, and `lcm_describe` lists them.
 */
export function createLcmStoreTools(options: LcmStoreToolsOptions): LcmStoreTools {
  const { store, principal = DEFAULT_PRINCIPAL } = options
  const clock = options.clock ?? { now: Date.now }
  const shared = { ...options, clock }
  const toolsOf = (opened: StoredSession): LcmTools => createLcmTools({ ...shared, open: async () => opened })
  const open = async (key: string): Promise<StoredSession> => {
    const found = await store.find({ principal, key })
    if (found === null)
      throw new InvalidOptionError('session', `nothing of the session "${key}" is stored yet`)
    return found
  }

  const storedAlone = async ([one, ...others]: readonly ReadableSession[]): Promise<string | undefined> => {
    if (one === undefined || others.length > 0) return undefined
    return (await store.find({ principal, key: one.key })) === null ? undefined : one.key
  }

  const inSession = async (name: string, args: object, key: string, signal: AbortSignal | undefined) => {
    const answer = JSON.parse(await toolsOf(await open(key)).call(name, args, signal)) as Record<
      string,
      unknown
    >
    if (typeof answer.error === 'string') throw new PalimpsestError('LCM_TOOL', answer.error)
    return { session: key, ...answer }
  }

  const reader: StoreReader = { ...options, principal, clock, open, inSession }
  return {
    schemas: storeSchemasOf(options.hidesReplaced ?? false),
    call: (name, args, signal, onProgress) =>
      runEngineTool({
        name,
        handlers: new Map(TOOL_NAMES.map((tool) => [tool, ACROSS.get(tool) ?? ofOneSession])),
        maxCharacters: ANSWER_CHARACTERS,
        signal,
        async run(handler) {
          const { session: named, own } = readSession(args)
          const { query, mode } = (own ?? {}) as Readonly<Record<string, unknown>>
          const { sessions, facts } = await options.sessions({
            tool: name,
            ...(typeof query === 'string' && mode !== 'regex' && { query }),
            ...(named !== undefined && { session: named }),
            signal,
            onProgress,
          })
          if (named !== undefined && !sessions.some(({ key }) => key === named)) throw noSession(named)
          const only = named ?? (await storedAlone(sessions))
          const answer =
            only === undefined
              ? await handler(own, { readable: sessions, signal }, reader)
              : await inSession(name, own, only, signal)
          return JSON.stringify({ ...answer, ...facts })
        },
      }),
  }
}

function storeSchemasOf(hidesReplaced: boolean): ToolSchema[] {
  const added = toolSchema('', '', session()).function.parameters?.properties as object
  return schemasOf(hidesReplaced).map(({ type, function: { parameters, ...rest } }) => ({
    type,
    function: {
      ...rest,
      parameters: { ...parameters, properties: { ...(parameters?.properties as object), ...added } },
    },
  }))
}

function readSession(args: unknown): { readonly session?: string; readonly own: object } {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return { own: args as object }
  const { session: named, ...own } = args as { session?: unknown }
  return { ...readToolArguments(session(), { session: named }), own } as { session?: string; own: object }
}

function noSession(key: string): InvalidOptionError {
  const shown = key
    .slice(0, 100)
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
  return new InvalidOptionError('session', `there is no session "${shown}" here; lcm_describe lists them`)
}

function readCursor(
  cursor: string | undefined,
  readable: readonly ReadableSession[],
): { readonly key?: string; readonly next?: string } {
  if (cursor === undefined) return {}
  const at = cursor.lastIndexOf(' ')
  const key = cursor.slice(0, at)
  if (at < 0 || !readable.some((each) => each.key === key))
    throw new InvalidOptionError('cursor', 'cursor must be the "next" of an earlier answer to the same query')
  const next = cursor.slice(at + 1)
  return { key, ...(next !== AFTER && { next }) }
}

const AFTER = 'end'

function pagesOf({ messages, summaries }: SessionHits) {
  return [messages, summaries].filter((page) => page !== undefined)
}

function countOf(hits: SessionHits | undefined): number {
  return hits === undefined ? 0 : pagesOf(hits).reduce((sum, { hits }) => sum + hits.length, 0)
}

const NO_SESSIONS = 'there is no session to search'
const RANKED =
  'no message has all of these words: the best of the sessions with most of them; with "session" there is more'
const NO_HITS = 'no session has these words; try fewer or others'

function grepAnswer(
  { found, complete: isWhole, order }: StoreSearchResult,
  readable: readonly ReadableSession[],
) {
  const titles = new Map(readable.map(({ key, title }) => [key, title]))
  const answers = found.map((each) => {
    const title = titles.get(each.session)
    return {
      session: each.session,
      ...(title !== undefined && { title: title.slice(0, TITLE_CHARACTERS) }),
      ...(each.messages && messageHits(each.messages)),
      ...(each.summaries && { summaries: summaryHits(each.summaries) }),
    }
  })
  const shown = fitting(answers, ROOM)
  const last = found[shown.length - 1]
  const own = last === undefined ? null : (pagesOf(last).find(({ next }) => next !== null)?.next ?? null)
  const isLast = isWhole && shown.length === answers.length && own === null
  const hits = found.slice(0, shown.length).reduce((sum, each) => sum + countOf(each), 0)
  return {
    complete: isLast && found.every((each) => pagesOf(each).every(({ complete }) => complete)),
    next: isLast || order !== undefined || last === undefined ? null : `${last.session} ${own ?? AFTER}`,
    hits,
    ...(hits === 0 && { hint: readable.length === 0 ? NO_SESSIONS : NO_HITS }),
    ...(order !== undefined && { hint: RANKED }),
    searched_sessions: readable.length,
    sessions: shown,
  }
}
