import { deepEqual } from 'node:assert/strict'
import type { MessageQuery } from '../../store/lcm-session.ts'
import { AT, say, talk, texts } from '../harness/talk.ts'
import type { StoreCase } from '../store-case.ts'

export const readCases: readonly StoreCase[] = [
  {
    id: 'S20',
    title: 'reads the run that was asked for, from either end, and no more than the limit',
    async run(harness) {
      const session = await talk(harness.create(), 'a', ...texts(10))
      const expected: readonly [MessageQuery, number[]][] = [
        [{ limit: 100 }, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
        [{ limit: 3 }, [0, 1, 2]],
        [{ limit: 0 }, []],
        [{ limit: 3, order: 'newest' }, [9, 8, 7]],
        [{ first: 4, limit: 3 }, [4, 5, 6]],
        [{ last: 4, limit: 3, order: 'newest' }, [4, 3, 2]],
        [{ first: 3, last: 5, limit: 100 }, [3, 4, 5]],
        [{ first: 3, last: 5, limit: 2, order: 'newest' }, [5, 4]],
        [{ first: 5, last: 5, limit: 9 }, [5]],
        [{ first: 6, last: 5, limit: 9 }, []],
        [{ first: -5, last: 1, limit: 9 }, [0, 1]],
        [{ first: 9, last: 1_000_000_000, limit: 9 }, [9]],
        [{ first: 10, limit: 9 }, []],
      ]
      for (const [query, numbers] of expected) {
        const found = await session.messages(query)
        deepEqual(
          found.map(({ seq }) => seq),
          numbers,
          JSON.stringify(query),
        )
      }
    },
  },
  {
    id: 'S21',
    title: 'gives numbers and hashes alone, oldest first and without replaced messages',
    async run(harness) {
      const session = await talk(harness.create(), 'a', ...texts(6))
      await session.append({
        ...{ nextSeq: 6, messages: [], at: AT, version: 0 },
        replace: { from: 4, summaries: [] },
      })
      await say(session, 'instead')
      const messages = await session.messages({ limit: 100 })
      const all = messages.map(({ seq, hash }) => ({ seq, hash }))
      deepEqual(await session.hashes({ first: 0, last: 100, limit: 100 }), all)
      deepEqual(
        all.map(({ seq }) => seq),
        [0, 1, 2, 3, 6],
      )
      deepEqual(await session.hashes({ first: 2, last: 6, limit: 2 }), all.slice(2, 4))
      deepEqual(await session.hashes({ first: 3, last: 6, limit: 10 }), all.slice(3))
      deepEqual(await session.hashes({ first: 4, last: 5, limit: 10 }), [])
    },
  },
]
