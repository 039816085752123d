import type { Message } from '@palimpsest/core'

/** A conversation with one more turn, in front of the user's message that `place` chooses, never at its end. */
export function withPlantedTurn(
  messages: readonly Message[],
  place: number,
  turn: readonly Message[],
): readonly Message[] {
  const users = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []))
  const at = users[place % Math.max(1, users.length)] ?? 0
  return [...messages.slice(0, at), ...turn, ...messages.slice(at)]
}
