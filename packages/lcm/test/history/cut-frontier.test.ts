import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutFrontier, frontierAt } from '../../src/history/frontier-history.ts'
import type { LcmSession, SummaryNode } from '../../src/store/lcm-session.ts'
import {
  commit,
  compactTo,
  condense,
  condenseAll,
  edit,
  numbersOf,
  say,
  talk,
  texts,
} from '../../src/store-tests/harness.ts'
import { verifySession } from '../../src/verify/verify-session.ts'
import { memoryStore } from '../memory-store.ts'

const cut = async (session: LcmSession, seq: number) =>
  cutFrontier(session, (await session.frontier()).nodes, seq)

describe('cutFrontier', () => {
  it('leaves an unbroken run that every store takes, for every cut of any session', async () => {
    let cuts = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat({ max: 5 }), { maxLength: 14 }),
        fc.nat({ max: 40 }),
        async (steps, at) => {
          const session = await talk(memoryStore(), 'a', ...texts(40))
          for (const step of steps) await grow(session, step)
          const summaries = await cut(session, at)
          await edit(session, at, summaries, 'new')
          expect(await verifySession(session)).toEqual([])
          const kept = await session.summaries(summaries)
          expect(kept.every(({ last }) => last < at)).toBe(true)
          cuts++
        },
      ),
      { numRuns: 200 },
    )
    console.log(`${cuts} frontiers were cut`)
  })
})

/** A leaf over the next messages, or a summary over the last ones. */
async function grow(session: LcmSession, step: number): Promise<void> {
  const { nodes } = await session.frontier()
  const last = (nodes.at(-1)?.last ?? -1) + 1 + step
  if (step > 0 && last < 40) await compactTo(session, last)
  else if (nodes.length > 1) await condenseLast(session, nodes)
}

async function condenseLast(session: LcmSession, nodes: readonly SummaryNode[]): Promise<void> {
  const { nextSummary } = await session.head()
  const kept = nodes.slice(0, -2).map(({ number }) => number)
  await commit(session, [condense(nextSummary, nodes.slice(-2))], [...kept, nextSummary])
}

describe('frontierAt', () => {
  it('is the list of summaries that stood when a message was the last one', async () => {
    const session = await talk(memoryStore(), 'a', ...texts(4))
    await compactTo(session, 1)
    await say(session, 'm4', 'm5')
    await compactTo(session, 3)
    await say(session, 'm6')
    await condenseAll(session)
    const lists = await Promise.all([0, 1, 2, 3, 4, 5, 6, 99].map((seq) => frontierAt(session, seq)))
    expect(lists.map(numbersOf)).toEqual([[], [], [], [1], [1], [1, 2], [3], [3]])
    expect(lists.map(({ version }) => version)).toEqual([0, 0, 0, 1, 1, 2, 3, 3])
  })

  it('is the one before an edit for messages before it, and the one after it from its first message on', async () => {
    const session = await talk(memoryStore(), 'a', ...texts(6))
    await compactTo(session, 1)
    await compactTo(session, 4)
    await edit(session, 3, [1], 'm6', 'm7')
    const lists = await Promise.all([5, 6, 7].map((seq) => frontierAt(session, seq)))
    expect(lists.map(numbersOf)).toEqual([[1, 2], [1], [1]])
  })
})
