import { type LcmSession, messageRef, parseRef, rangeRef, type SeqRange, summaryRef } from '@palimpsest/lcm'
import { UsageError } from '../usage-error.ts'
import { chooseSession, type SessionFlags } from './choose-session.ts'
import { counted, printJson, printLines } from './output.ts'
import { printable } from './printable.ts'
import { withStore } from './with-store.ts'

export interface ForgetFlags extends SessionFlags {
  readonly reason: string
  readonly yes?: boolean
}

/** What a person gets who changes their mind at the question. */
const EXIT_CANCELLED = 130

const COPIES = 'Exports and copies of the file that were made before still have it.'

/** `palimpsest lcm forget`: deletes the content of messages for good, and asks before. */
export async function forget(range: string, flags: ForgetFlags): Promise<number> {
  const { first, last } = readRange(range)
  const { reason, yes = false } = flags
  if (reason.trim() === '')
    throw new UsageError('--reason must say why: it is kept in the place of the messages')
  return withStore(flags, 'write', async (opened) => {
    const session = await chooseSession(opened, flags.session)
    await checkRange(session, { first, last })
    const ref = rangeRef(first, last)
    if (
      !yes &&
      !(await confirmed(`Delete ${ref} of ${printable(session.key)} for good? This cannot be undone.`))
    ) {
      process.stderr.write('palimpsest: nothing was deleted\n')
      return EXIT_CANCELLED
    }
    const { messages, summaries } = await session.forget({ first, last, reason, at: Date.now() })
    const refs = summaries.map(summaryRef)
    if (flags.json) {
      printJson({ session: session.key, range: ref, messages, summaries: refs, reason })
      return 0
    }
    const of =
      refs.length === 0
        ? ''
        : `, and the text of ${counted(refs.length, 'summary', 'summaries')} (${refs.join(' ')})`
    printLines(
      messages === 0
        ? `${ref} had been deleted before.`
        : `Deleted for good: ${counted(messages, 'message')} (${ref})${of}.`,
      `Numbers, hashes, times and the reason stay. This cannot be undone. ${COPIES}`,
    )
    return 0
  })
}

/** `m12` or `m12-m40`. */
function readRange(text: string): SeqRange {
  const [from = '', to = from, ...rest] = text.split('-')
  if (rest.length === 0) {
    const [first, last] = [parseRef(from), parseRef(to)]
    if (first.kind === 'message' && last.kind === 'message' && first.number <= last.number)
      return { first: first.number, last: last.number }
  }
  throw new UsageError(
    `name one message or a range of them, such as m12 or m12-m40, not "${printable(text)}"`,
  )
}

async function checkRange(session: LcmSession, { last }: SeqRange): Promise<void> {
  const { nextSeq } = await session.head()
  if (last < nextSeq) return
  throw new UsageError(
    nextSeq === 0
      ? `${printable(session.key)} has no message`
      : `there is no ${messageRef(last)}; messages go from m0 to ${messageRef(nextSeq - 1)}`,
  )
}

async function confirmed(message: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new UsageError('there is no terminal to ask on: --yes deletes without asking')
  const { confirm } = await import('@clack/prompts')
  return (await confirm({ message, initialValue: false })) === true
}
