import type { Message, SystemMessage } from '@palimpsest/core'
import type { Instructions, ModelMessage } from 'ai'
import { toUnits, type Unit } from '../messages/from-model-messages.ts'
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
  const units = toUnits(whole, known)
  const system = joinInstructions(instructions, leading)
  return { instructions, system, leading, units, body: units.slice(leading.length) }
}

/** The conversation as a session gets it: one system prompt, then everything that was said. */
export function wireMessages({ system, body }: Conversation): Message[] {
  return [...(system === undefined ? [] : [system]), ...body.flatMap(({ messages }) => messages)]
}
