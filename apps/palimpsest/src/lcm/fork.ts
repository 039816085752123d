import { forkSession, type LcmSession, messageRef, StoreError } from '@palimpsest/lcm'
import { UsageError } from '../usage-error.ts'
import { chooseSession, type SessionFlags } from './choose-session.ts'
import { printJson, printLines } from './output.ts'
import { printable } from './printable.ts'
import { assertThere, readMessageNumber } from './read-range.ts'
import { withStore } from './with-store.ts'

export interface ForkFlags extends SessionFlags {
  /** The last message that both sessions share. */
  readonly at: string
  readonly as: string
}

/** `palimpsest lcm fork`. */
export async function fork(flags: ForkFlags): Promise<number> {
  const at = readMessageNumber(flags.at)
  if (at === undefined)
    throw new UsageError(`--at takes a message, such as m57, not "${printable(flags.at)}"`)
  return withStore(flags, 'write', async (opened) => {
    const parent = await chooseSession(opened, flags.session)
    await assertThere(parent, at)
    const session = await makeFork(parent, flags.as, at + 1)
    if (flags.json) printJson({ session: session.key, parent: parent.key, last: messageRef(at) })
    else
      printLines(
        `${printable(session.key)} shares ${printable(parent.key)} up to ${messageRef(at)}, and goes on by itself.`,
      )
    return 0
  })
}

async function makeFork(parent: LcmSession, key: string, seq: number): Promise<LcmSession> {
  try {
    return await forkSession(parent, { key, seq, at: Date.now() })
  } catch (cause) {
    if (!StoreError.isInstance(cause) || cause.code !== 'EXISTS') throw cause
    throw new UsageError(`there is a session ${printable(key)} already; choose another id for --as`, {
      cause,
    })
  }
}
