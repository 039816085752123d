import { checkSequence } from '../laws/check-sequence.ts'
import { copyValue, freezeMessage } from '../messages/copy-message.ts'
import { isInstruction } from '../messages/is-instruction.ts'
import { messageText } from '../messages/message-text.ts'
import { repairMessages } from '../messages/repair-messages.ts'
import type { Message } from '../spec/message.ts'

/** The last compaction's messages and how much of the transcript they stand for. */
export interface ProjectionBase {
  readonly messages: readonly Message[]
  /** Messages of the transcript that the base covers, from its beginning. */
  readonly covered: number
}

export interface ComposedProjection {
  readonly messages: readonly Message[]
  /** What had to be repaired in the host's messages; usually empty. */
  readonly repairs: readonly string[]
}

/** The projection: the base, if there is one, then everything that the transcript got since. Always valid. */
export function composeProjection(
  transcript: readonly Message[],
  base: ProjectionBase | undefined,
): ComposedProjection {
  const messages = base === undefined ? transcript : [...base.messages, ...transcript.slice(base.covered)]
  if (checkSequence(messages).length === 0) return { messages, repairs: [] }
  const repaired = repairMessages(messages.filter(isUsable))
  const dropped = messages.length - messages.filter(isUsable).length
  const repairs =
    dropped === 0
      ? repaired.changes
      : [...repaired.changes, `left out ${dropped} messages with an unknown role or content`]
  return { messages: repaired.messages.map(freezeMessage), repairs }
}

const ROLES: ReadonlySet<unknown> = new Set(['system', 'developer', 'user', 'assistant', 'tool'])

/** Whether a provider could take the message at all; anything else stays in the transcript only. */
function isUsable(message: Message): boolean {
  const { role, content } = message
  if (!ROLES.has(role)) return false
  return (
    typeof content === 'string' ||
    Array.isArray(content) ||
    (role === 'assistant' && (content ?? null) === null)
  )
}

/** The base under a new text of the system prompt; the note that an engine appended to the old one is kept. */
export function rebaseSystem(base: ProjectionBase, oldSystem: Message, newSystem: Message): ProjectionBase {
  const [first, ...rest] = base.messages
  if (first === undefined || !isInstruction(first)) return base
  const note = messageText(first).slice(messageText(oldSystem).length)
  const system = note === '' ? newSystem : withNote(newSystem, note)
  return { ...base, messages: [system, ...rest] }
}

function withNote(system: Message, note: string): Message {
  const copy = copyValue(system) as { content: string | { type: 'text'; text: string }[] }
  if (typeof copy.content === 'string') copy.content += note
  else copy.content = [...copy.content, { type: 'text', text: note }]
  return freezeMessage(copy as Message)
}
