import { type LcmSession, type SessionInfo, timeText } from '@palimpsest/lcm'
import { colors } from '../colors.ts'
import { columns } from '../engines/engine-lines.ts'
import { printJson } from './output.ts'
import { printable } from './printable.ts'
import { type OpenedStore, type StoreFlags, withStore } from './with-store.ts'

/** Sessions that are listed at once. */
const PAGE = 100

export interface SessionsFlags extends StoreFlags {
  readonly allPrincipals?: boolean
}

/** `palimpsest lcm sessions`. */
export async function sessions(flags: SessionsFlags): Promise<number> {
  return withStore(flags, 'read', async (opened) => {
    const { allPrincipals = false } = flags
    const infos: SessionInfo[] = []
    for await (const info of listSessions(opened, allPrincipals ? undefined : opened.principal))
      infos.push(info)
    if (flags.json) {
      const times = ({ createdAt, lastAt }: SessionInfo) => ({
        created: timeText(createdAt),
        last: timeText(lastAt),
      })
      printJson(
        infos.map((info) => {
          const { principal, key: session, messages, summaries } = info
          return { session, principal, messages, summaries, ...times(info) }
        }),
      )
      return 0
    }
    const rows = infos.map(({ key, principal, messages, summaries, createdAt, lastAt }) => [
      printable(key),
      ...(allPrincipals ? [printable(principal)] : []),
      String(messages),
      String(summaries),
      timeText(createdAt),
      timeText(lastAt),
    ])
    const head = [
      'SESSION',
      ...(allPrincipals ? ['PRINCIPAL'] : []),
      'MESSAGES',
      'SUMMARIES',
      'BEGAN',
      'LAST MESSAGE',
    ]
    if (rows.length > 0) process.stdout.write(columns([head, ...rows]))
    else process.stdout.write(colors.dim(`no session of the principal "${printable(opened.principal)}"\n`))
    return 0
  })
}

/** The sessions of a principal, or of all, by name. */
export async function* listSessions(
  { store }: OpenedStore,
  principal: string | undefined,
): AsyncGenerator<SessionInfo> {
  let after: SessionInfo | undefined
  do {
    const page: SessionInfo[] = await store.list({
      ...(principal !== undefined && { principal }),
      ...(after && { after: { principal: after.principal, key: after.key } }),
      limit: PAGE,
    })
    yield* page
    after = page.length < PAGE ? undefined : page.at(-1)
  } while (after !== undefined)
}

/** The principal's sessions, opened. */
export async function* eachSession(opened: OpenedStore): AsyncGenerator<LcmSession> {
  for await (const info of listSessions(opened, opened.principal)) {
    const session = await opened.store.find(info)
    if (session !== null) yield session
  }
}
