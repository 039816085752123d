import { InvalidMessagesError } from '../errors/errors.ts'
import { checkSequence } from '../laws/check-sequence.ts'
import type { ViolationCode } from '../laws/violation.ts'
import type { Message } from '../spec/v1/message.ts'
import { copyMessages, freezeMessage } from './copy-message.ts'
import { repairMessages } from './repair-messages.ts'

/** Faults that no repair can mend without guessing. */
const FATAL: ReadonlySet<ViolationCode> = new Set([
  'NOT_A_MESSAGE',
  'UNKNOWN_ROLE',
  'INVALID_CONTENT',
  'INVALID_CALL',
])

/**
 * The list with which an engine begins `compress`: frozen messages that it can work on. Broken pairs are mended, and
 * what is not a list of messages is refused, because a wrong role or content is not guessed. Calls at the end may
 * have no results yet.
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
