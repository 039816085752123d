import { setTimeout } from 'node:timers/promises'
import type { ContextEngine, Message } from '@palimpsest/core'
import type { Harness } from './create-harness.ts'
import type { ScriptedModel } from './scripted-model.ts'

/**
 * A new engine that has taken in a conversation and has come to rest: engines may ask their model in the background
 * about what they took in, and what they ask from now on is about the next call.
 */
export async function quietEngine(
  harness: Harness,
  messages: readonly Message[],
  model: ScriptedModel,
): Promise<ContextEngine> {
  const engine = harness.create({ model })
  await engine.ingest({ messages, from: 0 })
  const { calls } = model
  for (let before = -1; before !== calls.length; await setTimeout(2)) before = calls.length
  return engine
}
