import type { Clock, TokenCounter } from '@palimpsest/core'

const START = 1_767_225_600_000

/** A clock that moves a millisecond a reading, so that runs are the same. */
export function fixedClock(): Clock {
  let now = START
  return { now: () => now++ }
}

/** A counter that learns nothing. Arms share one: what the usage of one arm taught it must not change the counts of the next. */
export function uncalibrated(tokens: TokenCounter): TokenCounter {
  return {
    countText: (text) => tokens.countText(text),
    countMessage: (message) => tokens.countMessage(message),
    countTools: (tools) => tokens.countTools(tools),
  }
}
