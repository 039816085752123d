import { createScriptedModel } from '@palimpsest/contract-tests'
import { describe, expect, it } from 'vitest'
import { createMemoryDecisionStore, type DecisionStore, verifyDecisions } from '../../src/index.ts'
import { createSqliteDecisionStore } from '../../src/sqlite.ts'
import { useFolders } from '../sqlite/store-folder.ts'
import { blockOf, talkWith } from './harness.ts'
import { decisionsOf, jobsOf, settle } from './views.ts'
import { wrapStore } from './wrap-store.ts'

const TURNS = [
  ['Where are uploads handled?', 'Uploads are retried by retryUpload in src/up.ts.'],
  ['And then?', 'The pause doubles from 200 ms on.'],
  ['The colour of every heading is going to be teal from here on, I have made up my mind.', 'Noted.'],
  ['Go on.', 'The cache is keyed by path.'],
] as const

/** What a model of the described system reads in those turns. */
const FACTS = [
  {
    ...{ category: 'behavior', message: 2, quote: 'Uploads are retried by retryUpload in src/up.ts' },
    ...{ l0: 'retryUpload in src/up.ts retries uploads', l1: '- `retryUpload`\n- in `src/up.ts`' },
  },
  {
    ...{ category: 'behavior', message: 4, quote: 'The pause doubles from 200 ms on' },
    ...{ l0: 'the pause between retries doubles', l1: '- from 200 ms' },
  },
  {
    ...{ category: 'decisions', message: 5, quote: 'The colour of every heading is going to be teal' },
    ...{ l0: 'headings are teal', l1: '- `--heading`' },
  },
  {
    ...{ category: 'structure', message: 8, quote: 'The cache is keyed by path' },
    ...{ l0: 'the cache is keyed by path' },
  },
]

/** Says MERGE for the pause, with what is known of retries. */
const judge = () =>
  createScriptedModel([
    ({ prompt }) => {
      const named = /\[(d\w{12})\] retryUpload/.exec(prompt)?.[1]
      const isPause = /number="1">\nthe pause/.test(prompt)
      return JSON.stringify({ candidate: 1, verdict: isPause ? 'MERGE' : 'CREATE', with: named })
    },
  ])

async function talkOver(store: DecisionStore) {
  const model = createScriptedModel([JSON.stringify({ candidates: FACTS })])
  const dedup = judge()
  const talk = talkWith({ store, profile: 'seed', extraction_model: model, dedup_model: dedup })
  for (const [said, answer] of TURNS) await talk.turn(said, answer)
  await settle(60)
  const messages = await talk.ask('What do we know?')
  await talk.session.end()
  return { block: blockOf(messages), calls: dedup.calls.length, history: talk.history }
}

const EXPECTED =
  /## decisions\n- headings are teal \[user, turn 3; \w+\]\n {2}`--heading`\n## structure\n- the cache is keyed by path \[said by the assistant, not confirmed, turn 4; \w+\][\s\S]*\n## behavior\n- retryUpload in src\/up\.ts retries uploads \[said by the assistant, not confirmed, turn 1; \w+\]\n {2}- `retryUpload`\n {2}- in `src\/up\.ts`\n {2}- from 200 ms\n/

describe('merges in a conversation of the described system', () => {
  const { path } = useFolders()
  const stores: [string, () => DecisionStore][] = [
    ['in memory', createMemoryDecisionStore],
    ['in SQLite', () => createSqliteDecisionStore({ path: path() })],
  ]

  it.each(stores)(
    'show one fact with both details, under its category and with who said it: %s',
    async (_, open) => {
      const store = open()
      const { block, calls } = await talkOver(store)
      expect(block).toMatch(EXPECTED)
      expect(calls).toBe(1)
      expect((await verifyDecisions(store)).faults).toEqual([])
      expect(await jobsOf(store)).toEqual([])
      await store.close()
    },
  )

  it('are there after a restart, and are not asked for again', async () => {
    const file = path()
    const first = createSqliteDecisionStore({ path: file })
    const { block, history } = await talkOver(first)
    const before = await decisionsOf(first)
    await first.close()

    const store = createSqliteDecisionStore({ path: file })
    const silent = createScriptedModel([new Error('nobody asks')])
    const talk = talkWith(
      { store, profile: 'seed', extraction_model: silent },
      { history: history.slice(0, -1) },
    )
    expect(blockOf(await talk.ask('What do we know?'))).toBe(block)
    expect(await decisionsOf(store)).toEqual(before)
    await talk.session.end()
    await store.close()
  })

  it('are made by the next worker when the first one dies between the facts and their merges', async () => {
    const inner = createMemoryDecisionStore()
    let tried = 0
    const dying = wrapStore(inner, async (method, run, args) => {
      const [batch] = args as [{ events?: readonly { type: string }[] }?]
      const merges = method === 'commit' && batch?.events?.some(({ type }) => type === 'merged')
      if (!merges) return run()
      // However often it comes to that before it is gone.
      tried++
      throw new Error('the power went off')
    })
    const first = await talkOver(dying)
    expect(tried).toBeGreaterThan(0)
    expect(await jobsOf(inner)).toHaveLength(1)
    expect(await decisionsOf(inner)).toHaveLength(3)

    const model = createScriptedModel([JSON.stringify({ candidates: FACTS })])
    const later = { now: () => 1_900_000_000_000 }
    const talk = talkWith(
      { store: inner, profile: 'seed', extraction_model: model, dedup_model: judge() },
      { history: first.history, clock: later },
    )
    await talk.session.prepare(talk.history)
    await settle(60)
    expect(await jobsOf(inner)).toEqual([])
    const undisturbed = createMemoryDecisionStore()
    await talkOver(undisturbed)
    const plain = (all: Awaited<ReturnType<typeof decisionsOf>>) =>
      all.map(({ firstAt: _, lastAt: __, ...rest }) => rest)
    expect(plain(await decisionsOf(inner))).toEqual(plain(await decisionsOf(undisturbed)))
    await talk.session.end()
  })
})
