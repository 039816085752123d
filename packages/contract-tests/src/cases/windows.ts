import { ok } from 'node:assert/strict'
import type { ContextEngine, Message, TokenCounter } from '@palimpsest/core'
import { type ContractCase, contractCase } from '../contract-case.ts'
import { tokensOf } from '../harness/compact.ts'
import { continuation, longConversation } from '../harness/conversations.ts'
import { type Harness, WINDOW_TOKENS } from '../harness/create-harness.ts'
import { difference } from '../harness/difference.ts'
import { eachInput } from '../harness/each-input.ts'
import { fixedTokenCounter, scaledTokenCounter } from '../harness/fixed-token-counter.ts'
import { keptFaults } from '../harness/kept-faults.ts'
import { type Aspect, judge } from '../harness/oracle.ts'
import { createPlainHost } from '../harness/plain-host.ts'

/** Promises that hold in any window. */
export const windowCases: readonly ContractCase[] = [
  contractCase(
    'C76',
    'leaves room for the answer: its threshold is never above the window without the reserved part',
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
  /** Other cases are about faults that an engine always has: the usual window is the measure. */
  contractCase('C77', 'keeps the laws in windows from 8,000 to 1,000,000 tokens', async (harness) => {
    const usual = await faultsIn(harness, WINDOW_TOKENS, TALK, scaledTo(WINDOW_TOKENS))
    const known = new Set(usual.map(({ aspect }) => aspect))
    const expectNoNew = (faults: readonly FaultInWindow[]) => {
      const fresh = faults.filter(({ aspect }) => !known.has(aspect))
      if (fresh.length > 0) throw new Error(fresh.map(({ text }) => text).join('; '))
    }
    const windows = Object.fromEntries(WINDOWS.map((window) => [`a window of ${window} tokens`, window]))
    await eachInput(windows, async (window) =>
      expectNoNew(await faultsIn(harness, window, TALK, scaledTo(window))),
    )
    const large = longConversation({ turns: 40, resultCharacters: 5_500 })
    await eachInput({ 'a conversation of 80,000 tokens': [large] }, async (parts) =>
      expectNoNew(await faultsIn(harness, 65_537, parts)),
    )
  }),
]

/** Windows and what is reserved for the answer, as models have them, in tokens. */
const ROOMS = [
  [8_000, 4_000],
  [16_000, 1_000],
  [65_537, 32_000],
  [200_000, 64_000],
  [1_000_000, 128_000],
] as const

/** Half of a usual talk, counted twice as large: that is as telling, and the oracle is sooner done with it. */
const TALK = [longConversation({ turns: 20 }), continuation(21, 20)]
const WINDOWS = [8_000, 65_537, 200_000, 1_000_000]
const scaledTo = (window: number) => scaledTokenCounter((2 * window) / WINDOW_TOKENS)

function expectRoom({ contextLength, thresholdTokens }: ContextEngine, reserved: number, what: string): void {
  const most = contextLength - reserved
  ok(
    thresholdTokens > 0 && thresholdTokens <= most,
    `thresholdTokens is ${thresholdTokens} with ${what} of which ${reserved} are reserved for the answer; ${most} at most leave room for it`,
  )
}

interface FaultInWindow {
  readonly aspect: Aspect | 'outcome' | 'size' | 'kept' | 'again'
  readonly text: string
}

/** The faults of a compaction behind each part, and of another one that finds nothing new. */
async function faultsIn(
  harness: Harness,
  contextLength: number,
  parts: readonly (readonly Message[])[],
  tokens: TokenCounter = fixedTokenCounter,
): Promise<FaultInWindow[]> {
  const host = createPlainHost(harness.create({ contextLength, tokens }), tokens)
  const faults: FaultInWindow[] = []
  for (const part of parts) {
    await host.say(part)
    const before = tokensOf(host.projection, tokens)
    const { outcome } = await host.compact({ force: true })
    const after = tokensOf(host.projection, tokens)
    if (outcome !== 'compacted')
      faults.push({ aspect: 'outcome', text: `${before} tokens with force: ${outcome}` })
    else if (after >= before)
      faults.push({ aspect: 'size', text: `compacted, and ${before} tokens became ${after}` })
    faults.push(...judge(host.projection, host.transcript))
    for (const text of keptFaults(host.projection, host.transcript)) faults.push({ aspect: 'kept', text })
  }
  const { projection } = host
  await host.compact({ force: true })
  const again = difference(host.projection, projection)
  if (again !== undefined)
    faults.push({ aspect: 'again', text: `changed by a compaction without new messages: ${again}` })
  return faults
}
