import fc from 'fast-check'
import { tokensOf } from './compact.ts'
import { hostOf, type Trial, trials } from './compaction-trials.ts'
import { longConversation } from './conversations.ts'
import { type Harness, WINDOW_TOKENS } from './create-harness.ts'
import { createPlainHost, type PlainHost } from './plain-host.ts'
import type { ModelAnswer } from './scripted-model.ts'

export function tryCompactions(harness: Harness, claim: (trial: Trial) => Promise<boolean>): Promise<void> {
  return tryCompactionsWith(harness, fc.constant(null), claim)
}

export function tryHosts(
  harness: Harness,
  claim: (host: PlainHost, trial: Trial) => Promise<unknown>,
  answer?: ModelAnswer,
): Promise<void> {
  return tryCompactions(harness, async (trial) => {
    const parts = hostOf(trial, answer)
    const host = createPlainHost(harness.create(parts), parts.tokens)
    await claim(host, trial)
    return host.compactions > 0
  })
}

/**
 * Like `tryHosts`, with an additional generated value. Fails if less than a tenth of the conversations were compacted,
 * because the claim would then say little about the engine, unless every long one was.
 */
export async function tryCompactionsWith<More>(
  harness: Harness,
  more: fc.Arbitrary<More>,
  claim: (trial: Trial, more: More) => Promise<boolean>,
): Promise<void> {
  const all = { tried: 0, compacted: 0 }
  const long = { tried: 0, compacted: 0 }
  await harness.property(fc.tuple(trials, more), async ([trial, rest]) => {
    const wasCompacted = await claim(trial, rest)
    for (const group of trial.isLong ? [all, long] : [all]) {
      group.tried++
      if (wasCompacted) group.compacted++
    }
  })
  const numbers = `${all.tried} conversations, ${all.compacted} compacted`
  const isEnough = all.compacted * 10 >= all.tried || (long.tried > 0 && long.compacted === long.tried)
  if (isEnough) return
  throw new Error(
    `${numbers}, and ${long.compacted} of ${long.tried} long ones: too few to say anything about this engine; ` +
      `with force it should compact a conversation of ${tokensOf(longConversation())} tokens in a window of ${WINDOW_TOKENS}`,
  )
}
