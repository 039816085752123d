import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { inspect } from 'node:util'
import {
  type ContextEngine,
  copyValue,
  ENGINE_CAPABILITIES,
  type EngineStatus,
  type Usage,
} from '@palimpsest/core'
import { type ContractCase, contractCase } from '../contract-case.ts'
import { compact, countersOf } from '../harness/compact.ts'
import { continuation, longConversation } from '../harness/conversations.ts'
import { expectSame } from '../harness/difference.ts'
import { eachInput } from '../harness/each-input.ts'
import { createPlainHost } from '../harness/plain-host.ts'
import { createScriptedModel } from '../harness/scripted-model.ts'
import { refusalOf } from '../harness/settle.ts'

const USAGE: Usage = { promptTokens: 1_200, completionTokens: 34, totalTokens: 1_234 }

export const stateCases: readonly ContractCase[] = [
  contractCase('C01', 'has apiVersion 1', async (harness) => {
    equal(harness.create().apiVersion, 1)
  }),
  contractCase('C02', 'has a kebab-case name that stays the same', async (harness) => {
    const engine = harness.create()
    const { name } = engine
    match(name, /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/)
    await compact(engine, longConversation())
    deepEqual([engine.name, harness.create().name], [name, name])
  }),
  contractCase('C03', 'declares exactly the capabilities that it has', async (harness) => {
    const engine = harness.create()
    const declared = new Set(engine.capabilities)
    for (const capability of declared)
      ok(ENGINE_CAPABILITIES.includes(capability), `unknown capability ${capability}`)
    for (const capability of harness.target.expectCapabilities)
      ok(
        declared.has(capability),
        `the engine does not declare ${capability}, which expectCapabilities names`,
      )
    equal(declared.has('tools'), engine.toolSchemas().length > 0, 'tools: declared, or offered, but not both')
    if (!declared.has('lossless')) return
    ok(declared.has('tools'), 'lossless needs tools: nothing else gives a message back')
    ok(harness.target.recall, 'lossless needs recall() in the target: how a reader gets a message back')
  }),
  contractCase('C05', 'starts its counters at 0, with thresholdTokens inside the window', async (harness) => {
    // Another engine's counts must not matter.
    harness.create({ sessionId: 'another-session' }).updateFromResponse(USAGE)
    const { contextLength } = harness.host()
    const engine = harness.create()
    expectZero(engine, 'of a new engine')
    equal(engine.contextLength, contextLength)
    const { thresholdTokens } = engine
    ok(
      typeof thresholdTokens === 'number' && thresholdTokens >= 1 && thresholdTokens <= contextLength,
      `thresholdTokens is ${inspect(thresholdTokens)}; it must be a number of tokens, from 1 to the window of ${contextLength}`,
    )
  }),
  contractCase(
    'C06',
    'updateFromResponse records the prompt, completion and total tokens of the last response, and ignores other fields',
    async (harness) => {
      const engine = harness.create()
      engine.updateFromResponse({ promptTokens: 9_000, completionTokens: 500, totalTokens: 9_500 })
      const parts = { cacheReadTokens: 900, cacheWriteTokens: 100, reasoningTokens: 20 }
      const unknown = { service_tier: 'flex', audio: { promptTokens: 7 }, cost: null }
      engine.updateFromResponse({ ...USAGE, ...parts, ...unknown } as Usage)
      const { lastPromptTokens, lastCompletionTokens, lastTotalTokens } = engine
      deepEqual(
        {
          promptTokens: lastPromptTokens,
          completionTokens: lastCompletionTokens,
          totalTokens: lastTotalTokens,
        },
        USAGE,
        'parts are inside the three counts and change none of them; an earlier response is not added',
      )
    },
  ),
  contractCase('C07', 'updateFromResponse records 0 for a missing or invalid count, never NaN', (harness) =>
    eachInput(INCOMPLETE, ([usage, promptTokens]) => {
      const engine = harness.create()
      engine.updateFromResponse(usage as unknown as Usage)
      equal(engine.lastPromptTokens, promptTokens, 'lastPromptTokens')
      equal(engine.lastCompletionTokens, 0, 'lastCompletionTokens')
      // A total may stay 0 or be the sum of its parts.
      ok([0, promptTokens].includes(engine.lastTotalTokens), `lastTotalTokens is ${engine.lastTotalTokens}`)
    }),
  ),
  contractCase('C10', 'shouldCompress returns false below thresholdTokens', async (harness) => {
    for (const share of [0, 0.5, 1]) {
      const engine = harness.create()
      expectDue(engine, Math.floor((engine.thresholdTokens - 1) * share), false)
    }
  }),
  contractCase('C11', 'shouldCompress returns true from thresholdTokens on', async (harness) => {
    for (const beyond of [0, 1, harness.host().contextLength]) {
      const engine = harness.create()
      expectDue(engine, engine.thresholdTokens + beyond, true)
    }
  }),
  contractCase(
    'C12',
    'shouldCompress uses promptTokens of the call, otherwise lastPromptTokens',
    async (harness) => {
      const reported = (share: number) => {
        const engine = harness.create()
        const promptTokens = Math.ceil(engine.thresholdTokens * share)
        engine.updateFromResponse({ promptTokens, completionTokens: 10, totalTokens: promptTokens + 10 })
        return engine
      }
      expectDue(reported(1.1), 0, false)
      expectDue(reported(1.1), undefined, true)
      expectDue(reported(0.1), reported(0.1).thresholdTokens, true)
      expectDue(reported(0.1), undefined, false)
    },
  ),
  contractCase('C13', 'shouldCompress changes nothing and calls no model', async (harness) => {
    const model = createScriptedModel()
    const engine = harness.create({ model })
    const sizes = [0, engine.thresholdTokens - 1, engine.thresholdTokens, engine.contextLength]
    const state = () => [countersOf(engine), engine.thresholdTokens, engine.status()]
    const before = state()
    const ask = () => sizes.map((promptTokens) => engine.shouldCompress({ promptTokens }))
    const answers = ask()
    deepEqual(ask(), answers, `asked twice for prompts of ${sizes.join(', ')} tokens`)
    await setImmediate()
    deepEqual(state(), before, 'what hosts read of the engine, before and after')
    equal(model.calls.length, 0, 'calls of the model')
  }),
  contractCase(
    'C36',
    'compressionCount counts each compaction once, and other results not at all',
    async (harness) => {
      const engine = harness.create()
      const host = createPlainHost(engine)
      for (let round = 1; round <= 3; round++) {
        await host.say(round === 1 ? longConversation() : continuation(round * 100))
        await host.mustCompact()
        equal(engine.compressionCount, round, `compressionCount after ${round} compactions`)
      }
      const { outcome } = await host.compact({ force: true })
      const expected = outcome === 'compacted' ? 4 : 3
      equal(engine.compressionCount, expected, `compressionCount after an outcome that was ${outcome}`)
    },
  ),
  contractCase('C57', 'updateModel computes thresholdTokens again for the new window', async (harness) => {
    const engine = harness.create({ contextLength: 200_000 })
    // Smaller than the threshold, so the old answer cannot stay right.
    const smaller = Math.floor(engine.thresholdTokens / 2)
    for (const contextLength of [400_000, 200_000, smaller]) {
      engine.updateModel({ contextLength, model: 'another model' })
      equal(engine.contextLength, contextLength, 'contextLength after updateModel()')
      const { thresholdTokens } = harness.create({ contextLength })
      const what = `thresholdTokens after updateModel(), as in an engine that was created for ${contextLength} tokens`
      equal(engine.thresholdTokens, thresholdTokens, what)
    }
    expectDue(
      engine,
      smaller,
      harness.create({ contextLength: smaller }).shouldCompress({ promptTokens: smaller }),
    )
  }),
  contractCase('C69', 'status() is valid JSON, with usagePercent from 0 to 100', async (harness) => {
    await eachInput<(engine: ContextEngine) => unknown>(
      {
        'a new engine': () => {},
        'a prompt that is larger than the window': (engine) => engine.updateFromResponse(usageOf(99_000)),
        'a window of no tokens': (engine) => {
          engine.updateFromResponse(usageOf(8_000))
          engine.updateModel({ contextLength: 0 })
        },
        'an engine that has compacted': (engine) => compact(engine, longConversation()),
      },
      async (happens) => {
        const engine = harness.create()
        await happens(engine)
        expectStatus(engine.status())
      },
    )
    const engine = harness.create()
    const before = engine.status()
    const text = JSON.stringify(before)
    engine.updateFromResponse(usageOf(8_000))
    equal(JSON.stringify(before), text, 'a status that was taken before something happened')
    const { usagePercent } = engine.status()
    // Engines may count the share of the whole window, or without the answer's part.
    ok(
      usagePercent > 45 && usagePercent < 55,
      `usagePercent of a window that is half full is ${usagePercent}`,
    )
  }),
  contractCase('C71', 'rejects a misspelt option and names it', async (harness) => {
    const error = await refusalOf(() => harness.create({ options: { thresholdd: 0.5 } }))
    ok(
      error,
      'create() took the option "thresholdd"; it should throw an InvalidOptionError (does the target pass host.options on?)',
    )
    equal(error.code, 'INVALID_OPTION', 'the code of the error')
    match(error.message, /thresholdd/, 'the text of the error, which should name the option')
  }),
  contractCase(
    'C76',
    'leaves room for the answer: thresholdTokens is at most the window minus maxOutputTokens',
    async (harness) => {
      for (const [contextLength, maxOutputTokens] of ROOMS) {
        const engine = harness.create({ contextLength, maxOutputTokens })
        expectRoom(engine, maxOutputTokens, `a window of ${contextLength} tokens`)
        for (const [window] of ROOMS.filter(([other]) => other > maxOutputTokens)) {
          engine.updateModel({ contextLength: window })
          expectRoom(engine, maxOutputTokens, `a window that became ${window} tokens`)
        }
      }
    },
  ),
]

/** Usage as providers and libraries send it incompletely or wrongly, and its prompt tokens. */
const INCOMPLETE: Readonly<Record<string, readonly [usage: object, promptTokens: number]>> = {
  'no count': [{}, 0],
  'the prompt alone': [{ promptTokens: 500 }, 500],
  'undefined and null': [{ promptTokens: undefined, completionTokens: null }, 0],
  NaN: [{ promptTokens: Number.NaN, completionTokens: Number.NaN, totalTokens: Number.NaN }, 0],
  'infinity, a negative number and a text': [
    { promptTokens: Number.POSITIVE_INFINITY, completionTokens: -1, totalTokens: '12' },
    0,
  ],
}

const ROOMS = [
  [8_000, 4_000],
  [16_000, 1_000],
  [65_537, 32_000],
  [200_000, 64_000],
  [1_000_000, 128_000],
] as const

export function expectZero(engine: ContextEngine, when: string): void {
  const counted = Object.entries(countersOf(engine)).filter(([, count]) => count !== 0)
  equal(counted.join(', '), '', `counters ${when} that are not 0`)
}

function expectDue(engine: ContextEngine, promptTokens: number | undefined, expected: boolean): void {
  const call = promptTokens === undefined ? undefined : { promptTokens }
  const { thresholdTokens, lastPromptTokens } = engine
  const answer: unknown = engine.shouldCompress(call)
  const shown = promptTokens === undefined ? '' : `{ promptTokens: ${promptTokens} }`
  ok(
    answer === expected,
    `shouldCompress(${shown}) returned ${inspect(answer)} and must return ${expected}: thresholdTokens is ${inspect(thresholdTokens)} (core computes it where create() returns none), lastPromptTokens ${lastPromptTokens}, and the two members must agree`,
  )
}

function usageOf(promptTokens: number): Usage {
  return { promptTokens, completionTokens: 10, totalTokens: promptTokens + 10 }
}

function expectStatus(status: EngineStatus): void {
  // A copy takes only JSON, and names what is not.
  expectSame(JSON.parse(JSON.stringify(status)), copyValue(status), 'the status, sent as JSON')
  const { lastPromptTokens, thresholdTokens, contextLength, usagePercent, compressionCount } = status
  const numbers = { lastPromptTokens, thresholdTokens, contextLength, usagePercent, compressionCount }
  for (const [name, value] of Object.entries(numbers)) ok(Number.isFinite(value), `${name} is ${value}`)
  ok(usagePercent >= 0 && usagePercent <= 100, `usagePercent is ${usagePercent}`)
}

function expectRoom({ contextLength, thresholdTokens }: ContextEngine, reserved: number, what: string): void {
  const most = contextLength - reserved
  ok(
    thresholdTokens > 0 && thresholdTokens <= most,
    `thresholdTokens is ${thresholdTokens} with ${what} of which ${reserved} are reserved for the answer; ${most} at most leave room for it`,
  )
}
