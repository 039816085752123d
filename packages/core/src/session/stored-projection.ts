import { checkProjection } from '../laws/check-projection.ts'
import { snapshotMessage } from '../messages/copy-message.ts'
import { isInstruction, leadingInstructions } from '../messages/instructions.ts'
import { isObject, looseOf } from '../messages/loose.ts'
import { messageText } from '../messages/message-text.ts'
import { repairMessages } from '../messages/repair-messages.ts'
import type { Message, SystemMessage } from '../spec/v1/message.ts'
import { readOrigins, type TracedMessages } from './origins.ts'

/** The last compaction's messages and how much of the transcript they stand for. */
export interface ProjectionBase extends TracedMessages {
  /** Messages of the transcript that the base covers, from its beginning. */
  readonly covered: number
}

/** What a host keeps of a session's compactions, beside its transcript, to go on with it later. Plain JSON. */
export interface StoredProjection extends ProjectionBase {
  /** The system prompt at that time, as the host had it. */
  readonly system: readonly Message[]
  /** Compactions of the session so far. */
  readonly compactions: number
}

const NOTHING = { messages: [], origins: [], covered: 0, system: [] }

export function toStored(
  base: ProjectionBase | undefined,
  transcript: readonly Message[],
  compactions: number,
): StoredProjection | undefined {
  if (base !== undefined && !isWhole(base))
    return { ...base, system: transcript.slice(0, leadingInstructions(transcript)), compactions }
  return compactions === 0 ? undefined : { ...NOTHING, compactions }
}

/** True for what the transcript alone says as well. */
function isWhole({ origins, covered }: ProjectionBase): boolean {
  return origins.length === covered && origins.every((origin) => origin.from === 'transcript' && origin.whole)
}

/**
 * The base that a host kept of this transcript. Undefined when it kept none.
 *
 * @throws TypeError that says why it does not fit, or what reading it throws.
 */
export function readStored(value: unknown, transcript: readonly Message[]): ProjectionBase | undefined {
  const { messages: list, origins: told, system, covered } = looseOf(value)
  if (covered === 0) return undefined
  if (!isCount(covered) || !Array.isArray(list) || !Array.isArray(system))
    throw new TypeError('it is not what a session stored')
  if (covered > transcript.length)
    throw new TypeError(`it stands for ${covered} messages, and there are ${transcript.length}`)
  const said = transcript.slice(0, covered)
  const messages = list.map((message: Message) => snapshotMessage(message))
  if (!messages.every(isObject)) throw new TypeError('it has messages that are none')
  const base = withSystem({ messages, covered }, system, said)
  const origins = readOrigins(told, base.messages, said)
  const [first] = checkProjection(base.messages, said, { before: repairMessages(said).messages })
  if (first !== undefined) throw new TypeError(`${first.code} at message ${first.index}: ${first.message}`)
  return { ...base, origins }
}

/** The number of compactions that a host kept. */
export function readCompactions(value: unknown): number {
  const { compactions } = looseOf(value)
  return isCount(compactions) ? compactions : 0
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/**
 * A compaction's messages under a new text of the system prompt; the note that an engine appended to the old one is kept.
 *
 * @param before the system prompt as it was, of which the host may have several.
 */
export function withSystem<Base extends { readonly messages: readonly Message[] }>(
  base: Base,
  before: readonly Message[],
  transcript: readonly Message[],
): Base {
  const [current, ...rest] = base.messages
  const old = systemPrompt(before)
  const next = systemPrompt(transcript)
  if (!isInstruction(current) || old === undefined || next === undefined) return base
  const note = messageText(current).slice(messageText(old).length)
  const system = note === '' || messageText(next).endsWith(note) ? next : withNote(next, note)
  return { ...base, messages: [snapshotMessage(system), ...rest] }
}

/** The system prompt as a request holds it: one, even if the host has several. */
function systemPrompt(messages: readonly Message[]): SystemMessage | undefined {
  const [first] = repairMessages(messages.slice(0, leadingInstructions(messages))).messages
  return isInstruction(first) ? first : undefined
}

function withNote(system: SystemMessage, note: string): SystemMessage {
  if (typeof system.content === 'string') return { ...system, content: system.content + note }
  return { ...system, content: [...system.content, { type: 'text', text: note }] }
}
