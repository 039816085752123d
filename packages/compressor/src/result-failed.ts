import type { Message } from '@palimpsest/core'
import { analyzeMessage } from '@palimpsest/extractive'

/** Whether a tool result reports a failure: by the recorded flag, its exit code, failed tests or an error text. */
export function resultFailed(message: Message): boolean {
  const { outcome } = analyzeMessage(message)
  return outcome !== undefined && (outcome.refused || outcome.failed === true)
}
