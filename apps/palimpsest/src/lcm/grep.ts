import {
  type MessageHit,
  type MessageSearchQuery,
  messageHits,
  messageRef,
  parseTime,
  rangeRef,
  type SearchMode,
  type SessionHits,
  type SummaryHit,
  searchSession,
  searchStore,
  summaryHits,
  summaryRef,
  timeText,
} from '@palimpsest/lcm'
import { colors } from '../colors.ts'
import { counted } from '../count.ts'
import { type OpenedStore, withStore } from '../stores/with-store.ts'
import { UsageError } from '../usage-error.ts'
import { assertPrincipal, chooseSession, type SessionFlags } from './choose-session.ts'
import { printJson, printLines } from './output.ts'
import { printable } from './printable.ts'

export interface QueryFlags {
  readonly mode?: SearchMode
  readonly role?: readonly string[]
  readonly since?: string
  readonly before?: string
  readonly order?: 'newest' | 'oldest' | 'relevance'
  readonly limit: number
  readonly context?: number
  readonly cursor?: string
  readonly replaced?: boolean
}

export interface GrepFlags extends SessionFlags, QueryFlags {
  readonly scope: 'messages' | 'summaries' | 'both'
  readonly all?: boolean
}

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
    printHits(found, { titleOf: (session) => session })
    printLines(renderAll(found, complete))
  }
}

async function grepOne(opened: OpenedStore, query: MessageSearchQuery, flags: GrepFlags): Promise<void> {
  const session = await chooseSession(opened, flags.session, ', or search all of them with --all')
  const found = await searchSession(session, query, flags.scope, CONTEXT)
  if (flags.json) printJson(answerOf(found))
  else {
    printHits([found])
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

export function readQuery(query: string, flags: QueryFlags): MessageSearchQuery {
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

export function toJson(found: SessionHits) {
  return { session: found.session, ...answerOf(found) }
}

interface HitsForm {
  readonly titleOf?: (session: string) => string
  /** Says how much of a hit the model sees. Default true. */
  readonly saysWhere?: boolean
}

export function printHits(found: readonly SessionHits[], { titleOf, saysWhere = true }: HitsForm = {}): void {
  for (const { session, messages, summaries } of found) {
    const all = [...(summaries?.hits ?? []), ...(messages?.hits ?? [])]
    const hits = renderHits(all, saysWhere)
    if (titleOf !== undefined && hits.length > 0) printLines(printable(titleOf(session)))
    printLines(...hits)
  }
}

function renderHits(hits: readonly (MessageHit | SummaryHit)[], saysWhere: boolean): string[] {
  const rows = hits.map((hit) => ({ hit, ...('seq' in hit ? messagePlace(hit) : summaryPlace(hit)) }))
  const refWidth = Math.max(0, ...rows.map(({ ref }) => ref.length))
  const whatWidth = Math.max(0, ...rows.map(({ what }) => what.length))
  return rows.flatMap(({ hit, ref, what, where }) => {
    const facts = [
      ...(saysWhere ? [where] : []),
      ...(hit.line > 1 ? [`line ${hit.line}`] : []),
      ...(hit.matches > 1 ? [`${hit.matches} matches`] : []),
    ]
    const place = [what.padEnd(whatWidth), timeText(hit.at), facts.join(', ')].join('  ').trimEnd()
    const text = 'seq' in hit ? passageLines(hit) : [highlight(hit.text, hit.found)]
    return [
      `${colors.cyan(ref.padEnd(refWidth))}  ${colors.dim(place)}`,
      ...text.map((shown) => `    ${shown}`),
    ]
  })
}

function passageLines({ seq, found, passage }: MessageHit): string[] {
  return passage.map((line) => {
    const text = highlight(line.text, found)
    return line.seq === seq
      ? text
      : `${colors.dim(`${messageRef(line.seq)} ${printable(line.role)}:`)} ${text}`
  })
}

function messagePlace({ seq, role, summary, replaced }: MessageHit) {
  const where = replaced ? 'replaced' : summary === null ? 'shown' : `in ${summaryRef(summary)}`
  return { ref: messageRef(seq), what: printable(role), where }
}

function summaryPlace({ number, depth, first, last }: SummaryHit) {
  return { ref: summaryRef(number), what: `depth ${depth}`, where: `covers ${rangeRef(first, last)}` }
}

function highlight(text: string, found: string): string {
  if (found === '') return printable(text)
  return text
    .split(found)
    .map(printable)
    .join(colors.bold(colors.yellow(printable(found))))
}

function renderReading(found: SessionHits): string[] {
  const result = found.messages ?? found.summaries
  if (result === undefined) return []
  const { absent = [], replacedNotSearched: replaced = 0 } = result
  return [
    ...(absent.length === 0 ? [] : [`nowhere: ${printable(absent.join(', '))}`]),
    ...(replaced === 0
      ? []
      : [`${counted(replaced, 'replaced message')} not searched: --replaced searches them too`]),
  ].map((line) => colors.dim(line))
}

function renderScan(found: SessionHits): string {
  const { messages, summaries } = found
  const results = resultsOf(found)
  const scanned = [
    ...(summaries ? [counted(summaries.scanned.summaries, 'summary', 'summaries')] : []),
    ...(messages ? [counted(messages.scanned.messages, 'message')] : []),
  ]
  const scan = `${counted(hitsOf(results), 'hit')}; ${scanned.join(' and ')} searched`
  if (results.every(({ complete }) => complete)) return colors.dim(`${scan}, which is all`)
  const [stopped] = results.flatMap((result) => result.stopped ?? [])
  const [cursor] = results.flatMap(({ next }) => next ?? [])
  const isOne = results.length === 1 && cursor !== undefined
  const more = isOne ? `there may be more: --cursor ${cursor}` : 'there may be more: --limit'
  // A pattern that takes too long on a message ends the command there.
  const ends = stopped !== undefined && cursor === undefined
  return colors.dim([scan, ...(stopped ? [stopped] : []), ...(ends ? [] : [more])].join('; '))
}

export function renderAll(
  found: readonly SessionHits[],
  complete: boolean,
  more = '--limit, or one session',
): string {
  const hits = hitsOf(found.flatMap(resultsOf))
  const where = `${counted(hits, 'hit')} in ${counted(found.length, 'session')}`
  const rest = complete ? 'all sessions were searched' : `there may be more: ${more}`
  return colors.dim(`${where}; ${rest}`)
}

function resultsOf({ messages, summaries }: SessionHits) {
  return [summaries, messages].filter((result) => result !== undefined)
}

function hitsOf(results: readonly { readonly hits: readonly (MessageHit | SummaryHit)[] }[]): number {
  const sizes = results.flatMap(({ hits }) => hits.map((hit) => ('seq' in hit ? hit.matching.length : 1)))
  return sizes.reduce((sum, size) => sum + size, 0)
}
