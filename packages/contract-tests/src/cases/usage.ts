import { deepEqual, equal, ok } from 'node:assert/strict'
import type { ContextEngine, Usage } from '@palimpsest/core'
import { type ContractCase, contractCase } from '../contract-case.ts'

const USAGE: Usage = { promptTokens: 1_200, completionTokens: 34, totalTokens: 1_234 }

/** Numbers as providers and their libraries leave them out or get them wrong, and the prompt tokens in them. */
const INCOMPLETE: readonly (readonly [usage: Readonly<Record<string, unknown>>, promptTokens: number])[] = [
  [{}, 0],
  [{ promptTokens: 500 }, 500],
  [{ promptTokens: undefined, completionTokens: null }, 0],
  [{ promptTokens: Number.NaN, completionTokens: Number.NaN, totalTokens: Number.NaN }, 0],
  [{ promptTokens: Number.POSITIVE_INFINITY, completionTokens: -1, totalTokens: '12' }, 0],
]

/** Promises about the usage that a provider reports. */
export const usageCases: readonly ContractCase[] = [
  contractCase('C06', 'records the three counts of a response', async (harness) => {
    const engine = harness.create()
    engine.updateFromResponse(USAGE)
    deepEqual(recorded(engine), USAGE)
  }),
  contractCase('C07', 'takes a missing or odd count for 0, never for NaN', async (harness) => {
    for (const [usage, promptTokens] of INCOMPLETE) {
      const engine = harness.create()
      engine.updateFromResponse(usage as unknown as Usage)
      const after = `after the usage { ${show(usage)} }`
      equal(engine.lastPromptTokens, promptTokens, `lastPromptTokens ${after}`)
      equal(engine.lastCompletionTokens, 0, `lastCompletionTokens ${after}`)
      // A total may be left at 0 or made from its parts.
      const { lastTotalTokens } = engine
      ok([0, promptTokens].includes(lastTotalTokens), `lastTotalTokens is ${lastTotalTokens} ${after}`)
    }
  }),
  contractCase(
    'C08',
    'takes usage with parts for caches and reasoning, and with unknown keys',
    async (harness) => {
      const engine = harness.create()
      const parts = { cacheReadTokens: 900, cacheWriteTokens: 100, reasoningTokens: 20 }
      const unknown = { service_tier: 'flex', audio: { promptTokens: 7 }, cost: null }
      engine.updateFromResponse({ ...USAGE, ...parts, ...unknown } as Usage)
      deepEqual(recorded(engine), USAGE, 'the parts are inside the three counts and change none of them')
    },
  ),
  contractCase(
    'C09',
    'replaces the usage of the response before, and does not add to it',
    async (harness) => {
      const engine = harness.create()
      engine.updateFromResponse({ promptTokens: 9_000, completionTokens: 500, totalTokens: 9_500 })
      engine.updateFromResponse(USAGE)
      deepEqual(recorded(engine), USAGE)
    },
  ),
]

function recorded({ lastPromptTokens, lastCompletionTokens, lastTotalTokens }: ContextEngine): Usage {
  return {
    promptTokens: lastPromptTokens,
    completionTokens: lastCompletionTokens,
    totalTokens: lastTotalTokens,
  }
}

/** Like JSON, but with the numbers that JSON does not have. */
function show(usage: object): string {
  return Object.entries(usage)
    .map(([key, value]) => `${key}: ${String(value)}`)
    .join(', ')
}
