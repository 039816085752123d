import { InvalidOptionError, looseOf } from '@palimpsest/core'
import type { PlannerOptions } from './request-planner.ts'

const MATCHINGS: readonly unknown[] = ['collapsed', 'per-block', 'exact', 'prefix']
const STRATEGIES: readonly unknown[] = ['sticky', 'system_and_3', 'off', undefined]
const LIFETIMES: readonly unknown[] = ['5m', '1h', 'auto', undefined]

/**
 * Refuses options that would make a planner fail at its first request, or plan nonsense.
 *
 * @throws InvalidOptionError whose `path` names the option
 */
export function checkPlannerOptions(options: PlannerOptions): void {
  const { pricing, tokens, ttl, strategy, keepAlive, pauses } = fields(
    options,
    '',
    'the options of the planner',
  )
  const { matching } = fields(pricing, 'pricing', 'the answer of findPricing({ model })')
  if (!MATCHINGS.includes(matching)) refuse('pricing.matching', 'the answer of findPricing({ model })')
  if (typeof fields(tokens, 'tokens', A_COUNTER).countText !== 'function') refuse('tokens', A_COUNTER)
  if (!STRATEGIES.includes(strategy)) refuse('strategy', 'sticky, system_and_3 or off')
  if (!LIFETIMES.includes(ttl)) refuse('ttl', '5m, 1h or auto')
  if (pauses !== undefined && !isPauses(pauses)) refuse('pauses', 'a list that planners filled, or []')
  if (keepAlive === undefined || keepAlive === null) return
  const { budgetUsd } = fields(keepAlive, 'keepAlive', 'null or { budgetUsd }')
  if (!(typeof budgetUsd === 'number' && Number.isFinite(budgetUsd) && budgetUsd >= 0))
    refuse('keepAlive.budgetUsd', 'a number of US dollars, 0 or more')
}

const A_COUNTER = 'a token counter, such as roughTokenCounter of @palimpsest/core'

function isPauses(value: unknown): boolean {
  const isCount = (count: unknown) => typeof count === 'number' && count >= 0
  return (
    Array.isArray(value) &&
    value.every((session) => {
      const { requests, longPauses, changes } = looseOf(session)
      const isWhole = isCount(requests) && isCount(changes)
      return isWhole && Array.isArray(longPauses) && longPauses.every(isCount)
    })
  )
}

function fields(value: unknown, path: string, expected: string): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : refuse(path, expected)
}

function refuse(path: string, expected: string): never {
  throw new InvalidOptionError(path, `${path === '' ? '' : `${path}: `}expected ${expected}`)
}
