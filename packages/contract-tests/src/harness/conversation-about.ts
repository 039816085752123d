import type { Message } from '@palimpsest/core'
import { longConversation } from './conversations.ts'

/** A long conversation whose questions, calls and results all hold a word that no other conversation has. */
export function conversationAbout(word: string): Message[] {
  const json = JSON.stringify(longConversation())
  return JSON.parse(json.replaceAll('call_', `${word}_`).replaceAll('src/part', `src/${word}`))
}
