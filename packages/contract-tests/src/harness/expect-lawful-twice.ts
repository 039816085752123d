import { checkProjection, type Message } from '@palimpsest/core'
import { judge } from './oracle.ts'

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
