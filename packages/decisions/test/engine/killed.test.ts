import { createContextSession, roughTokenCounter } from '@palimpsest/core'
import { afterAll, describe, expect, it } from 'vitest'
import { useScript } from '../../../sqlite-kit/test/use-script.ts'
import decisions, {
  createMemoryDecisionStore,
  type DecisionStore,
  type DecisionsOptions,
  verifyDecisions,
} from '../../src/index.ts'
import { createSqliteDecisionStore } from '../../src/sqlite.ts'
import { useFolders } from '../sqlite/store-folder.ts'
import { hiddenSlots, historyOf, readingModel } from './killed-talk.ts'
import { decisionsOf, jobsOf, outline, settle } from './views.ts'

const runChild = useScript(new URL('./killed-child.ts', import.meta.url))
/** Files, and the kills of each. The same file goes on after a kill. */
const FILES = 4
const KILLS = 6
const BATCH_TURNS = 4

const HOUR = 3_600_000

/** A session over a store, an hour after everybody else: nobody's work is still theirs. */
function sessionOver(store: DecisionStore, hasModel: boolean) {
  return createContextSession<DecisionsOptions>({
    engine: decisions,
    options: { store },
    contextLength: 1_000_000,
    tokens: roughTokenCounter,
    clock: { now: () => Date.now() + HOUR },
    sessionId: 'talk',
    ...(hasModel && { model: readingModel() }),
  })
}

/** Tells all turns and one question, and lets a model read them. */
async function tell(store: DecisionStore, turns: number): Promise<void> {
  const session = sessionOver(store, true)
  await session.prepare([...historyOf(turns), { role: 'user', content: 'Go on.' }])
  for (let round = 0; round < 50 && (await jobsOf(store)).length > 0; round++) await settle(20)
  await session.end()
}

const isHidden = (line: string) => line.startsWith('heading')

describe(`a process that is killed while it talks, at ${FILES * KILLS} points`, () => {
  const { path: newPath } = useFolders()
  const totals = { kills: 0, turns: 0, events: 0, byModel: 0, withdrawals: 0 }
  afterAll(() => {
    console.log(`killed: ${JSON.stringify(totals)}`)
    expect(totals.kills).toBe(FILES * KILLS)
    expect(totals.turns).toBeGreaterThan(FILES * 4)
    expect(totals.byModel).toBeGreaterThan(0)
  })

  const killOften = async (file: number, over: string) => {
    const path = newPath()
    const reference = createMemoryDecisionStore()
    const undisturbed = sessionOver(reference, false)
    let turns = 0
    for (let kill = 0; kill < KILLS; kill++) {
      // Other statements each time, before and after them, from the opening of the file on.
      const point = 1 + ((kill * 37 + file * 11) % (over === 'lcm' ? 120 : 90))
      const ended = await runChild(path, over, turns, point, kill % 2 === 0 ? 'before' : 'after')
      expect({ signal: ended.signal, errors: ended.errors }).toEqual({ signal: 'SIGKILL', errors: '' })
      totals.kills++
      turns = Number(ended.output.trim().split('\n').at(-1) || turns)

      const store = createSqliteDecisionStore({ path })
      try {
        const session = await store.session({ key: 'talk' }, 1)
        expect((await verifyDecisions(store)).faults).toEqual([])
        const count = await session.count()
        if (count === 0) {
          expect(turns).toBe(0)
          continue
        }
        // A turn that was begun when the process died is there up to its question, or with its answer, or not at all.
        expect(count).toBeGreaterThanOrEqual(2 * turns + 1)
        expect(count).toBeLessThanOrEqual(2 * turns + 3)
        await undisturbed.prepare(historyOf(turns + 1).slice(0, count))
        const found = outline(await decisionsOf(store)).filter((line) => !isHidden(line))
        expect(found).toEqual(outline(await decisionsOf(reference)))
      } finally {
        await store.close()
      }
    }
    await undisturbed.end()

    // Told once more from the beginning, nothing is recorded twice; what a model has yet to read is read.
    const store = createSqliteDecisionStore({ path })
    try {
      await tell(store, turns)
      expect(await jobsOf(store)).toEqual([])
      const before = await store.events({ scopes: ['session:talk'] })
      await tell(store, turns)
      expect(await store.events({ scopes: ['session:talk'] })).toEqual(before)
      expect((await verifyDecisions(store)).faults).toEqual([])
      expect(new Set(before.map(({ event }) => event.id)).size).toBe(before.length)
      const found = outline(await decisionsOf(store)).filter(isHidden)
      const slots = found.map((line) => line.split(' ')[0])
      expect(slots).toEqual(expect.arrayContaining([...hiddenSlots(turns - (turns % BATCH_TURNS))]))
      expect(new Set(slots).size).toBe(slots.length)
      totals.turns += turns
      totals.events += before.length
      totals.byModel += found.length
      totals.withdrawals += before.filter(({ event }) => event.type === 'withdrawn').length
    } finally {
      await store.close()
    }
  }

  it('loses no decision of a turn that it acknowledged, and doubles none', async () => {
    await Promise.all(
      Array.from({ length: FILES }, (_, file) => killOften(file, file % 2 === 0 ? 'own' : 'lcm')),
    )
  })
})
