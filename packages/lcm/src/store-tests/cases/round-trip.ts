import { deepEqual, equal } from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Message } from '@palimpsest/core'
import { hostileMessages } from '../harness/hostile-messages.ts'
import { AT, encode, talk } from '../harness/talk.ts'
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
      const message: Message = { role: 'user', content: 'hello', id: 'host-1' }
      await session.append({ nextSeq: 0, messages: [{ ...encode(message), tokens: 17 }], at: AT + 5 })
      const [stored] = await session.messages({ limit: 1 })
      const { json, hash, ...rest } = stored ?? { json: '', hash: '' }
      deepEqual(rest, { seq: 0, role: 'user', hostId: 'host-1', at: AT + 5, tokens: 17, replaced: false })
      equal(json, JSON.stringify(message))
    },
  },
]
