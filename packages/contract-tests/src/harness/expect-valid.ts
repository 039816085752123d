import { checkProjection, type Message } from '@palimpsest/core'

export interface JudgedProjection {
  readonly projection: readonly Message[]
  readonly history: readonly Message[]
}

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
 * Fails for a violation that another projection of the same engine lacks; other cases test what an engine always does
 * wrong.
 */
export function expectNoNewFaults(made: JudgedProjection, usual: JudgedProjection): void {
  const known = new Set(checkProjection(usual.projection, usual.history).map(({ code }) => code))
  const fresh = checkProjection(made.projection, made.history).filter(({ code }) => !known.has(code))
  if (fresh.length > 0) throw new Error(fresh.map(({ message }) => message).join('; '))
}
