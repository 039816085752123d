import { createScriptedModel } from '@palimpsest/contract-tests'
import { countMessages, createContextSession, type Message, roughTokenCounter } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import decisions, { createMemoryDecisionStore, type DecisionsOptions } from '../../src/index.ts'
import { tickingClock } from './harness.ts'
import { settle } from './views.ts'
import { wrapStore } from './wrap-store.ts'

const LOOKS: readonly number[] = [10, 100, 300, 1_000]

/** The ten turns up to a look, which are told one at a time. */
const isNear = (turn: number) => LOOKS.some((look) => turn > look - 10 && turn <= look)

/** What one turn costs: calls of the store and what they read, what a model is told, and what is sent. */
interface TurnCost {
  readonly calls: Readonly<Record<string, number>>
  readonly read: number
  readonly written: number
  readonly prompts: number
  readonly sent: number
}

async function costs(
  options: DecisionsOptions,
  { turns, hasModel }: { readonly turns: number; readonly hasModel: boolean },
): Promise<ReadonlyMap<number, TurnCost>> {
  let calls: Record<string, number> = {}
  let [read, written, prompts] = [0, 0, 0]
  const store = wrapStore(createMemoryDecisionStore(), async (method, run) => {
    calls[method] = (calls[method] ?? 0) + 1
    const answer = await run()
    if (Array.isArray(answer)) read += answer.length
    if (method === 'commit') written++
    return answer
  })
  const model = createScriptedModel([
    ({ prompt }) => {
      prompts += prompt.length
      return '{"candidates":[]}'
    },
  ])
  const session = createContextSession<DecisionsOptions>({
    engine: decisions,
    options: { ...options, store, ...(hasModel && { extraction_model: model }) },
    contextLength: 16_000,
    tokens: roughTokenCounter,
    clock: tickingClock(),
    sessionId: 'talk',
  })
  const history: Message[] = [{ role: 'system', content: 'You are a coding agent.' }]
  const seen = new Map<number, TurnCost>()
  for (let turn = 1; turn <= turns; turn++) {
    // A decision now and then, on a slot that there was before: the log grows, what holds does not.
    const text =
      turn % 50 === 1
        ? `We switch from ${turn % 100 === 1 ? 'Postgres to MySQL' : 'MySQL to Postgres'} for the database.`
        : `Look at screen ${turn}.`
    history.push({ role: 'user', content: text })
    const message: Message = { role: 'assistant', content: `Screen ${turn} is fine as it is.` }
    // Between the looks, turns are told a few at once.
    if (!isNear(turn) && turn % 20 !== 0) {
      history.push(message)
      continue
    }
    ;[calls, read, written, prompts] = [{}, 0, 0, 0]
    const { messages } = await session.prepare(history)
    await session.observe({ message })
    history.push(message)
    if (hasModel) await settle(isNear(turn) ? 5 : 60)
    if (!isNear(turn)) continue
    seen.set(turn, { calls, read, written, prompts, sent: countMessages(roughTokenCounter, messages) })
  }
  await session.end()
  return seen
}

describe('what a turn costs', () => {
  it.each([
    ['with a model', 1_000, true, {}],
    ['without a model', 1_000, false, {}],
    ['in a project', 1_000, false, { project: 'shop' }],
    ['as the seed describes it', 1_000, true, { profile: 'seed' as const }],
  ])('does not grow with the history, %s, in %i turns', async (name, turns, hasModel, options) => {
    const seen = await costs(options, { turns, hasModel })
    const around = (turn: number) => {
      const near = [...seen]
        .filter(([number]) => number > turn - 10 && number <= turn)
        .map(([, cost]) => cost)
      const most = (value: (cost: TurnCost) => number) => Math.max(...near.map(value))
      return {
        calls: most(({ calls }) => Object.values(calls).reduce((sum, count) => sum + count, 0)),
        read: most(({ read }) => read),
        written: most(({ written }) => written),
        prompts: most(({ prompts }) => prompts),
        sent: most(({ sent }) => sent),
      }
    }
    const looks = LOOKS.filter((turn) => turn <= turns).map((turn) => ({ turn, ...around(turn) }))
    console.log(`cost ${name}: ${JSON.stringify(looks)}`)
    // The log is as it stays from turn 100 on; a batch of turns or a compaction may fall between a look and its ten turns.
    const [, first, ...later] = looks
    for (const look of later) {
      expect(look.calls).toBeLessThanOrEqual((first?.calls ?? 0) + 10)
      expect(look.read).toBeLessThanOrEqual((first?.read ?? 0) + 10)
      expect(look.written).toBeLessThanOrEqual((first?.written ?? 0) + 1)
      expect(look.prompts).toBeLessThan(2 * (first?.prompts ?? 0) + 2_000)
      expect(look.sent).toBeLessThan(16_000)
    }
  })
})
