import { createScriptedModel, DEAF, type ModelStep, STALL } from '@palimpsest/contract-tests'
import { type CompletionModel, ModelError, type ModelErrorKind } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { createMemoryDecisionStore, type DecisionStore, verifyDecisions } from '../../src/index.ts'
import { type Talk, talkWith } from './harness.ts'
import { decisionsOf, jobsOf, outline, settle } from './views.ts'

const HIDDEN = 'The colour of every heading is going to be teal from here on, I have made up my mind.'
const LONG = 'The left column breathes well and the right one is a little tight. '.repeat(80)
const NOTHING = JSON.stringify({ candidates: [] })

/** What a model finds in a message that rules do not understand. */
const found = (message: number, choice = 'teal') => ({
  kind: 'assert',
  message,
  quote: HIDDEN,
  category: 'decisions',
  slot: 'heading-colour',
  choice,
  l0: `heading colour ${choice}`,
})
const answerOf = (...candidates: readonly unknown[]) => JSON.stringify({ candidates })

/** Turns that nobody decides anything in; `said` stands at the first of them. */
async function talkFor(talk: Talk, turns: number, said = 'Hello there.'): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await talk.turn(turn === 0 ? said : `Look at screen ${turn}.`)
}

const talkOn = (store: DecisionStore, model: CompletionModel | undefined, history?: Talk['history']) =>
  talkWith({ store, ...(model && { extraction_model: model }) }, { ...(history && { history }) })

const statusOf = (talk: Talk) =>
  talk.session.engine.status().details?.extraction as {
    readonly jobs: number
    readonly givenUp: number
    readonly lastFailure?: string
  }

/** A model that answers when the test says so. */
function slowModel() {
  const waiting: ((text: string) => void)[] = []
  const model: CompletionModel = {
    name: 'slow',
    complete: () => new Promise((resolve) => waiting.push((text) => resolve({ text, finishReason: 'stop' }))),
  }
  return { model, waiting }
}

describe('the work for a model', () => {
  it('is in the store before the turn that completes four has ended, one job for each four turns', async () => {
    const store = createMemoryDecisionStore()
    const talk = talkOn(store, createScriptedModel([STALL]))
    for (let turn = 1; turn <= 12; turn++) {
      await talk.turn(`Look at screen ${turn}.`)
      expect(await jobsOf(store)).toHaveLength(Math.floor(turn / 4))
    }
    const ranges = (await jobsOf(store)).map(({ from, to }) => [from, to])
    expect(ranges).toEqual([
      [0, 9],
      [9, 17],
      [17, 25],
    ])
    await talk.session.end()
  })

  it('is there after an answer that the user stopped, too', async () => {
    const store = createMemoryDecisionStore()
    const talk = talkOn(store, createScriptedModel([STALL]))
    await talkFor(talk, 3)
    await talk.ask('Look at screen 4.')
    await talk.session.observe({ interrupted: true })
    expect(await jobsOf(store)).toHaveLength(1)
    await talk.session.end()
  })

  it('is done by the next process when this one ends, and found once', async () => {
    const store = createMemoryDecisionStore()
    const first = talkOn(store, createScriptedModel([STALL]))
    await talkFor(first, 4, HIDDEN)
    await first.session.end()
    expect(await jobsOf(store)).toHaveLength(1)

    const model = createScriptedModel([answerOf(found(1))])
    const second = talkOn(store, model, first.history)
    await second.ask('Go on.')
    await settle()
    expect(await jobsOf(store)).toEqual([])
    expect(outline(await decisionsOf(store))).toEqual(['heading-colour [] teal: active'])
    expect(model.calls).toHaveLength(1)
    await second.session.end()
    expect((await verifyDecisions(store)).faults).toEqual([])
  })

  it.each([
    ['the same answer', [found(1)]],
    ['another wording', [{ ...found(1), l0: 'teal, every heading colour', choice: 'Teal' }]],
    ['more of the sentence', [{ ...found(1), quote: HIDDEN.slice(0, 60) }, found(1)]],
    ['another name of the slot', [{ ...found(1), slot: 'headline-color' }]],
    ['no slot', [{ ...found(1), slot: '', category: 'structure' }]],
    ['nothing', []],
  ])('adds nothing twice when it is done twice, with %s', async (_, again) => {
    const store = createMemoryDecisionStore()
    const first = talkOn(store, createScriptedModel([answerOf(found(1))]))
    await talkFor(first, 4, HIDDEN)
    await settle()
    await first.session.end()
    const before = await decisionsOf(store)
    expect(before).toHaveLength(1)
    // As a process leaves it that died between the events and the end of the job.
    const session = await store.session({ key: 'talk' }, 1)
    await session.commit({ jobs: [{ id: 'j000000000001', from: 0, to: 9, version: 1, attempts: 1 }] }, 1)
    const second = talkOn(store, createScriptedModel([answerOf(...again)]), first.history)
    await second.ask('Go on.')
    await settle()
    expect(await jobsOf(store)).toEqual([])
    expect(outline(await decisionsOf(store))).toEqual(outline(before))
    await second.session.end()
  })

  it('is dropped with the messages that the host takes back, and made for what is said instead', async () => {
    const store = createMemoryDecisionStore()
    const talk = talkOn(store, createScriptedModel([STALL]))
    await talkFor(talk, 8)
    expect(await jobsOf(store)).toHaveLength(2)
    talk.history.splice(9)
    await talk.ask('Something else.')
    expect((await jobsOf(store)).map(({ from }) => from)).toEqual([0])
    await talk.answer('Fine.')
    await talkFor(talk, 3)
    expect((await jobsOf(store)).map(({ from }) => from)).toEqual([0, 9])
    await talk.session.end()
  })

  it('is made anew when the host changes a turn and keeps those behind it', async () => {
    const store = createMemoryDecisionStore()
    const model = createScriptedModel([NOTHING])
    const talk = talkOn(store, model)
    await talkFor(talk, 5)
    await settle()
    expect(model.calls).toHaveLength(1)
    talk.history[3] = { role: 'user', content: HIDDEN }
    await talk.ask('Go on.')
    await settle()
    expect(model.calls).toHaveLength(2)
    expect(model.calls[1]?.prompt).toContain(HIDDEN)
    await talk.session.end()
  })

  it('does not take what was said before an edit for what was said after it', async () => {
    const store = createMemoryDecisionStore()
    const { model, waiting } = slowModel()
    const talk = talkOn(store, model)
    await talkFor(talk, 4, HIDDEN)
    await settle()
    expect(waiting).toHaveLength(1)
    talk.history.splice(1)
    await talk.turn('The headings may look as they like.')
    waiting[0]?.(answerOf(found(1)))
    await settle()
    expect(await decisionsOf(store)).toEqual([])
    expect((await verifyDecisions(store)).faults).toEqual([])
    await talk.session.end()
  })

  it('decides nothing about what another worker takes back meanwhile', async () => {
    const store = createMemoryDecisionStore()
    const { model, waiting } = slowModel()
    const talk = talkOn(store, model)
    await talkFor(talk, 4, HIDDEN)
    await settle()
    expect(waiting).toHaveLength(1)
    const other = talkOn(store, undefined, talk.history.slice(0, 1))
    await other.turn('The headings may look as they like.')
    waiting[0]?.(answerOf(found(1)))
    await settle()
    expect(await decisionsOf(store)).toEqual([])
    expect((await verifyDecisions(store)).faults).toEqual([])
    await talk.session.end()
    await other.session.end()
  })

  it('is made for all that was said when a model appears later', async () => {
    const store = createMemoryDecisionStore()
    const first = talkOn(store, undefined)
    await talkFor(first, 9, HIDDEN)
    await first.session.end()
    expect(await jobsOf(store)).toEqual([])
    const model = createScriptedModel([answerOf(found(1)), NOTHING])
    const second = talkOn(store, model, first.history)
    // The same list as before: nothing is new but the model.
    await second.session.prepare(second.history)
    await settle()
    expect(model.calls).toHaveLength(2)
    expect(outline(await decisionsOf(store))).toEqual(['heading-colour [] teal: active'])
    await second.session.end()
  })

  it('is done before a compaction, also for turns that make no batch yet', async () => {
    const store = createMemoryDecisionStore()
    const prompts: string[] = []
    const model: CompletionModel = {
      name: 'reader',
      async complete({ prompt }) {
        prompts.push(prompt)
        return { text: prompts.length === 1 ? answerOf(found(1)) : NOTHING, finishReason: 'stop' }
      },
    }
    const talk = talkWith({ store, extraction_model: model, threshold: 0.5 }, {})
    await talk.turn(HIDDEN, LONG)
    await talk.turn('Look once more.', LONG)
    await talk.ask('And?')
    expect(prompts).toEqual([])
    const { outcome } = await talk.session.compact()
    expect(outcome).toBe('compacted')
    expect(prompts).toHaveLength(1)
    expect(outline(await decisionsOf(store))).toEqual(['heading-colour [] teal: active'])
    await talk.session.end()
  })

  it.each<readonly [string, ModelStep]>([
    ['hangs', STALL],
    ['hangs and hears no signal', DEAF],
  ])('keeps nobody waiting when the model %s', async (_, answer) => {
    const store = createMemoryDecisionStore()
    const talk = talkOn(store, createScriptedModel([answer]))
    await talkFor(talk, 9, "Let's use Postgres for the database.")
    expect(JSON.stringify(await talk.ask('Which database?'))).toContain('<project_decisions>')
    await talk.session.end()
    expect(await jobsOf(store)).toHaveLength(2)
  })
})

describe('a model that fails', () => {
  const kinds: readonly ModelErrorKind[] = [
    'auth',
    'quota',
    'overloaded',
    'network',
    'timeout',
    'context-overflow',
    'truncated',
    'empty',
    'blocked',
    'invalid-request',
    'unknown',
  ]
  /** Those that say something about the turns: trying for ever would not help. */
  const lasting = new Set<ModelErrorKind>(['context-overflow', 'blocked', 'invalid-request', 'unknown'])

  it.each(kinds)(
    'with "%s" is left alone for a while; the job waits, and is given up only if that lasts',
    async (kind) => {
      const store = createMemoryDecisionStore()
      const model = createScriptedModel([new ModelError(kind, 'no')])
      let now = 1_800_000_000_000
      const talk = talkWith({ store, extraction_model: model }, { clock: { now: () => now } })
      await talkFor(talk, 4)
      await settle()
      expect(model.calls).toHaveLength(1)
      expect(await jobsOf(store)).toHaveLength(1)
      now += 20_000
      await talk.turn('Is it there?')
      await settle()
      expect(model.calls).toHaveLength(1)
      for (let attempt = 2; attempt <= 6; attempt++) {
        if (attempt === 6 && lasting.has(kind)) break
        expect((await jobsOf(store))[0]).toMatchObject({ from: 0, attempts: attempt - 1 })
        now += 1_000_000
        await talk.ask(`Attempt ${attempt}.`)
        await settle()
      }
      // Later turns have a job of their own.
      const pending = (await jobsOf(store)).filter(({ from }) => from === 0)
      if (lasting.has(kind)) {
        expect(pending).toEqual([])
        expect(statusOf(talk)).toMatchObject({ givenUp: 1, lastFailure: 'no' })
      } else {
        expect(pending).toHaveLength(1)
        expect(model.calls).toHaveLength(6)
        expect(statusOf(talk)).toMatchObject({ givenUp: 0 })
      }
      await talk.session.end()
    },
  )
})
