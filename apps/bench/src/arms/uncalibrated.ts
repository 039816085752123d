import type { TokenCounter } from '@palimpsest/core'

/** A counter that learns nothing. Arms share one: what the usage of one arm taught it must not change the counts of the next. */
export function uncalibrated(tokens: TokenCounter): TokenCounter {
  return {
    countText: (text) => tokens.countText(text),
    countMessage: (message) => tokens.countMessage(message),
    countTools: (tools) => tokens.countTools(tools),
  }
}
