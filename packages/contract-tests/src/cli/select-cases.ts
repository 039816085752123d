import type { ContractCase } from '../contract-case.ts'
import { UsageError } from './read-arguments.ts'

/** The number of ids that are offered in place of an unknown one. */
const NEAR = 3

/** Two ids, from the first to the last. */
const RANGE = /^([A-Z]+\d+)-([A-Z]+\d+)$/

/**
 * The cases that a person asked for, in the order of the suite: ids (`C01`), ranges (`C10-C14`) and prefixes
 * (`P`), in capitals or not, with commas between them or apart. All of them when nothing was asked for.
 *
 * @throws UsageError for what fits no case, with the ids that come near.
 */
export function selectCases(
  cases: readonly ContractCase[],
  wanted: readonly string[],
): readonly ContractCase[] {
  if (wanted.length === 0) return cases
  const chosen = new Set(wanted.flatMap(parts).flatMap((text) => matching(cases, text)))
  return cases.filter((entry) => chosen.has(entry))
}

/** Whether a text would select cases. */
export function selectsCases(cases: readonly ContractCase[], text: string): boolean {
  return parts(text).some((part) => cases.some(({ id }) => matches(id, part.toUpperCase())))
}

function parts(text: string): readonly string[] {
  const ids = text.split(',').map((part) => part.trim())
  const named = ids.filter((id) => id !== '')
  // An empty text is a mistake, such as an empty variable of a shell.
  return named.length > 0 ? named : ['']
}

function matching(cases: readonly ContractCase[], text: string): readonly ContractCase[] {
  const found = cases.filter(({ id }) => matches(id, text.toUpperCase()))
  if (found.length > 0) return found
  throw new UsageError(`no case is called ${JSON.stringify(text)}; ${hint(cases, text)}`)
}

function matches(id: string, text: string): boolean {
  if (id === text || lettersOf(id) === text) return true
  const [, from = '', to = ''] = RANGE.exec(text) ?? []
  const letters = lettersOf(id)
  if (letters !== lettersOf(from) || letters !== lettersOf(to)) return false
  return numberOf(id) >= numberOf(from) && numberOf(id) <= numberOf(to)
}

function hint(cases: readonly ContractCase[], text: string): string {
  const [, from = '', to = ''] = RANGE.exec(text.toUpperCase()) ?? []
  if (lettersOf(from) !== lettersOf(to) || numberOf(from) > numberOf(to))
    return 'a range stays within one letter and goes upwards, as C10-C14 does'
  const [first = ''] = text.toUpperCase().split('-')
  const near = cases
    .map(({ id }) => id)
    .filter((id) => lettersOf(id) === lettersOf(first))
    .sort((a, b) => Math.abs(numberOf(a) - numberOf(first)) - Math.abs(numberOf(b) - numberOf(first)))
    .slice(0, NEAR)
  if (near.length > 0) return `the nearest are ${near.join(', ')}`
  return `ids begin with ${[...new Set(cases.map(({ id }) => lettersOf(id)))].join(', ')}`
}

function lettersOf(id: string): string {
  return id.replace(/(?<!\d)\d+$/, '')
}

/** 0 where there is none. */
function numberOf(id: string): number {
  return Number(/(?<!\d)\d+$/.exec(id)?.[0] ?? 0)
}
