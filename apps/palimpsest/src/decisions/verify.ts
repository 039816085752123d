import { verifyDecisions } from '@palimpsest/decisions'
import { colors } from '../colors.ts'
import { counted } from '../count.ts'
import { firstLines, printJson, printLines } from '../lcm/output.ts'
import { printable } from '../lcm/printable.ts'
import { EXIT_FOUND } from '../report-failure.ts'
import { UsageError } from '../usage-error.ts'
import { type StoreFlags, withStore } from './with-store.ts'

export interface VerifyFlags extends StoreFlags {
  /** Only what was read in this session. */
  readonly session?: string
}

/** `palimpsest decisions verify`. The exit code is 1 when something is not as it was stored. */
export async function verify(flags: VerifyFlags): Promise<number> {
  return withStore(flags, 'read', async ({ store, place, principal }) => {
    const { session } = flags
    if (session !== undefined && (await store.find({ principal, key: session })) === null)
      throw new UsageError(
        `there is no session "${printable(session)}" in ${place.name}; palimpsest decisions sessions lists them`,
      )
    const ref = session === undefined ? undefined : { principal, key: session }
    const { sessions, events, sources, faults } = await verifyDecisions(store, ref)
    const ok = faults.length === 0
    if (flags.json) printJson({ ok, sessions, events, messages: sources, faults })
    else {
      printLines(
        ...firstLines(
          faults.map(({ code, message, session: of, event }) => {
            const place = [of, event].filter((part) => part !== undefined).map(printable)
            return `${colors.red(code)}  ${place.length === 0 ? '' : `${place.join(' ')}: `}${printable(message)}`
          }),
        ),
      )
      const looked = [
        counted(events, 'event'),
        counted(sources, 'message'),
        counted(sessions, 'session'),
      ].join(', ')
      printLines(
        ok
          ? colors.green(`verified: ${looked}, no fault`)
          : colors.red(`${counted(faults.length, 'fault')} in ${looked}`),
      )
    }
    return ok ? 0 : EXIT_FOUND
  })
}
