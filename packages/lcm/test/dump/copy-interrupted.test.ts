import fc from 'fast-check'
import { expect, it } from 'vitest'
import { copyStore, createMemoryStore, exportStore, type LcmStore } from '../../src/index.ts'
import { collect } from '../../src/store-tests/harness/collect.ts'
import { AT } from '../../src/store-tests/harness/talk.ts'
import { verifyStore } from '../../src/verify/verify-store.ts'
import { useFolders } from '../sqlite/store-folder.ts'
import { operation, perform } from '../store/operations.ts'
import { fillStore } from './filled-store.ts'
import { Interruption, interrupted, type Steps } from './interrupted-store.ts'

const { path, open } = useFolders()
const linesOf = (store: LcmStore) => collect(exportStore(store))

/** Every session that is at the destination must be the whole one. Returns how many there are. */
async function expectWhole(from: LcmStore, to: LcmStore): Promise<number> {
  const sessions = await to.list({ limit: 100 })
  for (const ref of sessions) expect(await collect(to.dump(ref))).toEqual(await collect(from.dump(ref)))
  return sessions.length
}

/** A copy that ends at a step. Whether it did not come to its end before. */
async function interrupt(from: LcmStore, to: LcmStore, steps: Steps): Promise<boolean> {
  try {
    await copyStore(interrupted(from, steps), interrupted(to, steps))
    return false
  } catch (error) {
    if (!(error instanceof Interruption)) throw error
    return true
  }
}

it('loses nothing and doubles nothing, wherever it is interrupted, and goes on behind what is whole', async () => {
  const from = createMemoryStore()
  await fillStore(from)
  const lines = await linesOf(from)
  const { sha256, messages } = JSON.parse(lines.at(-1) ?? '')
  let [interruptions, found] = [0, 0]
  for (let last = 1; ; last++) {
    const to = createMemoryStore()
    if (!(await interrupt(from, to, { taken: 0, last }))) break
    interruptions++
    const whole = await expectWhole(from, to)
    found += whole
    const resumed = await copyStore(from, to)
    expect(resumed).toMatchObject({ copied: 4 - whole, upToDate: whole, messages, sha256, differences: [] })
    expect(await linesOf(to)).toEqual(lines)
  }
  console.log(`${interruptions} interruptions in memory, ${found} sessions were whole and none in part`)
  expect(interruptions).toBeGreaterThan(4 * messages)
})

it('goes on in the same file until everything is there, however often it is interrupted', async () => {
  const from = open(path())
  await fillStore(from)
  const to = open(path())
  let interruptions = 0
  for (let last = 1; await interrupt(from, to, { taken: 0, last }); last += 12) {
    interruptions++
    await expectWhole(from, to)
  }
  expect(await linesOf(to)).toEqual(await linesOf(from))
  expect(await verifyStore(to)).toEqual([])
  console.log(`${interruptions} interruptions in one file`)
  expect(interruptions).toBeGreaterThan(10)
})

it('ends between two records with the reason of a signal, and another run goes on', async () => {
  const from = createMemoryStore()
  await fillStore(from)
  const lines = await linesOf(from)
  const { messages } = JSON.parse(lines.at(-1) ?? '')
  for (let at = 0; at < messages; at += 7) {
    const to = createMemoryStore()
    const abort = new AbortController()
    const reason = new Error(`stopped behind ${at} messages`)
    if (at === 0) abort.abort(reason)
    const { signal } = abort
    const seen: number[] = []
    const onProgress = (progress: { readonly messages: number }) => {
      seen.push(progress.messages)
      if (progress.messages === at) abort.abort(reason)
    }
    await expect(copyStore(from, to, { signal, onProgress })).rejects.toBe(reason)
    expect(seen.at(-1) ?? 0).toBe(at)
    await expectWhole(from, to)
    await copyStore(from, to)
    expect(await linesOf(to)).toEqual(lines)
  }
})

it('gives the same bytes whatever the stores hold, in parts, through SQLite, and while they grow', async () => {
  const counts = { operations: 0, sessions: 0, messages: 0, interruptions: 0, forgotten: 0 }
  const runs = fc.asyncProperty(
    fc.array(operation, { minLength: 10, maxLength: 40, size: 'max' }),
    fc.array(operation, { maxLength: 20 }),
    fc.nat({ max: 150 }),
    async (first, then, last) => {
      const [from, early, back] = [createMemoryStore(), createMemoryStore(), createMemoryStore()]
      const sqlite = open(path())
      await from.session({ key: 'first' }, AT)
      for (const each of first) await perform(from, each)
      if (await interrupt(from, early, { taken: 0, last })) counts.interruptions++
      for (const each of then) await perform(from, each)
      const lines = await linesOf(from)
      const { sha256, sessions, messages } = JSON.parse(lines.at(-1) ?? '')
      for (const [source, target] of [
        [from, sqlite],
        [sqlite, back],
      ] as const) {
        const result = await copyStore(source, target)
        expect(result).toMatchObject({ copied: sessions, messages, sha256, differences: [] })
        expect(await linesOf(target)).toEqual(lines)
      }
      // What was forgotten behind the first copy is still in it, which is the only difference that there may be.
      const { differences } = await copyStore(from, early)
      expect(differences.filter(({ code }) => code !== 'forgotten')).toEqual([])
      if (differences.length === 0) expect(await linesOf(early)).toEqual(lines)
      else expect(then.map(({ kind }) => kind)).toContain('forget')
      counts.operations += first.length + then.length
      counts.sessions += sessions
      counts.messages += messages
      counts.forgotten += differences.length
    },
  )
  await fc.assert(runs, { numRuns: 12 })
  const { operations, sessions, messages, interruptions, forgotten } = counts
  console.log(
    `${operations} operations made ${sessions} sessions with ${messages} messages, copied three times`,
  )
  console.log(`${interruptions} copies were interrupted, ${forgotten} sessions kept what was forgotten later`)
  expect(interruptions).toBeGreaterThan(3)
})
