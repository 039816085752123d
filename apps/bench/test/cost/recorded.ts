import { freezeMessage, type Message } from '@palimpsest/core'
import type { RecordedSession } from '../../src/commands/options.ts'

/** A session as if it had been recorded. `times`: milliseconds, one for each message; none: the recording has no times. */
export function recorded(messages: readonly Message[], times: readonly number[] = []): RecordedSession {
  const entries = messages.map((message, index) => {
    const timestamp = times[index]
    return { message: freezeMessage(message), line: index + 1, ...(timestamp !== undefined && { timestamp }) }
  })
  return {
    name: 'made up',
    messages: entries.map(({ message }) => message),
    entries,
  }
}
