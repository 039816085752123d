import { errorText, type StoredSession } from '@palimpsest/core'
import { rangeRef, rewriteForgotten, summaryRef } from '@palimpsest/lcm'
import { createTokenCounter } from '@palimpsest/tokens'
import { confirmed } from '../confirmed.ts'
import { counted } from '../count.ts'
import type { StorePlace } from '../stores/store-place.ts'
import { withStore } from '../stores/with-store.ts'
import { UsageError } from '../usage-error.ts'
import { chooseSession, type SessionFlags } from './choose-session.ts'
import { printJson, printLines } from './output.ts'
import { printable } from './printable.ts'
import { assertThere, readRange } from './read-range.ts'

export interface ForgetFlags extends SessionFlags {
  readonly reason: string
  readonly yes?: boolean
}

const EXIT_CANCELLED = 130

const COPIES: Readonly<Record<StorePlace['kind'], string>> = {
  file: 'Exports and copies of the file that were made before still have the text, and so has the history that the host keeps itself.',
  postgres:
    'No query finds it any more; its bytes leave the files of the database with the next VACUUM. Exports, backups and ' +
    'archived logs from before still have the text, and so has the history that the host keeps itself.',
}

export async function forget(range: string, flags: ForgetFlags): Promise<number> {
  const { first, last } = readRange(range)
  const { reason, yes = false } = flags
  if (reason.trim() === '')
    throw new UsageError('--reason must say why: it is kept in the place of the messages')
  return withStore(flags, 'write', async (opened) => {
    const session = await chooseSession(opened, flags.session)
    await assertThere(session, last)
    const ref = rangeRef(first, last)
    const question = `Delete ${ref} of ${printable(session.key)} for good? This cannot be undone.`
    if (
      !yes &&
      !(await confirmed(question, 'there is no terminal to ask on: --yes deletes without asking'))
    ) {
      process.stderr.write('palimpsest: nothing was deleted\n')
      return EXIT_CANCELLED
    }
    const at = Date.now()
    const { messages, summaries } = await session.forget({ first, last, reason, at })
    const rewritten = await rewriteSummaries(session, at)
    const refs = summaries.map(summaryRef)
    if (flags.json)
      printJson({ session: session.key, range: ref, messages, summaries: refs, rewritten, reason })
    else printLines(...report({ ref, messages, refs, rewritten, place: opened.place }))
    return 0
  })
}

function report(done: {
  readonly ref: string
  readonly messages: number
  readonly refs: readonly string[]
  readonly rewritten: number
  readonly place: StorePlace
}): string[] {
  const { ref, messages, refs, rewritten, place } = done
  const summaries = (count: number) => counted(count, 'summary', 'summaries')
  const of = refs.length === 0 ? '' : `, and the text of ${summaries(refs.length)} (${refs.join(' ')})`
  const again = `${summaries(rewritten)} written again from the messages that are left.`
  return [
    messages === 0
      ? `${ref} had been deleted before.`
      : `Deleted for good: ${counted(messages, 'message')} (${ref})${of}.`,
    ...(rewritten > 0 ? [again] : []),
    `Numbers, times and the reason stay. This cannot be undone. ${COPIES[place.kind]}`,
  ]
}

async function rewriteSummaries(session: StoredSession, at: number): Promise<number> {
  try {
    return await rewriteForgotten(session, { tokens: createTokenCounter(), at })
  } catch (error) {
    const reason = `${printable(session.key)}: its summaries were not written again: ${errorText(error)}`
    process.stderr.write(`palimpsest: ${reason}\n`)
    return 0
  }
}
