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
  searchStore,
  summaryHits,
  summaryRef,
  timeText,
} from '@palimpsest/lcm'
import { colors } from '../colors.ts'
import { counted } from '../count.ts'
import { withStore } from '../stores/with-store.ts'
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
  readonly replaced?: boolean
}

export interface GrepFlags extends SessionFlags, QueryFlags {
  readonly scope: 'messages' | 'summaries' | 'both'
  readonly all?: boolean
}

export async function grep(text: string, flags: GrepFlags): Promise<number> {
  const { all, session, scope: among } = flags
  if (all && session !== undefined) throw new UsageError('--all searches all sessions: leave out --session')
  const query = readQuery(text, flags)
  return withStore(flags, 'read', async (opened) => {
    const { store, principal } = opened
    if (all) await assertPrincipal(opened)
    const only = all ? undefined : await chooseSession(opened, session, ', or search all of them with --all')
    const asked = { ...query, principal, among, ...(only && { sessions: [only.key] }) }
    const { found, complete } = await searchStore(store, asked, { clock: { now: Date.now } })
    if (flags.json) printJson({ complete, sessions: found.map(toJson) })
    else {
      printHits(found, all ? { titleOf: (name) => name } : {})
      printLines(renderAll(found, complete))
    }
    return 0
  })
}

export function readQuery(query: string, flags: QueryFlags): MessageSearchQuery {
  const { mode, role, order, limit, context, replaced } = flags
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
    ...(replaced !== undefined && { includeReplaced: replaced }),
  }
}

export function toJson({ session, messages, summaries }: SessionHits) {
  if (messages && summaries)
    return { session, messages: messageHits(messages), summaries: summaryHits(summaries) }
  return { session, ...(messages ? messageHits(messages) : summaries && summaryHits(summaries)) }
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

export function renderAll(found: readonly SessionHits[], complete: boolean): string {
  const results = found.flatMap(({ messages, summaries }) => [summaries ?? [], messages ?? []].flat())
  const hits = results
    .flatMap(({ hits }) => [...hits])
    .reduce((sum, hit) => sum + ('seq' in hit ? hit.matching.length : 1), 0)
  // A pattern that takes too long on a message ends the search there.
  const [stopped] = results.flatMap((result) => result.stopped ?? [])
  const rest = complete ? 'everything was searched' : `there may be more: ${stopped ?? '--limit'}`
  return colors.dim(`${counted(hits, 'hit')} in ${counted(found.length, 'session')}; ${rest}`)
}
