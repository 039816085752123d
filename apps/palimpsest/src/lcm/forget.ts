import { errorText } from '@palimpsest/core'
import {
  type LcmSession,
  listSessions,
  rangeRef,
  rewriteForgotten,
  type SeqRange,
  summaryRef,
} from '@palimpsest/lcm'
import { createTokenCounter } from '@palimpsest/tokens'
import { counted } from '../count.ts'
import type { StorePlace } from '../stores/store-place.ts'
import { UsageError } from '../usage-error.ts'
import { chooseSession, type SessionFlags } from './choose-session.ts'
import { printJson, printLines } from './output.ts'
import { printable } from './printable.ts'
import { assertThere, readRange } from './read-range.ts'
import { type OpenedStore, withStore } from './with-store.ts'

export interface ForgetFlags extends SessionFlags {
  readonly reason: string
  readonly yes?: boolean
}

/** The exit code of a question that was cancelled. */
const EXIT_CANCELLED = 130

/** Where the text still is. */
const COPIES: Readonly<Record<StorePlace['kind'], string>> = {
  file: 'Exports and copies of the file that were made before still have the text, and so has the history that the host keeps itself.',
  postgres:
    'No query finds it any more; its bytes leave the files of the database with the next VACUUM. Exports, backups and ' +
    'archived logs from before still have the text, and so has the history that the host keeps itself.',
}

/** `palimpsest lcm forget`: deletes the content of messages for good, and asks before. */
export async function forget(range: string, flags: ForgetFlags): Promise<number> {
  const { first, last } = readRange(range)
  const { reason, yes = false } = flags
  if (reason.trim() === '')
    throw new UsageError('--reason must say why: it is kept in the place of the messages')
  return withStore(flags, 'write', async (opened) => {
    const session = await chooseSession(opened, flags.session)
    await assertThere(session, last)
    const ref = rangeRef(first, last)
    const sharing = await sharingSessions(opened, session, { first, last })
    const also = sharing.map(printable).join(', ')
    const question = `Delete ${ref} of ${printable(session.key)}${also && `, which ${also} share${sharing.length === 1 ? 's' : ''},`} for good? This cannot be undone.`
    if (!yes && !(await confirmed(question))) {
      process.stderr.write('palimpsest: nothing was deleted\n')
      return EXIT_CANCELLED
    }
    const at = Date.now()
    const { messages, summaries } = await session.forget({ first, last, reason, at })
    const rewritten = await rewriteSummaries(opened, [session.key, ...sharing], at)
    const refs = summaries.map(summaryRef)
    if (flags.json)
      printJson({ session: session.key, range: ref, messages, summaries: refs, rewritten, sharing, reason })
    else printLines(...told({ ref, messages, refs, rewritten, also, place: opened.place }))
    return 0
  })
}

function told(done: {
  readonly ref: string
  readonly messages: number
  readonly refs: readonly string[]
  readonly rewritten: number
  /** Other sessions that had it. */
  readonly also: string
  readonly place: StorePlace
}): string[] {
  const { ref, messages, refs, rewritten, also, place } = done
  const summaries = (count: number) => counted(count, 'summary', 'summaries')
  const of = refs.length === 0 ? '' : `, and the text of ${summaries(refs.length)} (${refs.join(' ')})`
  const again = `${summaries(rewritten)} written again from the messages that are left.`
  return [
    messages === 0
      ? `${ref} had been deleted before.`
      : `Deleted for good: ${counted(messages, 'message')} (${ref})${of}.`,
    ...(messages > 0 && also !== '' ? [`It is gone from the sessions that share it, too: ${also}.`] : []),
    ...(rewritten > 0 ? [again] : []),
    `Numbers, hashes, times and the reason stay. This cannot be undone. ${COPIES[place.kind]}`,
  ]
}

async function confirmed(message: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new UsageError('there is no terminal to ask on: --yes deletes without asking')
  const { confirm } = await import('@clack/prompts')
  return (await confirm({ message, initialValue: false })) === true
}

/**
 * Writes the summaries again that lost their text with a message, in sessions of the principal, so that what is left of
 * the messages is not lost to the model too. Returns how many were written. A session that is in use keeps its gap,
 * and is named: the deletion stands.
 */
async function rewriteSummaries(
  { store, principal }: OpenedStore,
  keys: readonly string[],
  at: number,
): Promise<number> {
  const tokens = createTokenCounter()
  let written = 0
  for (const key of keys) {
    try {
      const session = await store.find({ principal, key })
      const nodes = (await session?.frontier())?.nodes ?? []
      if (session === null || nodes.every(({ forgotten }) => forgotten === undefined)) continue
      written += await rewriteForgotten(session, { tokens, at })
    } catch (error) {
      const reason = `${printable(key)}: its summaries were not written again: ${errorText(error)}`
      process.stderr.write(`palimpsest: ${reason}\n`)
    }
  }
  return written
}

/** Messages that a session sees, and whose they are. */
interface Share extends SeqRange {
  readonly owner: string
}

/** The other sessions of the principal, forks and what they were forked from, that have one of the messages too. */
async function sharingSessions(opened: OpenedStore, session: LcmSession, range: SeqRange): Promise<string[]> {
  const shares = await sharesOf(opened, session)
  const sharing: string[] = []
  for await (const info of listSessions(opened.store, opened.principal)) {
    const other = info.key === session.key ? null : await opened.store.find(info)
    if (other === null) continue
    const others = await sharesOf(opened, other)
    if (shares.some((share) => others.some((another) => meet(share, another, range)))) sharing.push(other.key)
  }
  return sharing
}

/** From the session itself to the one that was forked from none. */
async function sharesOf({ store, principal }: OpenedStore, session: LcmSession): Promise<Share[]> {
  const shares: Share[] = []
  let last = Number.POSITIVE_INFINITY
  for (let next: LcmSession | null = session; next !== null; ) {
    const { parent } = await next.head()
    shares.push({ owner: next.key, first: parent?.seq ?? 0, last })
    last = Math.min(last, (parent?.seq ?? 0) - 1)
    next = parent === undefined ? null : await store.find({ principal, key: parent.key })
  }
  return shares
}

function meet(one: Share, other: Share, { first, last }: SeqRange): boolean {
  return (
    one.owner === other.owner &&
    Math.max(one.first, other.first, first) <= Math.min(one.last, other.last, last)
  )
}
