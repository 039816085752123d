import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { refuses, stateOf } from '../harness/refuses.ts'
import { leaf, numbersOf } from '../harness/summaries.ts'
import { AT, talk, texts, userMessages } from '../harness/talk.ts'
import type { StoreCase } from '../store-case.ts'

export const leaseCases: readonly StoreCase[] = [
  {
    id: 'S80',
    title: 'gives the lease of a session to one holder at a time, who can prolong it',
    async run(harness) {
      const store = harness.create()
      const session = await talk(store, 'a')
      const mine = await session.acquireLease({ holder: 'me', now: 1_000, ttl: 100 })
      ok(mine !== null, 'the first lease')
      equal(mine.holder, 'me')
      equal(await session.acquireLease({ holder: 'you', now: 1_099, ttl: 100 }), null)
      deepEqual(await session.acquireLease({ holder: 'me', now: 1_050, ttl: 100 }), mine)
      equal(
        await session.acquireLease({ holder: 'you', now: 1_149, ttl: 100 }),
        null,
        'while it is prolonged',
      )
      const other = await talk(store, 'b')
      const holders = texts(9, 'holder')
      const all = await Promise.all(
        holders.map((holder) => other.acquireLease({ holder, now: 1_000, ttl: 50 })),
      )
      equal(all.filter((lease) => lease !== null).length, 1, 'leases of many who ask at the same time')
      notEqual(await other.acquireLease({ holder: 'you', now: 1_050, ttl: 100 }), null, 'of another session')
    },
  },
  {
    id: 'S81',
    title: 'gives a lease that ran out or was given back to the next one, with a greater token',
    async run(harness) {
      const session = await talk(harness.create(), 'a')
      const tokens: number[] = []
      for (const [holder, now] of [
        ['me', 1_000],
        ['you', 1_100],
        ['me', 1_200],
      ] as const) {
        const lease = await session.acquireLease({ holder, now, ttl: 100 })
        ok(lease !== null, `the lease at ${now}`)
        tokens.push(lease.token)
      }
      const held = { holder: 'me', token: tokens[2] ?? 0 }
      for (const lost of [
        { holder: 'you', token: tokens[1] ?? 0 },
        { holder: 'me', token: tokens[0] ?? 0 },
        { holder: 'you', token: tokens[2] ?? 0 },
      ])
        await session.releaseLease(lost)
      equal(
        await session.acquireLease({ holder: 'you', now: 1_201, ttl: 100 }),
        null,
        'after a release by who lost it',
      )
      await session.releaseLease(held)
      const next = await session.acquireLease({ holder: 'you', now: 1_202, ttl: 100 })
      tokens.push(next?.token ?? 0)
      deepEqual(
        tokens,
        [...new Set(tokens)].sort((left, right) => left - right),
        'tokens that grow',
      )
      await session.releaseLease(held)
    },
  },
  {
    id: 'S82',
    title: 'refuses the commit of a writer whose lease another one has taken over, and writes nothing of it',
    async run(harness) {
      const session = await talk(harness.create(), 'a', ...texts(4))
      const late = await session.acquireLease({ holder: 'late', now: 1_000, ttl: 10 })
      const next = await session.acquireLease({ holder: 'next', now: 1_010, ttl: 10 })
      if (late === null || next === null) throw new Error('both leases were free')
      const input = {
        version: 0,
        create: [await leaf(session, 1, 0, 1)],
        summaries: [1],
        reason: 'compaction',
        at: AT,
      } as const
      const before = await stateOf(session)
      await refuses(
        () => session.commit({ ...input, lease: late }),
        'STORE_CONFLICT',
        'a commit under a lost lease',
      )
      deepEqual(await stateOf(session), before)
      deepEqual(numbersOf(await session.commit({ ...input, lease: next })), [1])
    },
  },
  {
    id: 'S83',
    title: 'lets a holder commit under a lease that ran out and was not taken',
    async run(harness) {
      const session = await talk(harness.create(), 'a', ...texts(4))
      const lease = await session.acquireLease({ holder: 'me', now: 1_000, ttl: 10 })
      if (lease === null) throw new Error('the lease was free')
      const create = [await leaf(session, 1, 0, 1)]
      const input = { version: 0, create, summaries: [1], reason: 'compaction', at: 2_000, lease } as const
      deepEqual(numbersOf(await session.commit(input)), [1])
    },
  },
  {
    id: 'S84',
    title: 'loses nothing of an append, a commit and a lease at the same time',
    async run(harness) {
      const session = await talk(harness.create(), 'a', ...texts(4))
      const append = async () => {
        const { nextSeq } = await session.head()
        return () => session.append({ nextSeq, messages: userMessages('meanwhile'), at: AT })
      }
      for (const turn of [1, 2]) {
        const create = [await leaf(session, turn, turn * 2 - 2, turn * 2 - 1)]
        const input = { version: turn - 1, create, summaries: [1, 2].slice(0, turn), at: AT } as const
        const writes: (() => Promise<unknown>)[] = [
          await append(),
          () => session.commit({ ...input, reason: 'compaction' }),
          () => session.acquireLease({ holder: 'me', now: AT, ttl: 1_000 }),
        ]
        await Promise.all((turn === 1 ? writes : writes.toReversed()).map((write) => write()))
        const { nextSeq, nextSummary, version } = await session.head()
        deepEqual([nextSeq, nextSummary, version], [4 + turn, 1 + turn, turn], `the head after turn ${turn}`)
        const request = { holder: 'you', now: AT, ttl: 1_000 }
        equal(await session.acquireLease(request), null, `the lease after turn ${turn}`)
      }
      const late = await append()
      await Promise.all([session.releaseLease({ holder: 'me', token: 1 }), late()])
      equal((await session.head()).nextSeq, 7)
    },
  },
]
