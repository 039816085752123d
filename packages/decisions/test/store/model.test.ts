import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PalimpsestError } from '@palimpsest/core'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createMemoryDecisionStore } from '../../src/memory/create-memory-store.ts'
import { createSqliteDecisionStore } from '../../src/sqlite.ts'
import type { DecisionBatch, DecisionStore } from '../../src/store/decision-store.ts'
import { storeState } from '../../src/store-tests/harness/refuses.ts'
import { asserted, job, message, messages, touch, withdrawn } from '../../src/store-tests/harness/talk.ts'

const small = fc.nat({ max: 6 })
const text = fc.oneof(
  fc.constantFrom('', 'a', '\0', '\ud83d', '漢字'),
  fc.string({ unit: 'binary', maxLength: 5 }),
)
const ref = fc.record({ principal: fc.constantFrom('me', 'you'), key: fc.constantFrom('a', 'b') })
const scope = fc.constantFrom('project:p', 'project:q', 'session:a')

const batch = fc.record(
  {
    replaceFrom: small,
    sources: fc
      .tuple(small, fc.array(text, { maxLength: 3 }))
      .map(([from, texts]) => messages(from, ...texts)),
    events: fc.array(
      fc.oneof(
        fc
          .tuple(small, text, scope)
          .map(([index, quote, in_]) => asserted('a', message(index, quote), { scope: in_ })),
        fc.tuple(small, small).map(([from, edition]) => withdrawn('a', from, edition)),
      ),
      { maxLength: 4 },
    ),
    artifacts: fc.array(
      fc.tuple(small, small).map(([index, call]) => touch(index, call)),
      { maxLength: 2 },
    ),
    jobs: fc.array(
      fc.tuple(small, small).map(([from, to]) => job('a', from, to)),
      { maxLength: 2 },
    ),
    finished: fc.array(
      fc.tuple(small, small).map(([from, to]) => job('a', from, to).id),
      { maxLength: 2 },
    ),
    summary: fc.option(fc.record({ messages: small, prefixHash: fc.constant('x'), text })),
  },
  { requiredKeys: [] },
)

/** What is done: to which session, and whether the number of the first message is made to fit. */
const operation = fc.record({
  ref,
  batch,
  fits: fc.integer({ min: 0, max: 4 }).map((number) => number > 0),
  take: fc.option(
    fc.record({ from: small, to: small, holder: fc.constantFrom('h', 'k'), at: small, for: small }),
  ),
  at: fc.nat({ max: 50 }),
})

type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never

/** The batch without what cannot follow on so many messages. */
function fitted({ sources = [], ...rest }: Operation['batch'], count: number): DecisionBatch {
  const { replaceFrom, artifacts = [], jobs = [], summary, ...batch } = rest
  const from = Math.min(replaceFrom ?? count, count)
  const after = from + sources.length
  return {
    ...batch,
    ...(replaceFrom !== undefined && { replaceFrom: from }),
    sources: messages(from, ...sources.map((source) => source.text)),
    artifacts: artifacts.filter((each) => each.message < after),
    jobs: jobs.filter((each) => each.from < each.to && each.to <= after),
    ...(summary !== undefined && {
      summary: summary && { ...summary, messages: Math.min(summary.messages, after) },
    }),
  }
}

/** What a call gave, or the code of its refusal. */
async function perform(store: DecisionStore, { ref, batch, fits, take, at }: Operation): Promise<unknown> {
  const session = await store.session(ref, at)
  const count = await session.count()
  const given = fits ? fitted(batch, count) : (batch as DecisionBatch)
  try {
    await session.commit(given, at)
    if (take === null) return 'written'
    const { holder } = take
    return await session.takeJob(job('a', take.from, take.to).id, {
      holder,
      at: take.at,
      until: take.at + take.for,
    })
  } catch (error) {
    if (!PalimpsestError.isInstance(error)) throw error
    return { refused: error.code }
  }
}

it('answers as the memory does, whatever is done to it, and after being opened again', async () => {
  let [performed, refused] = [0, 0]
  const runs = fc.asyncProperty(
    fc.array(operation, { minLength: 10, maxLength: 40, size: 'max' }),
    async (operations) => {
      const folder = mkdtempSync(join(tmpdir(), 'palimpsest-decisions-model-'))
      const path = join(folder, 'decisions.db')
      let sqlite = createSqliteDecisionStore({ path })
      try {
        const memory = createMemoryDecisionStore()
        for (const [index, each] of operations.entries()) {
          const expected = await perform(memory, each)
          expect(await perform(sqlite, each)).toEqual(expected)
          performed++
          if (typeof expected === 'object') refused++
          if (index % 15 !== 14) continue
          await sqlite.close()
          sqlite = createSqliteDecisionStore({ path })
        }
        expect(await storeState(sqlite)).toEqual(await storeState(memory))
      } finally {
        await sqlite.close()
        rmSync(folder, { recursive: true })
      }
    },
  )
  await fc.assert(runs, { numRuns: 40 })
  console.log(`${performed} operations gave the same answer in both stores, ${refused} of them a refusal`)
})
