import { equal, ok, rejects } from 'node:assert/strict'
import { HOST_WINDOW_TOKENS, type HostCase, hostCase, type Talk } from '../create-host-harness.ts'
import {
  expectEachCallOnce,
  expectValidRequests,
  expectWholeHistory,
  expectWholeRequests,
} from '../judge-talk.ts'
import { createSuiteEngine, type FailingPart } from '../suite-engine.ts'

/** The provider's real window; the host is told 64,000 tokens. */
const SMALL_WINDOW_TOKENS = 24_000
const TOLD_WINDOW_TOKENS = 64_000
/** Up to this size, failing engines must leave a prompt alone. */
const FULL_TOKENS = HOST_WINDOW_TOKENS * 0.85
const MAX_TURNS = 60

const PARTS: readonly FailingPart[] = [
  'compress',
  'handleToolCall',
  'ingest',
  'onSessionStart',
  'onTurnComplete',
  'pruneToolResults',
  'selectContext',
  'shouldCompress',
  'shouldCompressPreflight',
  'updateFromResponse',
]

const FAILURES: readonly { readonly failing: readonly FailingPart[]; readonly plan: string }[] = [
  { failing: ['compress'], plan: 'look_up+look_up+look_up, suite_recall' },
  { failing: PARTS, plan: 'look_up+look_up+look_up, suite_recall' },
  { failing: ['toolSchemas', ...PARTS], plan: 'look_up+look_up+look_up' },
]

async function fill(talk: Talk, plan: string): Promise<void> {
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    await talk.say(plan)
    if ((talk.requests.at(-1)?.promptTokens ?? 0) > FULL_TOKENS) return
  }
}

export const failureCases: readonly HostCase[] = [
  hostCase(
    'H10',
    'recovers once from a prompt that is too long, and remembers the real window',
    async (harness) => {
      const provider = await harness.provider(SMALL_WINDOW_TOKENS)
      const engine = createSuiteEngine()
      const talk = await harness.open({ name: 'long', provider, engine, contextLength: TOLD_WINDOW_TOKENS })
      for (let turn = 0; turn < 16; turn++) await talk.say('look_up+look_up+look_up')
      const refused = provider.requests.filter(({ outcome }) => outcome === 'refused')
      equal(refused.length, 1, 'one prompt must be refused: from then on the host knows the window')
      expectValidRequests(talk)
      expectEachCallOnce(talk)
      expectWholeHistory(await talk.history(), talk.said)
    },
  ),
  hostCase('H11', 'gives up if the smaller prompt is refused too, and works again later', async (harness) => {
    const provider = await harness.provider()
    const talk = await harness.open({ name: 'refused', provider, engine: createSuiteEngine() })
    for (let turn = 0; turn < 4; turn++) await talk.say('look_up')
    const before = provider.requests.length
    provider.windowTokens = 0
    await rejects(() => talk.say(''), 'send() must reject when the provider refuses every prompt')
    const asked = provider.requests.length - before
    ok(asked <= 2, `the provider was asked ${asked} times; a refused prompt is made smaller once`)
    provider.windowTokens = HOST_WINDOW_TOKENS
    await talk.say('look_up')
  }),
  hostCase('H12', "sends the host's own prompt when the engine fails", async (harness) => {
    const provider = await harness.provider()
    for (const [index, { failing, plan }] of FAILURES.entries()) {
      const engine = createSuiteEngine()
      engine.failing = new Set(failing)
      const name = ['compress', 'parts', 'schemas'][index] ?? ''
      const talk = await harness.open({ name, provider, engine })
      await fill(talk, plan)
      expectWholeRequests(talk)
    }
  }),
]
