import { equalValues, type Message, type SystemMessage } from '@palimpsest/core'
import type { Instructions, ModelMessage } from 'ai'
import { toUnits, type Unit } from '../messages/from-model-messages.ts'
import { withoutApprovals } from '../messages/tool-messages.ts'
import { joinInstructions } from './join-instructions.ts'

/** The conversation at a step, in both shapes. */
export interface Conversation {
  readonly instructions: Instructions | undefined
  readonly system: SystemMessage | undefined
  /** System messages at the beginning of the messages. They stay there. */
  readonly leading: readonly ModelMessage[]
  readonly units: readonly Unit[]
  /** The units behind the leading ones. */
  readonly body: readonly Unit[]
}

/** Before the first step. */
export const NO_CONVERSATION: Conversation = {
  instructions: undefined,
  system: undefined,
  leading: [],
  units: [],
  body: [],
}

/** @param known Units of the step before, if what they were made of cannot have changed since. */
export function readConversation(
  instructions: Instructions | undefined,
  whole: readonly ModelMessage[],
  known: readonly Unit[],
): Conversation {
  const other = whole.findIndex(({ role }) => role !== 'system')
  const leading = whole.slice(0, other === -1 ? whole.length : other)
  const units = toUnits(whole, known).map(withoutAnswers)
  const system = joinInstructions(instructions, leading)
  return { instructions, system, leading, units, body: units.slice(leading.length) }
}

/** The user's answer to a tool's request for approval is sent as it is. An engine does not see it. */
function withoutAnswers(unit: Unit): Unit {
  if (unit.models[0]?.role !== 'tool') return unit
  const messages = unit.messages.map(withoutApprovals)
  return messages.every((message, index) => message === unit.messages[index]) ? unit : { ...unit, messages }
}

/** The conversation as a session gets it: one system prompt, then everything that was said. */
export function wireMessages({ system, body }: Conversation): Message[] {
  return [...(system === undefined ? [] : [system]), ...body.flatMap(({ messages }) => messages)]
}

/**
 * The same conversation with the messages that a session keeps of it. Their equality is seen at a glance from then on,
 * so that the later steps of a loop do not read the whole history again.
 */
export function settled(conversation: Conversation, transcript: readonly Message[]): Conversation {
  let next = conversation.system === undefined ? 0 : 1
  const body = conversation.body.map((unit) => {
    const from = next
    next += unit.messages.length
    if (unit.messages.every((message, at) => message === transcript[from + at])) return unit
    const isKept = unit.messages.every((message, at) => equalValues(message, transcript[from + at]))
    return isKept ? { models: unit.models, messages: transcript.slice(from, next) } : unit
  })
  return {
    ...conversation,
    body,
    units: [...conversation.units.slice(0, conversation.leading.length), ...body],
  }
}
