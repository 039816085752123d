import type { SessionInfo } from '@palimpsest/core'
import { timeText } from '@palimpsest/lcm'
import { colors } from '../colors.ts'
import { columns } from '../engines/engine-lines.ts'
import { type StoreFlags, sessionsOf, withStore } from '../stores/with-store.ts'
import { assertSeesAll } from './choose-session.ts'
import { printJson } from './output.ts'
import { printable } from './printable.ts'

export interface SessionsFlags extends StoreFlags {
  readonly allPrincipals?: boolean
}

export async function sessions(flags: SessionsFlags): Promise<number> {
  return withStore(flags, 'read', async (opened) => {
    const { allPrincipals = false } = flags
    if (allPrincipals) await assertSeesAll(opened)
    const infos: SessionInfo[] = []
    for await (const info of sessionsOf(opened.store, allPrincipals ? undefined : opened.principal))
      infos.push(info)
    if (flags.json) {
      printJson(
        infos.map(({ key: session, principal, messages, summaries, createdAt, lastAt }) => {
          const times = { created: timeText(createdAt), last: timeText(lastAt) }
          return { session, principal, messages, summaries, ...times }
        }),
      )
      return 0
    }
    const rows = infos.map(({ key, principal, messages, summaries, createdAt, lastAt }) => [
      printable(key),
      ...(allPrincipals ? [printable(principal)] : []),
      messages.toLocaleString('en-US'),
      summaries.toLocaleString('en-US'),
      timeText(createdAt),
      timeText(lastAt),
    ])
    const owner = allPrincipals ? ['PRINCIPAL'] : []
    const head = ['SESSION', ...owner, 'MESSAGES', 'SUMMARIES', 'BEGAN', 'LAST MESSAGE']
    if (rows.length > 0) process.stdout.write(columns([head, ...rows]))
    else if (allPrincipals) process.stdout.write(colors.dim('the store has no session yet\n'))
    else process.stdout.write(colors.dim(`no session of the principal "${printable(opened.principal)}"\n`))
    return 0
  })
}
