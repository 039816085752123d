import type { Store } from '@palimpsest/core'
import { expect } from 'vitest'
import { saidBehind, type Worker } from '../support/start-worker.ts'
import { contentsOf, expectSound } from '../support/transcript.ts'

/** What came of the work of some writers, in numbers. */
interface Result extends Record<string, number> {
  readonly messages: number
  readonly compactions: number
  /** Messages that are stored, of which no writer could say so any more. */
  readonly unheard: number
}

/**
 * Holds a store against what its writers, which have ended, have said: each message that they knew to be stored is
 * there, once and in its place, and none that they did not tell. `killed`: how many could not end by themselves.
 */
export async function checkWriters(
  store: Store,
  writers: readonly Worker[],
  killed: number,
): Promise<Result> {
  await expectSound(store)
  let [messages, unheard] = [0, 0]
  for (const { key } of await store.list({ limit: 100 })) {
    const session = await store.find({ key })
    const written = session === null ? [] : await contentsOf(session)
    const there = new Set(written)
    expect(there.size).toBe(written.length)
    const stored = writers.flatMap((writer) => saidBehind(writer, 'stored', key))
    expect(stored.filter((content) => !there.has(content))).toEqual([])
    const tried = new Set(writers.flatMap((writer) => saidBehind(writer, 'trying', key)))
    expect(written.filter((content) => !tried.has(content))).toEqual([])
    expectInOrder(written)
    messages += written.length
    unheard += written.length - stored.length
  }
  // One that is killed may have stored one message more than it could say.
  expect(unheard).toBeLessThanOrEqual(killed)
  return { messages, compactions: await expectCompactedOnce(store, writers), unheard, ...sumUp(writers) }
}

/** Of each writer, its messages are in the order in which it has told them. */
function expectInOrder(written: readonly string[]): void {
  const last = new Map<string, number>()
  for (const content of written) {
    const [name = '', turn = ''] = content.split(' ')
    expect(Number(turn)).toBeGreaterThan(last.get(name) ?? -1)
    last.set(name, Number(turn))
  }
}

/** No two writers have made the same version of the common frontier. Returns how many there are. */
async function expectCompactedOnce(store: Store, writers: readonly Worker[]): Promise<number> {
  const session = await store.find({ key: 'common' })
  if (session === null) throw new Error('the session is there')
  const { version, summaries } = await session.frontier()
  expect(summaries).toHaveLength(version)
  const made = writers.flatMap((writer) => saidBehind(writer, 'compacted')).map(Number)
  expect(new Set(made).size).toBe(made.length)
  expect(Math.max(0, ...made)).toBeLessThanOrEqual(version)
  return version
}

/** What writers have counted themselves: lost races, troubles, and messages found stored behind a trouble. */
function sumUp(writers: readonly Worker[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const counts of writers.flatMap((writer) => saidBehind(writer, 'counts')))
    for (const [name, count] of Object.entries<number>(JSON.parse(counts)))
      sums[name] = (sums[name] ?? 0) + count
  return sums
}
