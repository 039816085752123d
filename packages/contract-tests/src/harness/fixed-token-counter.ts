import type { TokenCounter } from '@palimpsest/core'

/** One token for four characters of JSON: not true of any model, and the same everywhere and for ever. */
export const fixedTokenCounter: TokenCounter = {
  countText: (text) => Math.ceil(text.length / 4),
  countMessage: (message) => Math.ceil(jsonLength(message) / 4),
  countTools: (tools) => (tools.length === 0 ? 0 : Math.ceil(jsonLength(tools) / 4)),
}

function jsonLength(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0
}
