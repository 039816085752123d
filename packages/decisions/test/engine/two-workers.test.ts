import { createScriptedModel } from '@palimpsest/contract-tests'
import { createContextSession, type Message, roughTokenCounter } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import decisions, {
  createDecisionLedger,
  createMemoryDecisionStore,
  type DecisionStore,
  type DecisionsOptions,
  verifyDecisions,
} from '../../src/index.ts'
import { SAYINGS } from './generated-talk.ts'
import { talkWith, tickingClock } from './harness.ts'
import { decisionsOf, jobsOf, outline, settle } from './views.ts'
import { wrapStore } from './wrap-store.ts'

const SYSTEM: Message = { role: 'system', content: 'You are a coding agent.' }

/** A store whose calls take a while, so that two workers are in the middle of theirs at the same time. */
const slow = (store: DecisionStore, turns = 1) =>
  wrapStore(store, async (_, run) => {
    await settle(turns)
    return run()
  })

const workerOn = (options: DecisionsOptions, sessionId = 'talk', start = 1) =>
  createContextSession<DecisionsOptions>({
    engine: decisions,
    options,
    contextLength: 100_000,
    tokens: roughTokenCounter,
    clock: tickingClock(start * 1_000_000),
    sessionId,
  })

/** The history of so many turns. */
function historyOf(turns: number): Message[] {
  const said = Array.from({ length: turns }, (_, turn): Message[] => [
    { role: 'user', content: SAYINGS[turn % SAYINGS.length] ?? '' },
    { role: 'assistant', content: `Done ${turn}.` },
  ])
  return [SYSTEM, ...said.flat()]
}

describe('two workers on one session', () => {
  it('that tell the same at once lose nothing, and record nothing twice', async () => {
    const store = createMemoryDecisionStore()
    const workers = [1, 2].map((start) => workerOn({ store: slow(store) }, 'talk', start))
    const history = historyOf(12)
    let conflicts = 0
    for (let length = 2; length <= history.length; length++) {
      const told = history.slice(0, length)
      const prepared = await Promise.all(workers.map((worker) => worker.prepare(told)))
      conflicts += prepared.filter(({ warnings }) => warnings.length > 0).length
    }
    // Who lost a race catches up with what it is told next.
    for (const worker of workers) await worker.prepare([...history, { role: 'user', content: 'Go on.' }])
    for (const worker of workers) await worker.end()

    const alone = createMemoryDecisionStore()
    const one = workerOn({ store: alone })
    await one.prepare([...history, { role: 'user', content: 'Go on.' }])
    await one.end()
    expect(outline(await decisionsOf(store))).toEqual(outline(await decisionsOf(alone)))
    const session = await store.find({ key: 'talk' })
    expect(await session?.count()).toBe(history.length + 1)
    expect((await verifyDecisions(store)).faults).toEqual([])
    console.log(`two workers: ${history.length} messages, ${conflicts} lost races`)
    expect(conflicts).toBeGreaterThan(0)
  })

  it('that are told different things keep the log whole; what was told last stands', async () => {
    const store = createMemoryDecisionStore()
    // The second is slower by far: it loses the first race, however long its reading takes.
    const [one, two] = [1, 2].map((start) =>
      workerOn({ store: slow(store, start === 1 ? 1 : 30) }, 'talk', start),
    )
    const common = historyOf(2)
    const own = (text: string): Message[] => [...common, { role: 'user', content: text }]
    await Promise.all([
      one?.prepare(own('For authentication we go with JWT.')),
      two?.prepare(own("Let's use Redis for the cache.")),
    ])
    await one?.prepare(own('For authentication we go with JWT.'))
    await two?.prepare([...own("Let's use Redis for the cache."), { role: 'user', content: 'Go on.' }])
    await two?.prepare([
      ...own("Let's use Redis for the cache."),
      { role: 'user', content: 'Go on.' },
      { role: 'user', content: 'And on.' },
    ])
    expect((await verifyDecisions(store)).faults).toEqual([])
    const text = outline(await decisionsOf(store)).join('\n')
    expect(text).toMatch(/MySQL: active/)
    expect(text).toMatch(/Redis: active/)
    expect(text).not.toMatch(/JWT/)
    for (const worker of [one, two]) await worker?.end()
  })

  it('that are told different things: one that comes late writes nothing of what was taken back', async () => {
    const store = createMemoryDecisionStore()
    let holdUp = async () => {}
    // It has read what the store holds and found what its message says when the other one goes ahead.
    const late = wrapStore(store, async (method, run) => {
      if (method === 'commit') await holdUp()
      return run()
    })
    const [one, two] = [workerOn({ store: late }, 'talk', 1), workerOn({ store }, 'talk', 2)]
    const common = historyOf(2)
    const say = (...texts: string[]): Message[] => [
      ...common,
      ...texts.map((content): Message => ({ role: 'user', content })),
    ]
    await one.prepare(say('Go on.'))
    holdUp = async () => {
      holdUp = async () => {}
      await two.prepare(say("Let's use Redis for the cache."))
    }
    const { warnings } = await one.prepare(say('Go on.', 'For authentication we go with JWT.'))
    expect(warnings.map(({ message }) => message).join()).toMatch(/taken back by another worker/)
    expect((await verifyDecisions(store)).faults).toEqual([])
    const text = outline(await decisionsOf(store)).join('\n')
    expect(text).toMatch(/Redis: active/)
    expect(text).not.toMatch(/JWT/)
    for (const worker of [one, two]) await worker.end()
  })

  it('do each job once', async () => {
    const store = createMemoryDecisionStore()
    const model = createScriptedModel([
      async () => {
        await settle(3)
        return JSON.stringify({ candidates: [] })
      },
    ])
    const history = historyOf(12)
    const workers = [1, 2].map((start) => workerOn({ store, extraction_model: model }, 'talk', start))
    await Promise.all(
      workers.map((worker) => worker.prepare([...history, { role: 'user', content: 'Go on.' }])),
    )
    await settle(60)
    expect(await jobsOf(store)).toEqual([])
    expect(model.calls).toHaveLength(3)
    for (const worker of workers) await worker.end()
  })
})

describe('two sessions of one project', () => {
  const project = 'shop'

  it('that decide differently at once are shown both, as contested', async () => {
    const store = createMemoryDecisionStore()
    const shared = slow(store)
    const talks = ['one', 'two'].map((sessionId) =>
      talkWith({ store: shared, project }, { sessionId, clock: tickingClock() }),
    )
    for (const talk of talks) await talk.turn('Hello there.')
    const sayings = ["Let's use Postgres for the database.", "Let's use MySQL for the database."]
    await Promise.all(talks.map((talk, index) => talk.turn(sayings[index] ?? '')))
    const found = await decisionsOf(store, 'project:shop')
    expect(
      found.map(({ choice, status, contestedBy }) => [choice, status, contestedBy.length]).sort(),
    ).toEqual([
      ['MySQL', 'active', 1],
      ['PostgreSQL', 'active', 1],
    ])
    for (const talk of talks) {
      const text = JSON.stringify(await talk.ask('Which database do we use?'))
      expect(text).toMatch(/MySQL/)
      expect(text).toMatch(/Postgre/)
      expect(text).toMatch(/contested|conflict|contradict/i)
      await talk.session.end()
    }
    expect((await verifyDecisions(store)).faults).toEqual([])
  })

  it('lose nothing, record nothing twice, and end up with the same decisions', async () => {
    const store = createMemoryDecisionStore()
    const shared = slow(store)
    const talks = ['one', 'two', 'three'].map((sessionId) =>
      talkWith({ store: shared, project }, { sessionId }),
    )
    for (let turn = 0; turn < 10; turn++)
      await Promise.all(
        talks.map((talk, index) => talk.turn(SAYINGS[(turn + index * 3) % SAYINGS.length] ?? '')),
      )
    const events = (await store.events({ scopes: ['project:shop'] })).map(({ event }) => event)
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
    for (const key of ['one', 'two', 'three']) expect(await (await store.find({ key }))?.count()).toBe(21)
    expect((await verifyDecisions(store)).faults).toEqual([])

    const expected = outline(createDecisionLedger(events).all)
    for (const talk of talks) {
      await talk.ask('What did we decide?')
      const listed = JSON.parse(await talk.session.callTool('decisions_list', {}))
      expect(listed.error).toBeUndefined()
      const details = talk.session.engine.status().details
      expect(details?.decisions).toBe(expected.length)
      await talk.session.end()
    }
  })
})
