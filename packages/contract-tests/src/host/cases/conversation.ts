import { deepEqual, equal, ok } from 'node:assert/strict'
import { withinLimit } from '../../harness/processor-time.ts'
import { type HostCase, hostCase, type Talk } from '../create-host-harness.ts'
import { expectEachCallOnce, expectValidRequests, expectWholeHistory } from '../judge-talk.ts'
import { onlySession } from '../run-course.ts'
import { questionOf, STALL, transcriptOf } from '../script.ts'
import { createSuiteEngine, type SuiteEngine } from '../suite-engine.ts'

const MAX_TURNS = 30
const LONG = 12

/** A host does what an abort asks for within this time, in milliseconds of the processor or of waiting. */
const SOON_MS = 10_000

class StillWaiting extends Error {}

async function soonAfter<T>(begun: Promise<unknown>, promise: Promise<T>): Promise<T> {
  const settled = promise.then(
    () => {},
    () => {},
  )
  await Promise.race([begun, settled])
  await withinLimit(settled, SOON_MS).catch(() => {
    throw new StillWaiting('send() did not settle on an abort')
  })
  return promise
}

async function abortWhen(begun: Promise<unknown>, talk: Talk, plan: string): Promise<void> {
  const controller = new AbortController()
  const { signal } = controller
  void begun.then(() => controller.abort(new Error('the suite aborts')))
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    try {
      await soonAfter(begun, talk.say(plan, { signal }))
    } catch (error) {
      if (signal.aborted && !(error instanceof StillWaiting)) return
      throw error
    }
    ok(!signal.aborted, 'send() must reject on an abort')
  }
  throw new Error('nothing was ever begun that could be aborted')
}

function expectQuestionsOnce({ sessions }: SuiteEngine, talks: readonly Talk[]): void {
  const heard = [...sessions.values()]
    .map(({ messages }) =>
      messages.flatMap((message) => {
        const question = questionOf(message)
        return question === undefined ? [] : [`${question.talk} ${question.turn}`]
      }),
    )
    .toSorted()
  const asked = talks.map(({ turns }) => turns.map(({ talk, turn }) => `${talk} ${turn}`)).toSorted()
  // A host may report a turn with the next one.
  const told = (questions: readonly string[], at: number) =>
    questions.slice(0, Math.max(questions.length - 1, heard[at]?.length ?? 0))
  deepEqual(
    heard,
    asked.map(told),
    'each session of the engine must hold one conversation, each question once',
  )
}

export const conversationCases: readonly HostCase[] = [
  hostCase('H13', "aborts the model's answer, and continues afterwards", async (harness) => {
    const provider = await harness.provider()
    const talk = await harness.open({ name: 'aborted', provider, engine: createSuiteEngine() })
    await talk.say('look_up')
    await abortWhen(provider.stalled(), talk, STALL)
    const { closed } = await provider.stalled()
    await withinLimit(closed, SOON_MS)
    await talk.say('look_up')
    const answered = talk.turns.filter(({ plan }) => plan !== STALL)
    expectWholeHistory(await talk.history(), transcriptOf(answered))
  }),
  hostCase('H14', 'aborts a compaction, and continues afterwards', async (harness) => {
    const provider = await harness.provider()
    const engine = createSuiteEngine()
    const talk = await harness.open({ name: 'aborted', provider, engine })
    engine.isStalling = true
    await abortWhen(engine.stalled(), talk, 'look_up+look_up')
    engine.isStalling = false
    await talk.say('look_up')
    // The aborted question has no answer.
    expectValidRequests(talk, 'ADJACENT_TURNS')
  }),
  hostCase('H15', 'does not mix two conversations that run at the same time', async (harness) => {
    const provider = await harness.provider()
    const engine = createSuiteEngine()
    const talks = await Promise.all(['red', 'blue'].map((name) => harness.open({ name, provider, engine })))
    await Promise.all(
      talks.map(async (talk) => {
        for (let turn = 0; turn < LONG; turn++) await talk.say('look_up+look_up+look_up, suite_recall')
      }),
    )
    expectQuestionsOnce(engine, talks)
    for (const talk of talks) {
      expectEachCallOnce(talk)
      expectValidRequests(talk)
      const other = talks.find((one) => one !== talk)?.turns[0]?.talk
      const strays = talk.requests.filter(({ messages }) =>
        messages.some((message) => questionOf(message)?.talk === other),
      )
      equal(strays.length, 0, `requests of one conversation hold questions of the other, "${other}"`)
      expectWholeHistory(await talk.history(), talk.said)
    }
  }),
  hostCase('H16', 'continues after a restart', async (harness) => {
    const provider = await harness.provider()
    const talk = await harness.open({ name: 'restarted', provider, engine: createSuiteEngine() })
    for (let turn = 0; turn < LONG; turn++) await talk.say('look_up+look_up+look_up')
    await talk.restart()
    for (let turn = 0; turn < 3; turn++) await talk.say('look_up, suite_recall')
    expectEachCallOnce(talk)
    expectValidRequests(talk)
    ok(
      provider.requests.every(({ outcome }) => outcome === 'answered'),
      'a prompt did not fit into the window',
    )
    expectWholeHistory(await talk.history(), talk.said)
  }),
  hostCase('H17', 'passes no message to the engine twice after a restart', async (harness) => {
    const provider = await harness.provider()
    const engine = createSuiteEngine()
    const talk = await harness.open({ name: 'restarted', provider, engine })
    for (let turn = 0; turn < 3; turn++) await talk.say('look_up, suite_recall')
    await talk.restart()
    for (let turn = 0; turn < 3; turn++) await talk.say('look_up, suite_recall')
    const { edits } = onlySession(engine)
    equal(edits, 0, 'what was restored has another form than what was said')
    expectQuestionsOnce(engine, [talk])
  }),
]
