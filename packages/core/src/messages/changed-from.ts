import type { Message } from '../spec/v1/message.ts'
import { equalValues } from './equal-values.ts'

/** Index of the first message that differs between two lists; their common length if none does. */
export function changedFrom(before: readonly Message[], after: readonly Message[]): number {
  const length = Math.min(before.length, after.length)
  for (let index = 0; index < length; index++) {
    if (!equalValues(before[index], after[index])) return index
  }
  return length
}
