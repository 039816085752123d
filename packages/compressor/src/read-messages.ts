import {
  checkSequence,
  copyMessages,
  freezeMessage,
  InvalidMessagesError,
  type Message,
  repairMessages,
  type ViolationCode,
} from '@palimpsest/core'

/** Faults that no repair can mend without guessing. */
const FATAL: ReadonlySet<ViolationCode> = new Set([
  'NOT_A_MESSAGE',
  'UNKNOWN_ROLE',
  'INVALID_CONTENT',
  'INVALID_CALL',
])

/**
 * Frozen messages that can be compacted: broken pairs are mended, and what is not a list of messages is refused,
 * because a wrong role or content is not guessed. Calls at the end may have no results yet.
 *
 * @throws InvalidMessagesError that names the index and the fault.
 */
export function readMessages(messages: readonly Message[]): readonly Message[] {
  if (!Array.isArray(messages)) throw new InvalidMessagesError('messages must be a list')
  const faults = checkSequence(messages, { inFlight: true })
  const fatal = faults.find(({ code }) => FATAL.has(code))
  if (fatal !== undefined) throw new InvalidMessagesError(`messages[${fatal.index}]: ${fatal.message}`)
  const frozen = copyMessages(messages).map(freezeMessage)
  return faults.length === 0 ? frozen : repairMessages(frozen, { inFlight: true }).messages.map(freezeMessage)
}
