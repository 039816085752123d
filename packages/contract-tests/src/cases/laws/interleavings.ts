import type { CompletionModel, Message } from '@palimpsest/core'
import fc from 'fast-check'
import type { ContractCase } from '../../contract-case.ts'
import { compact, tokensOf } from '../../harness/compact.ts'
import { hostOf, messagesOf, type Trial } from '../../harness/compaction-trials.ts'
import type { Harness } from '../../harness/create-harness.ts'
import { halves } from '../../harness/plain-host.ts'
import { tryCompactionsWith } from '../../harness/try-compactions.ts'
import { makeCall, OVERLAPPING_CALLS, type Overlap, type OverlappingCall } from './overlapping-calls.ts'

/** What is under way at the same time, and in which order it goes on. */
const schedules = fc.record({
  scheduler: fc.scheduler(),
  kinds: fc.array(fc.constantFrom(...OVERLAPPING_CALLS), { minLength: 2, maxLength: 6 }),
})

interface Schedule {
  readonly scheduler: fc.Scheduler
  readonly kinds: readonly OverlappingCall[]
}

/** Lets the calls overlap, and compacts once more at the end. Says whether anything was compacted. */
async function staysLawful(harness: Harness, trial: Trial, { scheduler, kinds }: Schedule): Promise<boolean> {
  const parts = hostOf(trial)
  const { model } = parts
  const engine = harness.create({ ...parts, ...(model && { model: scheduled(model, scheduler) }) })
  const [start = [], rest = []] = halves(messagesOf(trial))
  const alone = async (messages: readonly Message[]) =>
    (
      await compact(harness.create(hostOf(trial)), messages, {
        currentTokens: tokensOf(messages, parts.tokens),
      })
    ).messages
  const overlap: Overlap = { engine, scheduler, start, rest, alone }

  await scheduler.waitFor(engine.ingest({ messages: start, from: 0 }))
  const pending = kinds.map(async (kind) => {
    await scheduler.schedule(Promise.resolve(), kind)
    return makeCall(overlap, kind)
  })
  const outcomes = await scheduler.waitFor(Promise.all(pending))
  const last = await scheduler.waitFor(makeCall(overlap, 'ingest and compress'))
  return [...outcomes, last].includes('compacted')
}

/** A model whose answers come in the scheduler's order. */
function scheduled(model: CompletionModel, scheduler: fc.Scheduler): CompletionModel {
  return {
    ...model,
    async complete(call) {
      await scheduler.schedule(Promise.resolve(), 'model')
      return model.complete(call)
    },
  }
}

export const interleavingProperty: ContractCase = {
  id: 'P13',
  title: 'calls that overlap in any order all settle, and do not get into one another',
  since: '0.1.0',
  run: (harness) =>
    tryCompactionsWith(harness, schedules, (trial, schedule) => staysLawful(harness, trial, schedule)),
}
