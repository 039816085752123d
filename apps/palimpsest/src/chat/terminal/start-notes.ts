import type { ChatFacts } from '../chat-agent.ts'
import { OFFLINE_CHAT } from './offline-chat.ts'

/** What a person should know before the first turn: one sentence each. `notice`: on the choice of the model. */
export function startNotes({ offline, warnings }: ChatFacts, notice: string | undefined): string[] {
  const aboutModel = offline ? OFFLINE_CHAT : notice
  return [...(aboutModel === undefined ? [] : [aboutModel]), ...warnings]
}
