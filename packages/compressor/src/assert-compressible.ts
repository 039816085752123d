import { checkSequence, InvalidMessagesError, type Message, type ViolationCode } from '@palimpsest/core'

/** Faults that no repair can mend without guessing. */
const FATAL: ReadonlySet<ViolationCode> = new Set([
  'NOT_A_MESSAGE',
  'UNKNOWN_ROLE',
  'INVALID_CONTENT',
  'INVALID_CALL',
])

/**
 * Refuses what is not a list of messages. Broken pairs are mended later; a wrong role or content is not guessed.
 *
 * @throws InvalidMessagesError that names the index and the fault.
 */
export function assertCompressible(messages: readonly Message[]): void {
  if (!Array.isArray(messages)) throw new InvalidMessagesError('messages must be a list')
  const fault = checkSequence(messages).find(({ code }) => FATAL.has(code))
  if (fault !== undefined) throw new InvalidMessagesError(`messages[${fault.index}]: ${fault.message}`)
}
