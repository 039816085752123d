import type { Message } from '@palimpsest/core'
import { analyzeMessage } from '@palimpsest/extractive'

/** What a tool result says of its call: by the recorded flag, an exit code, failed tests or an error text. */
export function resultStatus(message: Message): 'failed' | 'succeeded' | undefined {
  const { outcome } = analyzeMessage(message)
  if (outcome === undefined) return undefined
  if (outcome.refused || outcome.failed === true) return 'failed'
  return outcome.failed === false ? 'succeeded' : undefined
}
