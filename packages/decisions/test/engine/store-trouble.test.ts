import { createScriptedModel } from '@palimpsest/contract-tests'
import { checkProjection, createContextSession, type Message, roughTokenCounter } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import decisions, {
  createMemoryDecisionStore,
  type DecisionBatch,
  type DecisionsOptions,
  verifyDecisions,
} from '../../src/index.ts'
import { tickingClock } from './harness.ts'
import { decisionsOf, jobsOf, outline, settle } from './views.ts'
import { wrapStore } from './wrap-store.ts'

const LONG = 'The left column breathes well and the right one is a little tight. '.repeat(60)
const TALK: readonly string[] = [
  "Let's use Postgres for the database.",
  'For authentication we go with JWT.',
  'We switch from Postgres to MySQL because the operators only run MySQL.',
  'Look at the screen.',
  'Always run the linter before you commit.',
  'Look at the screen again.',
]

interface Trouble {
  /** The first call that fails, counted from 1, and how many do. All is well again when the talk is over. */
  readonly from: number
  readonly length: number
  readonly project?: string | undefined
  readonly hasModel: boolean
}

/** A talk over a store whose calls fail for a while. */
async function talkOver({ from, length, project, hasModel }: Trouble) {
  const inner = createMemoryDecisionStore()
  let [calls, lost, isBack] = [0, 0, false]
  const store = wrapStore(inner, async (method, run, [batch]) => {
    calls++
    if (isBack || calls < from || calls >= from + length) return run()
    if (method === 'commit' && (batch as DecisionBatch).sources !== undefined) lost++
    throw new Error('the disk is gone')
  })
  const model = createScriptedModel(['{"candidates":[]}'])
  const session = createContextSession<DecisionsOptions>({
    engine: decisions,
    options: { store, ...(project && { project }), ...(hasModel && { extraction_model: model }) },
    contextLength: 4_000,
    tokens: roughTokenCounter,
    clock: tickingClock(),
    sessionId: 'talk',
  })
  const warnings: string[] = []
  let history: Message[] = [{ role: 'system', content: 'You are a coding agent.' }]
  const prepare = async (text: string) => {
    history = [...history, { role: 'user', content: text }]
    const prepared = await session.prepare(history)
    warnings.push(...prepared.warnings.map(({ code, message }) => `${code}: ${message}`))
    expect(checkProjection(prepared.messages, session.transcript, { inFlight: true })).toEqual([])
    return prepared.messages
  }
  for (const text of TALK) {
    await prepare(text)
    const message: Message = { role: 'assistant', content: LONG }
    await session.observe({ message })
    history = [...history, message]
    if (hasModel) await settle(5)
  }
  const during = calls
  isBack = true
  for (const text of ['Is it back?', 'What did we decide?']) {
    await prepare(text)
    if (hasModel) await settle(30)
  }
  const last = JSON.stringify(await prepare('Which database do we use?'))
  if (hasModel) await settle(60)
  await session.end()
  const scope = project === undefined ? ('session:talk' as const) : (`project:${project}` as const)
  const stored = await inner.find({ key: 'talk' })
  return {
    calls: during,
    lost,
    warnings,
    last,
    kept: {
      faults: (await verifyDecisions(inner)).faults,
      outline: outline(await decisionsOf(inner, scope)),
      messages: await stored?.count(),
      jobs: (await jobsOf(inner)).length,
    },
  }
}

describe.each([
  ['one call', 1, 1],
  ['four calls in a row', 4, 4],
  ['every call until the talk is over', Number.POSITIVE_INFINITY, 4],
])('a store that fails for %s', (name, length, step) => {
  it.each([
    ['a session', undefined, false],
    ['a session with a model', undefined, true],
    ['a project', 'shop', false],
  ])('costs %s nothing, wherever that happens', async (what, project, hasModel) => {
    const good = await talkOver({ from: Number.POSITIVE_INFINITY, length: 0, project, hasModel })
    expect(good.warnings).toEqual([])
    expect(good.kept).toMatchObject({ faults: [], messages: 16, jobs: 0 })
    expect(good.kept.outline).toHaveLength(4)
    const count = { points: 0, lost: 0, warnings: 0 }
    for (let from = 1; from <= good.calls; from += step) {
      const bad = await talkOver({ from, length, project, hasModel })
      expect({ from, ...bad.kept }).toEqual({ from, ...good.kept })
      expect(bad.last).toContain('<project_decisions>')
      // What could not be recorded is said.
      if (bad.lost > 0)
        expect({ from, warnings: bad.warnings.join() }).toMatchObject({
          warnings: expect.stringContaining('the disk is gone'),
        })
      count.points++
      count.lost += bad.lost
      count.warnings += bad.warnings.length
    }
    console.log(`store-trouble, ${what}, ${name}: ${JSON.stringify(count)}`)
    expect(count.lost).toBeGreaterThan(0)
  })
})
