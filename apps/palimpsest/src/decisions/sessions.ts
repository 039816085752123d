import { timeText } from '@palimpsest/lcm'
import { colors } from '../colors.ts'
import { columns } from '../engines/engine-lines.ts'
import { printJson } from '../lcm/output.ts'
import { printable } from '../lcm/printable.ts'
import { type StoreFlags, withStore } from './with-store.ts'

/** `palimpsest decisions sessions`: the sessions that decisions were read from. */
export async function sessions(flags: StoreFlags): Promise<number> {
  return withStore(flags, 'read', async ({ store, principal }) => {
    const infos = await store.list({ principal })
    if (flags.json) {
      printJson(
        infos.map(({ key: session, createdAt, lastAt, ...info }) => ({
          session,
          ...info,
          created: timeText(createdAt),
          last: timeText(lastAt),
        })),
      )
      return 0
    }
    const rows = infos.map(({ key, messages, events, pendingJobs, createdAt, lastAt }) => [
      printable(key),
      ...[messages, events, pendingJobs].map((count) => count.toLocaleString('en-US')),
      timeText(createdAt),
      timeText(lastAt),
    ])
    const head = ['SESSION', 'MESSAGES', 'EVENTS', 'WAITING', 'BEGAN', 'LAST WRITTEN']
    if (rows.length > 0) process.stdout.write(columns([head, ...rows]))
    else process.stdout.write(colors.dim(`no session of the principal "${printable(principal)}"\n`))
    return 0
  })
}
