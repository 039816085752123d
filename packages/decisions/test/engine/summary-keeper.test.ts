import { createHash } from 'node:crypto'
import type { Message } from '@palimpsest/core'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { KnownMessages } from '../../src/engine/known-messages.ts'
import { messageHash } from '../../src/engine/source-of.ts'
import { createSummaryKeeper } from '../../src/engine/summary-keeper.ts'
import { hashText } from '../../src/log/hash-text.ts'

/** Of each user's message the hash, the turn in 32 bits, and the number of its role. */
const hashOf = (told: readonly { readonly hash: string; readonly turn: number }[]): string =>
  told
    .reduce((all, { hash, turn }) => {
      const bytes = Buffer.from(`${hash}0000000002`, 'hex')
      bytes.writeUInt32LE(turn, 32)
      return all.update(bytes)
    }, createHash('sha256'))
    .digest('hex')

it('stores the hash of all messages before the tail, whatever was added or taken back since the last summary', async () => {
  const step = fc.record({ back: fc.constantFrom(0, 0, 1, 3, 99), added: fc.nat(4) })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const messages = new KnownMessages()
      const told: { hash: string; turn: number; role: 'user' }[] = []
      const stored: string[] = []
      const commit = async ({ summary }: { summary: { prefixHash: string } }) =>
        stored.push(summary.prefixHash)
      const keeper = createSummaryKeeper({ current: { messages }, commit } as never, {} as never)
      let said = 0
      for (const { back, added } of steps) {
        messages.cut(Math.max(0, messages.length - back))
        told.length = messages.length
        for (let count = 0; count < added; count++) {
          told.push({ hash: hashText(`message ${said}`), turn: said++, role: 'user' })
          messages.push(told.at(-1) as (typeof told)[number])
        }
        expect(messages.slice(0, messages.length)).toEqual(told)
        keeper.keep({ text: 'a summary', tail: [] })
        await keeper.write()
        if (messages.length > 0) expect(stored.at(-1)).toBe(hashOf(told))
      }
    }),
  )
})

it('knows no summary of a transcript that an edit has cut to what the summary stands for', async () => {
  const list = ['one', 'two', 'three'].map((content): Message => ({ role: 'user', content }))
  const messages = new KnownMessages()
  const say = (message: Message) => messages.push({ hash: messageHash(message), turn: 1, role: 'user' })
  const keeper = createSummaryKeeper({ current: { messages }, commit: async () => {} } as never, {} as never)
  for (const message of list) say(message)
  keeper.keep({ text: 'one and two', tail: list.slice(2) })
  await keeper.write()
  expect(keeper.known(list)).toEqual({ messages: 2, text: 'one and two' })
  messages.cut(2)
  expect(keeper.known(list.slice(0, 2))).toBeUndefined()
})

it('knows the messages of a long transcript, also where some were taken back', () => {
  const said = (index: number) => ({
    hash: hashText(`message ${index}`),
    turn: index >> 2,
    role: 'tool' as const,
  })
  const messages = new KnownMessages()
  for (let index = 0; index < 3_000; index++) messages.push(said(index))
  messages.cut(2_000)
  for (let index = 2_000; index < 5_000; index++) messages.push(said(index))
  expect(messages.slice(0, messages.length)).toEqual(Array.from({ length: 5_000 }, (_, index) => said(index)))
  expect([messages.at(5_000), messages.hashAt(-1), messages.at(-1)]).toEqual([
    undefined,
    undefined,
    said(4_999),
  ])
})
