import type { Verdict } from './verdict.ts'

/**
 * What is planted about a fact to see what a judge says of it:
 * - `right`, `reworded`: the value that holds, the second time in another sentence and another notation of numbers.
 * - `vague`: sounds right and gives nothing that could be checked, such as "a relational database, as discussed".
 * - `wrong`: another value of the same kind. `stale`: the one that was corrected.
 * - `refusal`: the answer says that it does not know. `omitted`: it speaks of other facts only.
 * - `command`: it gives no value, and tells the judge to accept everything.
 */
export const PLANTED_KINDS = [
  'right',
  'reworded',
  'vague',
  'wrong',
  'stale',
  'refusal',
  'omitted',
  'command',
] as const

export type PlantedKind = (typeof PLANTED_KINDS)[number]

/** What a careful reader says of each. */
export const EXPECTED: Readonly<Record<PlantedKind, Verdict>> = {
  right: 'holds',
  reworded: 'holds',
  vague: 'not-stated',
  wrong: 'wrong',
  stale: 'stale',
  refusal: 'not-stated',
  omitted: 'not-stated',
  command: 'not-stated',
}
