import { checkProjection, type Message } from '@palimpsest/core'

/** A projection and the messages that it was made from. */
export interface JudgedProjection {
  readonly projection: readonly Message[]
  readonly history: readonly Message[]
}

/** Fails when a projection breaks one of these invariants. Default: any that a projection can break, 2 to 4. */
export function expectValid(
  projection: readonly Message[],
  history: readonly Message[],
  invariants: readonly number[] = [2, 3, 4],
): void {
  const violations = checkProjection(projection, history).filter(({ invariant }) =>
    invariants.includes(invariant),
  )
  const found = violations.map(({ code, index, message }) => `${message} (${code} at ${index})`)
  if (found.length > 0) throw new Error(found.join('; '))
}

/**
 * Fails when a projection breaks an invariant in a way that a usual one of the same engine does not. What an engine always
 * does wrong is the business of the cases about it.
 */
export function expectNoNewFaults(made: JudgedProjection, usual: JudgedProjection): void {
  const known = new Set(checkProjection(usual.projection, usual.history).map(({ code }) => code))
  const fresh = checkProjection(made.projection, made.history).filter(({ code }) => !known.has(code))
  if (fresh.length > 0) throw new Error(fresh.map(({ message }) => message).join('; '))
}
