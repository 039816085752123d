import type { ContractCase } from '../contract-case.ts'
import { UsageError } from './read-arguments.ts'

export function selectCases(
  cases: readonly ContractCase[],
  wanted: readonly string[],
): readonly ContractCase[] {
  if (wanted.length === 0) return cases
  const chosen = wanted.flatMap((text) => {
    const found = cases.filter(({ id }) => matches(id, text.toUpperCase()))
    if (found.length > 0) return found
    throw new UsageError(`no case is called ${JSON.stringify(text)}; --list shows all of them`)
  })
  return cases.filter((entry) => chosen.includes(entry))
}

function matches(id: string, text: string): boolean {
  const [from = '', to = from] = text.split('-')
  // Ids of one letter have equal length, so they compare as texts.
  return id === text || id[0] === text || (id[0] === from[0] && id[0] === to[0] && id >= from && id <= to)
}
