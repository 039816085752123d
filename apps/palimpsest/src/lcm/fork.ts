import { forkSession, messageRef, parseRef } from '@palimpsest/lcm'
import { UsageError } from '../usage-error.ts'
import { chooseSession, type SessionFlags } from './choose-session.ts'
import { printJson, printLines } from './output.ts'
import { printable } from './printable.ts'
import { withStore } from './with-store.ts'

export interface ForkFlags extends SessionFlags {
  /** The last message that both sessions share. */
  readonly at: string
  readonly as: string
}

/** `palimpsest lcm fork`. */
export async function fork(flags: ForkFlags): Promise<number> {
  const ref = parseRef(flags.at)
  if (ref.kind !== 'message') throw new UsageError('--at takes a message, such as m57')
  return withStore(flags, 'write', async (opened) => {
    const parent = await chooseSession(opened, flags.session)
    const { nextSeq } = await parent.head()
    if (ref.number >= nextSeq)
      throw new UsageError(
        nextSeq === 0
          ? `${printable(parent.key)} has no message yet`
          : `there is no ${messageRef(ref.number)}; messages go from m0 to ${messageRef(nextSeq - 1)}`,
      )
    const session = await forkSession(parent, { key: flags.as, seq: ref.number + 1, at: Date.now() })
    if (flags.json) printJson({ session: session.key, parent: parent.key, last: messageRef(ref.number) })
    else
      printLines(
        `${printable(session.key)} shares ${printable(parent.key)} up to ${messageRef(ref.number)}, and goes on by itself.`,
      )
    return 0
  })
}
