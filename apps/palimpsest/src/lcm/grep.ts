import {
  type LcmSession,
  type MessageSearchQuery,
  messageHits,
  parseTime,
  type SearchMode,
  searchMessages,
  searchSummaries,
  summaryHits,
} from '@palimpsest/lcm'
import { UsageError } from '../usage-error.ts'
import { assertPrincipal, chooseSession, type SessionFlags } from './choose-session.ts'
import type { Found } from './found.ts'
import { printJson, printLines } from './output.ts'
import { printable } from './printable.ts'
import { renderHits, renderReading, renderScan } from './render-hits.ts'
import { eachSession } from './sessions.ts'
import { withStore } from './with-store.ts'

export interface GrepFlags extends SessionFlags {
  readonly mode?: SearchMode
  readonly role?: readonly string[]
  readonly since?: string
  readonly before?: string
  readonly scope: 'messages' | 'summaries' | 'both'
  readonly order?: 'newest' | 'oldest'
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
    const found: Found[] = []
    let room = flags.limit
    let isCut = false
    for await (const session of flags.all
      ? eachSession(opened)
      : [await chooseSession(opened, flags.session)]) {
      isCut = room <= 0
      if (isCut) break
      const result = await search(session, { ...query, limit: room }, flags.scope)
      found.push(result)
      room -= (result.messages?.hits.length ?? 0) + (result.summaries?.hits.length ?? 0)
    }
    if (flags.json)
      printJson(
        flags.all
          ? { complete: !isCut && found.every(isComplete), sessions: found.map(toJson) }
          : answerOf(found[0]),
      )
    else printFound(found, flags, isCut)
    return 0
  })
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

async function search(
  session: LcmSession,
  query: MessageSearchQuery,
  scope: GrepFlags['scope'],
): Promise<Found> {
  const context = { clock: { now: Date.now } }
  return {
    session: session.key,
    ...(scope !== 'messages' && { summaries: await searchSummaries(session, query, context) }),
    ...(scope !== 'summaries' && { messages: await searchMessages(session, query, context) }),
  }
}

function answerOf(found: Found | undefined) {
  const { messages, summaries } = found ?? {}
  if (messages && summaries) return { messages: messageHits(messages), summaries: summaryHits(summaries) }
  return messages ? messageHits(messages) : summaries && summaryHits(summaries)
}

function toJson(found: Found) {
  return { session: found.session, ...answerOf(found) }
}

function printFound(found: readonly Found[], { all = false }: GrepFlags, isCut: boolean): void {
  for (const { session, messages, summaries } of found) {
    const hits = [...renderHits(summaries?.hits ?? []), ...renderHits(messages?.hits ?? [])]
    if (all && hits.length > 0) printLines(printable(session))
    printLines(...hits)
  }
  printLines(...renderReading(found), renderScan(found, isCut))
}

function isComplete({ messages, summaries }: Found): boolean {
  return (messages?.complete ?? true) && (summaries?.complete ?? true)
}
