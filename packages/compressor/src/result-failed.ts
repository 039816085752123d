import { type Message, messageText } from '@palimpsest/core'

/** Whether a tool result reports a failure. */
export function resultFailed(message: Message): boolean {
  const data = message.providerData?.transcript as { isError?: unknown } | undefined
  if (data?.isError === true) return true
  return /\b(?:exit(?:ed)?(?: with)?(?: code)?[ :]+[1-9]\d*|command failed|traceback|fatal error|^error)/im.test(
    messageText(message).slice(-2000),
  )
}
