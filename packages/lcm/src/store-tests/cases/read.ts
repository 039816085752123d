import { deepEqual } from 'node:assert/strict'
import type { Message } from '@palimpsest/core'
import type { MessageQuery } from '../../store/lcm-session.ts'
import { hostileMessages } from '../harness/hostile-messages.ts'
import { AT, encode, say, talk, texts, userMessage } from '../harness/talk.ts'
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
    title:
      'says which messages are the ones of some numbers, to the last byte, and of no replaced one that it is',
    async run(harness) {
      const session = await talk(harness.create(), 'a', ...texts(6))
      await session.append({
        ...{ nextSeq: 6, messages: [], at: AT, version: 0 },
        replace: { from: 4, summaries: [] },
      })
      await say(session, 'instead')
      const said = [...texts(6), 'instead'].map(userMessage)
      deepEqual(await session.compare([0, 1, 2, 3, 4, 5, 6], said), [
        true,
        true,
        true,
        true,
        false,
        false,
        true,
      ])
      deepEqual(await session.compare([1, 3, 6], [said[1], said[2], said[6]] as Message[]), [
        true,
        false,
        true,
      ])
      const [first] = said as [Message]
      const others = [
        { ...first, name: 'a' },
        { content: 'text 0', role: 'user' },
        { ...first, role: 'assistant' },
      ]
      for (const other of others as Message[])
        deepEqual(await session.compare([0], [other]), [false], JSON.stringify(other))
      deepEqual(await session.compare([7, 99], [first, first]), [false, false])
      deepEqual(await session.compare([], []), [])
    },
  },
  {
    id: 'S22',
    title: 'recognises every message that it has, whatever it holds',
    async run(harness) {
      const session = await harness.create().session({ key: 'a' }, AT)
      const given = Object.values(hostileMessages())
      const messages = given.map(encode)
      await session.append({ nextSeq: 0, messages, at: AT })
      const seqs = given.map((_, index) => index)
      deepEqual(
        await session.compare(seqs, given),
        seqs.map(() => true),
      )
      const shifted = [...given.slice(1), ...given.slice(0, 1)]
      deepEqual(
        await session.compare(seqs, shifted),
        seqs.map((seq) => messages[seq]?.json === JSON.stringify(shifted[seq])),
      )
    },
  },
]
