import { checkProjection, type Message } from '@palimpsest/core'
import { mustCompact } from './compact.ts'
import { longConversation } from './conversations.ts'
import type { Harness } from './create-harness.ts'
import { eachInput } from './each-input.ts'
import { type Aspect, judge } from './oracle.ts'

/** A projection and the messages that it was made from. */
export interface JudgedProjection {
  readonly projection: readonly Message[]
  readonly history: readonly Message[]
}

/**
 * Fails when the oracle finds a fault in a projection of a kind that a usual one of the same engine has not. What
 * an engine always does wrong is the business of the cases about it. With aspects, only faults of those count.
 */
export function expectNoNewFaults(
  made: JudgedProjection,
  usual: JudgedProjection,
  aspects?: readonly Aspect[],
): void {
  const known = new Set(judge(usual.projection, usual.history).map(({ aspect }) => aspect))
  const fresh = judge(made.projection, made.history).filter(
    ({ aspect }) => !known.has(aspect) && (aspects?.includes(aspect) ?? true),
  )
  if (fresh.length > 0) throw new Error(fresh.map(({ text }) => text).join('; '))
}

/**
 * Fails when the oracle finds a fault in a projection. With aspects, only faults of those count: a case is about
 * one promise.
 */
export function expectLawful(
  projection: readonly Message[],
  history: readonly Message[],
  aspects?: readonly Aspect[],
): void {
  const faults = judge(projection, history).filter(({ aspect }) => aspects?.includes(aspect) ?? true)
  if (faults.length > 0) throw new Error(faults.map(({ text }) => text).join('; '))
}

/** Compacts histories, each with a new engine, and judges one aspect of the projections. Default: one long conversation. */
export async function expectLawfulOf(
  harness: Harness,
  aspect: Aspect,
  histories: Readonly<Record<string, readonly Message[]>> = { 'a long conversation': longConversation() },
): Promise<void> {
  await eachInput(histories, async (history) => {
    const { messages } = await mustCompact(harness.create(), history)
    expectLawful(messages, history, [aspect])
  })
}

/**
 * Fails when the oracle or core's own check finds a projection unlawful. They know nothing of each other: when only
 * one of them finds a fault, the failure says that it may be the suite's.
 */
export function expectLawfulTwice(projection: readonly Message[], history: readonly Message[]): void {
  // The laws say nothing of the order of what is kept; a selection may place messages elsewhere.
  const faults = judge(projection, history).filter(({ aspect }) => aspect !== 'order')
  const violations = checkProjection(projection, history)
  if (faults.length === 0 && violations.length === 0) return
  const found = [
    ...faults.map(({ text }) => `${text} (oracle)`),
    ...violations.map(({ code, index, message }) => `${message} (core: ${code} at ${index})`),
  ].join('; ')
  if (faults.length > 0 && violations.length > 0) throw new Error(`the projection is not lawful: ${found}`)
  throw new Error(
    `the oracle of the suite and checkProjection of core disagree, so that the suite itself is in doubt: ${found}`,
  )
}
