import type { Message } from '@palimpsest/core'
import { assistant, calls, result, user } from './conversations.ts'

export interface Planted {
  readonly user: string
  readonly toolResult: string
  readonly assistant: string
}

/** A conversation with one more turn, in front of the user's message that `place` chooses, never at its end. */
export function withPlantedTurn(
  messages: readonly Message[],
  place: number,
  planted: Planted,
): readonly Message[] {
  const users = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []))
  const at = users[place % Math.max(1, users.length)] ?? 0
  const turn = [
    user(planted.user),
    calls('planted'),
    result('planted', planted.toolResult),
    assistant(planted.assistant),
  ]
  return [...messages.slice(0, at), ...turn, ...messages.slice(at)]
}
