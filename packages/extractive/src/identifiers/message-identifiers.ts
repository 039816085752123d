import type { Message } from '@palimpsest/core'
import { analyzeMessage } from '../analyze-message.ts'
import type { Identifier } from './identifier.ts'

/**
 * The identifiers of one message: of its text, of the arguments of its tool calls, or of a tool's result. In
 * order of first occurrence, each once; computed once in the life of the message object.
 */
export function messageIdentifiers(message: Message): readonly Identifier[] {
  return analyzeMessage(message).mentions.identifiers
}
