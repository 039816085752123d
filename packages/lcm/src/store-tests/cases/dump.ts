import { deepEqual, equal, rejects } from 'node:assert/strict'
import type { Message } from '@palimpsest/core'
import type { DumpRecord } from '../../store/dump-record.ts'
import type { LcmStore } from '../../store/lcm-store.ts'
import { collect, eachOf } from '../harness/collect.ts'
import { edit } from '../harness/edit.ts'
import { hostileMessages } from '../harness/hostile-messages.ts'
import { refuses, stateOf } from '../harness/refuses.ts'
import { compactTo, condenseAll } from '../harness/summaries.ts'
import { AT, contents, encode, say, talk, texts } from '../harness/talk.ts'
import type { StoreCase } from '../store-case.ts'

/** Sessions as records, and back. */
export const dumpCases: readonly StoreCase[] = [
  {
    id: 'S110',
    title: 'restores from its records everything that it had dumped',
    async run(harness) {
      const store = harness.create()
      const hostile = Object.values(hostileMessages())
      const records = await fill(store, hostile)
      const other = harness.create()
      deepEqual(await other.restore(eachOf(records)), { sessions: 2, messages: 10 + hostile.length })
      deepEqual(await dumpAll(other), records)
      for (const key of ['parent', 'child']) {
        const [original, copy] = [await store.find({ key }), await other.find({ key })]
        if (original === null || copy === null) throw new Error(`${key} is in both stores`)
        deepEqual(await stateOf(copy), await stateOf(original), key)
        const query = { where: [], order: 'oldest', limit: 1_000, includeReplaced: true } as const
        deepEqual(
          await copy.candidates(query),
          await original.candidates(query),
          `what a search reads of ${key}`,
        )
      }
      deepEqual(await other.list({ limit: 9 }), await store.list({ limit: 9 }))
      await other.check().then((faults) => deepEqual(faults, []))
    },
  },
  {
    id: 'S111',
    title: 'dumps the session first, then messages, summaries and versions by number',
    async run(harness) {
      const store = harness.create()
      const session = await talk(store, 'a', ...texts(3))
      await compactTo(session, 1)
      const records = await collect(store.dump({ principal: 'local', key: 'a' }))
      deepEqual(
        records.map(({ type }) => type),
        ['session', 'message', 'message', 'message', 'summary', 'frontier', 'frontier'],
      )
      const [head, first] = records
      deepEqual(head, {
        ...{ type: 'session', principal: 'local', key: 'a', createdAt: AT },
        ...{ nextSeq: 3, nextSummary: 2, version: 1, replaced: [] },
      })
      const [stored] = await session.messages({ limit: 1 })
      const { replaced: _, ...message } = stored ?? { replaced: false }
      deepEqual(first, { type: 'message', ...message })
      deepEqual(records.at(-1), {
        type: 'frontier',
        version: 1,
        reason: 'compaction',
        nextSeq: 3,
        at: AT,
        summaries: [1],
      })
    },
  },
  {
    id: 'S112',
    title: 'changes nothing when the same records are restored again, and goes on when they go on',
    async run(harness) {
      const [store, other] = [harness.create(), harness.create()]
      const session = await talk(store, 'a', ...texts(4))
      const early = await dumpAll(store)
      await other.restore(eachOf(early))
      deepEqual(await other.restore(eachOf(early)), { sessions: 0, messages: 0 })
      await compactTo(session, 1)
      await edit(session, 3, [1], 'new', 'newer')
      const late = await dumpAll(store)
      deepEqual(await other.restore(eachOf(late)), { sessions: 1, messages: 2 })
      deepEqual(await dumpAll(other), late)
      deepEqual(await other.restore(eachOf(early)), { sessions: 0, messages: 0 })
      deepEqual(await dumpAll(other), late, 'after records that are behind')
      const copy = await other.find({ key: 'a' })
      if (copy === null) throw new Error('the session was restored')
      await say(copy, 'goes on')
    },
  },
  {
    id: 'S113',
    title: 'refuses to restore a session over one that went another way, and writes nothing of it',
    async run(harness) {
      const [store, other] = [harness.create(), harness.create()]
      for (const each of [store, other]) {
        await talk(each, 'b', 'same', 'same', 'same')
        await say(await talk(each, 'a', 'same'), each === store ? 'left' : 'right')
      }
      await compactTo(await talk(store, 'c', 'not there before'), 0)
      const longer = await store.session({ key: 'b' }, AT)
      await compactTo(longer, 1)
      await edit(longer, 2, [1], 'goes on')
      const before = await dumpAll(other)
      const records = await dumpAll(store)
      await refuses(
        () => other.restore(eachOf(records)),
        'STORE_CONFLICT',
        'a session with another second message',
      )
      deepEqual(await dumpAll(other), before)
      const cut = records.findIndex((record) => record.type === 'session' && record.key === 'a')
      async function* broken() {
        yield* records.slice(0, cut + 2)
        throw new Error('the file cannot be read')
      }
      await rejects(() => other.restore(broken()), { message: 'the file cannot be read' })
      deepEqual(await dumpAll(other), before, 'after records that could not be read to their end')
      const shorter = await other.session({ key: 'b' }, AT)
      await say(shorter, 'goes another way')
      await compactTo(shorter, 0, 'of another way')
      deepEqual(await contents(shorter), ['same', 'same', 'same', 'goes another way'])
      deepEqual(
        (await shorter.frontier()).nodes.map(({ last, text }) => [last, text]),
        [[0, 'of another way']],
      )
      equal((await shorter.versions({ limit: 9 })).length, 2, 'versions of the session that did not go on')
    },
  },
  {
    id: 'S114',
    title: 'refuses records that are incomplete, out of order or damaged, and writes nothing of them',
    async run(harness) {
      const store = harness.create()
      const records = await fill(store)
      const damaged: Record<string, readonly DumpRecord[]> = {
        'records without their session': records.slice(1),
        'records that end in the middle': records.slice(0, 5),
        'a session without its versions': records.filter(({ type }) => type !== 'frontier'),
        'a session without its newest version': records.toSpliced(forkIndex(records) - 1, 1),
        'a time that is none': records.map((record) =>
          record.type === 'frontier' ? { ...record, at: 1e17 } : record,
        ),
        'a message that is missing': records.filter((_, index) => index !== 2),
        'a fork before its parent': [
          ...records.slice(forkIndex(records)),
          ...records.slice(0, forkIndex(records)),
        ],
        'messages in another order': swapped(records, 1, 2),
        'a message that its hash does not fit': records.map((record, index) =>
          index === 1 && record.type === 'message'
            ? { ...record, json: '{"role":"user","content":"edited"}' }
            : record,
        ),
      }
      for (const [what, list] of Object.entries(damaged)) {
        const other = harness.create()
        await refuses(() => other.restore(eachOf(list)), 'INVALID_DUMP', what)
        deepEqual(await other.list({ limit: 9 }), [], `what was written of ${what}`)
        await other.close()
      }
    },
  },
  {
    id: 'S115',
    title: 'does not bring back by a restore what was forgotten',
    async run(harness) {
      const store = harness.create()
      const session = await talk(store, 'a', 'one', 'secret')
      const records = await dumpAll(store)
      await session.forget({ first: 1, last: 1, at: AT, reason: 'asked' })
      await store.restore(eachOf(records))
      const [message] = await session.messages({ first: 1, limit: 1 })
      equal(message?.json, '')
    },
  },
  {
    id: 'S116',
    title:
      'refuses to restore a session that has more of one thing and less of another than the one that is there',
    async run(harness) {
      const [store, other] = [harness.create(), harness.create()]
      const [left, right] = [await talk(store, 'a', ...texts(4)), await talk(other, 'a', ...texts(4))]
      await compactTo(left, 1)
      await say(right, 'more')
      const before = [await dumpAll(store), await dumpAll(other)] as const
      await refuses(
        () => other.restore(eachOf(before[0])),
        'STORE_CONFLICT',
        'a summary more and a message less',
      )
      await refuses(
        () => store.restore(eachOf(before[1])),
        'STORE_CONFLICT',
        'a message more and a summary less',
      )
      deepEqual([await dumpAll(store), await dumpAll(other)], before)
    },
  },
]

/** A store with everything in it that a store can hold, and some messages. Its records. */
async function fill(store: LcmStore, messages: readonly Message[] = []): Promise<DumpRecord[]> {
  const parent = await talk(store, 'parent', ...texts(6))
  await compactTo(parent, 1)
  await compactTo(parent, 3)
  await condenseAll(parent)
  await edit(parent, 5, [3], 'new 5', 'new 6')
  await parent.forget({ first: 2, last: 2, at: AT + 1, reason: 'asked' })
  const child = await parent.fork({ key: 'child', seq: 4, summaries: [3], at: AT })
  await say(child, 'child 4', 'child 5')
  await compactTo(child, 5)
  await child.append({ nextSeq: 6, messages: messages.map(encode), at: AT })
  const dumps = await Promise.all(
    ['parent', 'child'].map((key) => collect(store.dump({ principal: 'local', key }))),
  )
  return dumps.flat()
}

async function dumpAll(store: LcmStore): Promise<DumpRecord[]> {
  const keys = (await store.list({ limit: 100 })).sort((left, right) => (left.key < right.key ? 1 : -1))
  const dumps = await Promise.all(keys.map((ref) => collect(store.dump(ref))))
  return dumps.flat()
}

function forkIndex(records: readonly DumpRecord[]): number {
  return records.findIndex((record) => record.type === 'session' && record.parent !== undefined)
}

function swapped(records: readonly DumpRecord[], left: number, right: number): DumpRecord[] {
  const [a, b] = [records[left], records[right]]
  if (a === undefined || b === undefined) throw new Error('there are two records')
  return records.with(left, b).with(right, a)
}
