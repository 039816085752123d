import { assertSeesAll, chooseSession, type SessionFlags } from '../lcm/choose-session.ts'
import { writePart } from '../lcm/output.ts'
import { EXIT_FOUND } from '../report-failure.ts'
import { withStore } from './with-store.ts'

export async function exportStore(flags: SessionFlags): Promise<number> {
  return withStore(flags, 'read', async (opened) => {
    const { session } = flags
    if (session === undefined) await assertSeesAll(opened)
    const only = session === undefined ? undefined : await chooseSession(opened, session)
    for await (const line of opened.store.export(only)) await writePart(process.stdout, line)
    return opened.store.damaged().length === 0 ? 0 : EXIT_FOUND
  })
}
