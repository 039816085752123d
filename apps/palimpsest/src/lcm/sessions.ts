import { listSessions, type SessionInfo } from '@palimpsest/core'
import { timeText } from '@palimpsest/lcm'
import { colors } from '../colors.ts'
import { columns } from '../engines/engine-lines.ts'
import { type StoreFlags, withStore } from '../stores/with-store.ts'
import { printJson } from './output.ts'
import { printable } from './printable.ts'

export async function sessions(flags: StoreFlags): Promise<number> {
  return withStore(flags, 'read', async (opened) => {
    const infos: SessionInfo[] = []
    for await (const info of listSessions(opened.store, { principal: opened.principal })) infos.push(info)
    if (flags.json) {
      printJson(
        infos.map(({ key: session, principal, messages, summaries, createdAt, lastAt }) => {
          const times = { created: timeText(createdAt), last: timeText(lastAt) }
          return { session, principal, messages, summaries, ...times }
        }),
      )
      return 0
    }
    const rows = infos.map(({ key, messages, summaries, createdAt, lastAt }) => [
      printable(key),
      messages.toLocaleString('en-US'),
      summaries.toLocaleString('en-US'),
      timeText(createdAt),
      timeText(lastAt),
    ])
    const head = ['SESSION', 'MESSAGES', 'SUMMARIES', 'BEGAN', 'LAST MESSAGE']
    if (rows.length > 0) process.stdout.write(columns([head, ...rows]))
    else process.stdout.write(colors.dim(`no session of the principal "${printable(opened.principal)}"\n`))
    return 0
  })
}
