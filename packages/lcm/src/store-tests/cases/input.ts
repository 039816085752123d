import { deepEqual, equal } from 'node:assert/strict'
import { type InvalidOptionError, PalimpsestError } from '@palimpsest/core'
import { refusalOf } from '@palimpsest/sqlite-kit/store-suite'
import { refuses, stateOf } from '../harness/refuses.ts'
import { leaf, seal } from '../harness/summaries.ts'
import { AT, talk, texts, userMessages } from '../harness/talk.ts'
import type { StoreCase } from '../store-case.ts'

/** Values that no clock and no counter should give. */
const NO_NUMBERS: readonly unknown[] = [
  ...[Number.NaN, -1, Number.POSITIVE_INFINITY, 1e17],
  ...[2n, '5', null, undefined, {}],
]

export const inputCases: readonly StoreCase[] = [
  {
    id: 'S120',
    title: 'refuses times and counts of tokens that are none, names the field, and writes nothing',
    async run(harness) {
      const store = harness.create()
      const session = await talk(store, 'a', ...texts(3))
      const [message] = userMessages('new')
      const node = await leaf(session, 1, 0, 1)
      if (message === undefined) throw new Error('there is a message')
      const append = (input: object) =>
        session.append({ nextSeq: 3, messages: [message], at: AT, ...input } as never)
      const commit = (input: object) =>
        session.commit({ version: 0, create: [node], summaries: [1], reason: 'compaction', at: AT, ...input })
      const create = (member: object) => commit({ create: [seal({ ...node, ...member } as never)] })
      const calls: Record<string, (value: unknown) => readonly [string, () => Promise<unknown>]> = {
        'a new session': (at) => ['at', () => store.session({ key: 'new' }, at as number)],
        'an append': (at) => ['at', () => append({ at })],
        'a message': (at) => ['messages[1].at', () => append({ messages: [message, { ...message, at }] })],
        'the tokens of a message': (tokens) => [
          'messages[0].tokens',
          () => append({ messages: [{ ...message, tokens }] }),
        ],
        'a commit': (at) => ['at', () => commit({ at })],
        'a summary': (at) => ['create[0].at', () => create({ at })],
        'what a summary covers': (from) => ['create[0].from', () => create({ from })],
        'the tokens of a summary': (tokens) => ['create[0].tokens', () => create({ tokens })],
        'a deletion': (at) => [
          'at',
          () => session.forget({ first: 0, last: 0, at: at as number, reason: 'x' }),
        ],
        'a lease': (now) => ['now', () => session.acquireLease({ holder: 'me', now: now as number, ttl: 1 })],
      }
      const before = await stateOf(session)
      for (const [what, call] of Object.entries(calls))
        for (const value of NO_NUMBERS) {
          // No time of its own is none that is wrong.
          if (what === 'a message' && value === undefined) continue
          const [path, run] = call(value)
          await refusesInput(run, path, `${what} with ${String(value)}`)
        }
      deepEqual(await stateOf(session), before, 'the session after writes that were refused')
      equal((await store.list({ limit: 9 })).length, 1, 'sessions')
      await append({})
      await refuses(() => append({}), 'STORE_CONFLICT', 'the same append again')
    },
  },
]

async function refusesInput(call: () => Promise<unknown>, path: string, what: string): Promise<void> {
  const error = await refusalOf(call, what)
  equal(PalimpsestError.isInstance(error) ? error.code : error, 'INVALID_OPTION', `the error for ${what}`)
  equal((error as InvalidOptionError).path, path, `the field that the error for ${what} names`)
}
