import type { Message } from '@palimpsest/core'
import { hashText, type SourceMessage } from '../src/log/source.ts'

/** Messages of a conversation, the user's first and then in turn; a text that begins with `A:` is the assistant's. */
export function said(...texts: readonly string[]): SourceMessage[] {
  let turn = 0
  return texts.map((given, message) => {
    const isAssistants = given.startsWith('A:')
    if (!isAssistants) turn++
    const text = given.replace(/^A:\s*/, '')
    return { message, turn, role: isAssistants ? 'assistant' : 'user', text, hash: hashText(text) }
  })
}

export type { Message }
