import { listSessions, messageRef, type SessionInfo, timeText } from '@palimpsest/lcm'
import { colors } from '../colors.ts'
import { columns } from '../engines/engine-lines.ts'
import { assertSeesAll } from './choose-session.ts'
import { printJson } from './output.ts'
import { printable } from './printable.ts'
import { type OpenedStore, type StoreFlags, withStore } from './with-store.ts'

/** Sessions that a database is asked about at the same time: no more than it has connections for by default. */
const ASKED_AT_ONCE = 10

export interface SessionsFlags extends StoreFlags {
  readonly allPrincipals?: boolean
}

/** A session with what it shares with the one that it was forked from. */
interface ListedSession extends SessionInfo {
  readonly fork?: {
    /** The session that it was forked from. */
    readonly session: string
    /** The last message that both share; null when there is none. */
    readonly at: string | null
    /** Messages that both share. */
    readonly shared: number
  }
}

/** `palimpsest lcm sessions`. */
export async function sessions(flags: SessionsFlags): Promise<number> {
  return withStore(flags, 'read', async (opened) => {
    const { allPrincipals = false } = flags
    if (allPrincipals) await assertSeesAll(opened)
    const found: SessionInfo[] = []
    for await (const info of listSessions(opened.store, allPrincipals ? undefined : opened.principal))
      found.push(info)
    const infos: ListedSession[] = []
    for (let first = 0; first < found.length; first += ASKED_AT_ONCE)
      infos.push(
        ...(await Promise.all(
          found
            .slice(first, first + ASKED_AT_ONCE)
            .map(async (info) => ({ ...info, ...(await forkOf(opened, info)) })),
        )),
      )
    if (flags.json) {
      const times = ({ createdAt, lastAt }: SessionInfo) => ({
        created: timeText(createdAt),
        last: timeText(lastAt),
      })
      printJson(
        infos.map((info) => {
          const { principal, key: session, messages, summaries, fork = null } = info
          return { session, principal, messages, summaries, fork, ...times(info) }
        }),
      )
      return 0
    }
    const rows = infos.map(({ key, principal, messages, summaries, createdAt, lastAt, fork }) => [
      printable(key),
      ...(allPrincipals ? [printable(principal)] : []),
      fork === undefined ? number(messages) : `${number(messages)} + ${number(fork.shared)} shared`,
      number(summaries),
      timeText(createdAt),
      timeText(lastAt),
      fork === undefined ? '' : `fork of ${printable(fork.session)} ${fork.at ?? 'before m0'}`,
    ])
    const head = [
      'SESSION',
      ...(allPrincipals ? ['PRINCIPAL'] : []),
      'MESSAGES',
      'SUMMARIES',
      'BEGAN',
      'LAST MESSAGE',
      '',
    ]
    if (rows.length > 0) process.stdout.write(columns([head, ...rows]))
    else if (allPrincipals) process.stdout.write(colors.dim('the store has no session yet\n'))
    else process.stdout.write(colors.dim(`no session of the principal "${printable(opened.principal)}"\n`))
    return 0
  })
}

async function forkOf({ store }: OpenedStore, info: SessionInfo): Promise<Pick<ListedSession, 'fork'>> {
  const { parent } = (await (await store.find(info))?.head()) ?? {}
  if (parent === undefined) return {}
  const { key: session, seq: shared } = parent
  return { fork: { session, at: shared === 0 ? null : messageRef(shared - 1), shared } }
}

function number(value: number): string {
  return value.toLocaleString('en-US')
}
