import { equal, match, notEqual, ok } from 'node:assert/strict'
import { ENGINE_CAPABILITIES } from '@palimpsest/core'
import { type ContractCase, contractCase } from '../contract-case.ts'
import { compact } from '../harness/compact.ts'
import { longConversation } from '../harness/conversations.ts'

/** Promises about an engine before it does anything. */
export const shapeCases: readonly ContractCase[] = [
  contractCase('C01', 'speaks apiVersion 1', async (harness) => {
    equal(harness.create().apiVersion, 1)
  }),
  contractCase('C02', 'has a kebab-case name that stays the same', async (harness) => {
    const engine = harness.create()
    match(engine.name, /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/)
    equal(harness.create().name, engine.name)
    await compact(engine, longConversation())
    equal(engine.name, harness.create().name)
  }),
  contractCase('C03', 'declares what it can do, and can do what it declares', async (harness) => {
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
    if (declared.has('lossless')) {
      ok(declared.has('tools'), 'lossless needs tools: nothing else gives a message back')
      ok(harness.target.recall, 'lossless needs recall() in the target: how a reader gets a message back')
    }
  }),
  contractCase('C04', 'makes engines that share nothing', async (harness) => {
    const [first, second] = [harness.create(), harness.create({ sessionId: 'another-session' })]
    notEqual(first, second)
    first.updateFromResponse({ promptTokens: 10, completionTokens: 2, totalTokens: 12 })
    await compact(first, longConversation())
    equal(second.lastPromptTokens, 0)
    equal(second.compressionCount, 0)
  }),
  contractCase('C05', 'starts its counters at 0, with a threshold inside the window', async (harness) => {
    const { contextLength } = harness.host()
    const engine = harness.create()
    equal(engine.lastPromptTokens, 0)
    equal(engine.lastCompletionTokens, 0)
    equal(engine.lastTotalTokens, 0)
    equal(engine.compressionCount, 0)
    equal(engine.contextLength, contextLength)
    ok(engine.thresholdTokens > 0, `thresholdTokens is ${engine.thresholdTokens}`)
    ok(
      engine.thresholdTokens <= contextLength,
      `thresholdTokens ${engine.thresholdTokens} is beyond the window`,
    )
  }),
]
