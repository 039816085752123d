import type { Ripgrep } from '../lcm/ripgrep.ts'
import { SIZE_LIMITS } from './size-limits.ts'

/** What a run leaves out, each with the reason. */
export function notMeasured(sizes: readonly number[], ripgrep: Ripgrep | undefined): string[] {
  const missing =
    ripgrep === undefined
      ? ['searches against ripgrep: it is not installed, no folder of the search path has an rg']
      : []
  const single =
    sizes.length < 2
      ? ['growth, and turns of lcm on SQLite: that takes two sizes to compare, and one was asked for']
      : []
  const tooLong = Object.values(SIZE_LIMITS)
    .filter(({ messages }) => sizes.some((size) => size > messages))
    .map(
      ({ what, messages, reason }) => `${what} above ${messages.toLocaleString('en-US')} messages: ${reason}`,
    )
  return [...missing, ...single, ...tooLong]
}
