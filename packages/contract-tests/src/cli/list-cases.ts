import type { ContractCase } from '../contract-case.ts'
import type { ContractPlan } from './worker-messages.ts'

/** A line a case: what it promises, and what it needs, or why it would be skipped where a plan is known. */
export function listCases(cases: readonly ContractCase[], plan?: ContractPlan): string {
  const skips = new Map(plan?.cases.map(({ id, skip }) => [id, skip]))
  return cases
    .map(({ id, title, requires = [] }) => {
      const skip = skips.get(id)
      if (skip !== undefined) return `${id} ${title} (skipped: ${skip})\n`
      return `${id} ${title}${plan === undefined && requires.length > 0 ? ` (needs ${requires.join(', ')})` : ''}\n`
    })
    .join('')
}
