import type { SeqRange, StoredSession } from '@palimpsest/core'
import { messageRef } from '@palimpsest/lcm'
import { UsageError } from '../usage-error.ts'
import { printable } from './printable.ts'

export function readMessageNumber(text: string): number | undefined {
  const digits = /^\s*m(\d{1,15})\s*$/i.exec(text)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

export function readRange(text: string): SeqRange {
  const [from = '', to = from, ...rest] = text.split('-')
  const [first, last] = [readMessageNumber(from), readMessageNumber(to)]
  if (rest.length === 0 && first !== undefined && last !== undefined && first <= last) return { first, last }
  throw new UsageError(
    `name one message or a range of them, such as m12 or m12-m40, not "${printable(text)}"`,
  )
}

export async function assertThere(session: StoredSession, seq: number): Promise<void> {
  const { nextSeq } = await session.head()
  if (seq < nextSeq) return
  const known = `messages go from m0 to ${messageRef(nextSeq - 1)}`
  throw new UsageError(
    nextSeq === 0 ? `${printable(session.key)} has no message` : `there is no ${messageRef(seq)}; ${known}`,
  )
}
