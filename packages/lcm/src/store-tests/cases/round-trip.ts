import { deepEqual, equal } from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Message } from '@palimpsest/core'
import { hostileMessages } from '../harness/hostile-messages.ts'
import { AT, encode, talk, userMessages } from '../harness/talk.ts'
import type { StoreCase } from '../store-case.ts'

/** Byte for byte. */
export const roundTripCases: readonly StoreCase[] = [
  {
    id: 'S10',
    title: 'gives every message back byte for byte, whatever it holds',
    async run(harness) {
      const session = await talk(harness.create(), 'a')
      const messages = Object.entries(hostileMessages())
      for (const [name, message] of messages) {
        const { nextSeq } = await session.head()
        await session.append({ nextSeq, messages: [encode(message)], at: AT })
        const [stored] = await session.messages({ first: nextSeq, last: nextSeq, limit: 1 })
        equal(stored?.json, JSON.stringify(message), name)
        equal(stored?.role, message.role, `role: ${name}`)
        equal(
          stored?.hash,
          createHash('sha256').update(JSON.stringify(message)).digest('hex'),
          `hash: ${name}`,
        )
      }
      const all = await session.messages({ limit: messages.length })
      deepEqual(
        all.map(({ json }) => json),
        messages.map(([, message]) => JSON.stringify(message)),
        'all of them, read at once',
      )
    },
  },
  {
    id: 'S11',
    title: 'keeps the id that the host gave a message, its tokens and its time',
    async run(harness) {
      const session = await talk(harness.create(), 'a')
      const tokens = 2 ** 40 + 0.5
      for (const [seq, id] of ['host-1', '', 'id\0\ud83d', '😀'].entries()) {
        const message: Message = { role: 'user', content: 'hello', id }
        await session.append({ nextSeq: seq, messages: [{ ...encode(message), tokens }], at: AT + 5.5 })
        const [stored] = await session.messages({ first: seq, limit: 1 })
        const { json, hash, ...rest } = stored ?? { json: '', hash: '' }
        deepEqual(rest, { seq, role: 'user', hostId: id, at: AT + 5.5, tokens, replaced: false })
        equal(json, JSON.stringify(message))
      }
    },
  },
  {
    id: 'S12',
    title: 'takes the time of a message that has one of its own, and of the call for the others',
    async run(harness) {
      const store = harness.create()
      const session = await talk(store, 'a')
      const [old, plain, late] = userMessages('old', 'plain', 'late')
      if (old === undefined || plain === undefined || late === undefined) throw new Error('there are three')
      const messages = [{ ...old, at: 5 }, plain, { ...late, at: AT - 7 }]
      await session.append({ nextSeq: 0, messages, at: AT + 5 })
      const stored = await session.messages({ limit: 9 })
      const times = [5, AT + 5, AT - 7]
      deepEqual(
        stored.map(({ at }) => at),
        times,
      )
      const found = await session.candidates({ where: [], order: 'oldest', limit: 9 })
      deepEqual(
        found.map(({ at }) => at),
        times,
      )
      const [info] = await store.list({ limit: 1 })
      equal(info?.lastAt, AT - 7)
    },
  },
]
