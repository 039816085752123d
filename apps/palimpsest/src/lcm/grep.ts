import {
  type MessageSearchQuery,
  messageHits,
  parseTime,
  type SearchMode,
  type SessionHits,
  searchSession,
  searchStore,
  summaryHits,
} from '@palimpsest/lcm'
import { UsageError } from '../usage-error.ts'
import { assertPrincipal, chooseSession, type SessionFlags } from './choose-session.ts'
import { printJson, printLines } from './output.ts'
import { printable } from './printable.ts'
import { renderAll, renderHits, renderReading, renderScan } from './render-hits.ts'
import { type OpenedStore, withStore } from './with-store.ts'

export interface GrepFlags extends SessionFlags {
  readonly mode?: SearchMode
  readonly role?: readonly string[]
  readonly since?: string
  readonly before?: string
  readonly scope: 'messages' | 'summaries' | 'both'
  readonly order?: 'newest' | 'oldest' | 'relevance'
  readonly limit: number
  readonly context?: number
  readonly cursor?: string
  readonly all?: boolean
  readonly replaced?: boolean
}

/** `palimpsest lcm grep`. */
export async function grep(text: string, flags: GrepFlags): Promise<number> {
  checkFlags(flags)
  const query = readQuery(text, flags)
  return withStore(flags, 'read', async (opened) => {
    if (flags.all) await assertPrincipal(opened)
    await (flags.all ? grepAll(opened, query, flags) : grepOne(opened, query, flags))
    return 0
  })
}

const CONTEXT = { clock: { now: Date.now } }

async function grepAll(opened: OpenedStore, query: MessageSearchQuery, flags: GrepFlags): Promise<void> {
  const { store, principal } = opened
  const { found, complete } = await searchStore(store, { ...query, principal, among: flags.scope }, CONTEXT)
  if (flags.json) printJson({ complete, sessions: found.map(toJson) })
  else {
    printHits(found, true)
    printLines(renderAll(found, complete))
  }
}

async function grepOne(opened: OpenedStore, query: MessageSearchQuery, flags: GrepFlags): Promise<void> {
  const session = await chooseSession(opened, flags.session)
  const found = await searchSession(session, query, flags.scope, CONTEXT)
  if (flags.json) printJson(answerOf(found))
  else {
    printHits([found], false)
    printLines(...renderReading(found), renderScan(found))
  }
}

function checkFlags({ all, session, cursor, scope }: GrepFlags): void {
  if (all && session !== undefined) throw new UsageError('--all searches all sessions: leave out --session')
  if (cursor === undefined) return
  if (all) throw new UsageError('--cursor goes on in one session: name it with --session, without --all')
  if (scope === 'both')
    throw new UsageError('--cursor goes on with one list: choose --scope messages or summaries')
}

function readQuery(query: string, flags: GrepFlags): MessageSearchQuery {
  const { mode, role, order, limit, context, cursor, replaced } = flags
  const since = flags.since === undefined ? undefined : parseTime(flags.since, '--since')
  const before = flags.before === undefined ? undefined : parseTime(flags.before, '--before')
  if (since !== undefined && before !== undefined && since >= before)
    throw new UsageError('--since must be an earlier time than --before: nothing lies between them')
  return {
    query,
    limit,
    ...(mode !== undefined && { mode }),
    ...(role !== undefined && { roles: role }),
    ...(since !== undefined && { since }),
    ...(before !== undefined && { before }),
    ...(order !== undefined && { order }),
    ...(context !== undefined && { context }),
    ...(cursor !== undefined && { cursor }),
    ...(replaced !== undefined && { includeReplaced: replaced }),
  }
}

function answerOf({ messages, summaries }: SessionHits) {
  if (messages && summaries) return { messages: messageHits(messages), summaries: summaryHits(summaries) }
  return messages ? messageHits(messages) : summaries && summaryHits(summaries)
}

function toJson(found: SessionHits) {
  return { session: found.session, ...answerOf(found) }
}

function printHits(found: readonly SessionHits[], isNamed: boolean): void {
  for (const { session, messages, summaries } of found) {
    const hits = [...renderHits(summaries?.hits ?? []), ...renderHits(messages?.hits ?? [])]
    if (isNamed && hits.length > 0) printLines(printable(session))
    printLines(...hits)
  }
}
