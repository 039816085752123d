import {
  countMessages,
  type Message,
  type TokenCounter,
  toolCallsOf,
  toolTransactions,
} from '@palimpsest/core'
import { type Boundaries, findBoundaries } from './find-boundaries.ts'
import { type FittedTail, fitTail } from './fit-tail.ts'
import type { CompressorProfile } from './options.ts'
import { type TokenRoom, type TokenRoomInput, tokenRoom } from './token-room.ts'
import type { Told } from './told.ts'

/** Everything about a compaction that is decided before a summary is written. Pure. */
export interface CompactionPlan {
  readonly room: TokenRoom
  readonly boundaries: Boundaries
  readonly tail: FittedTail
  /** What the summary has to stand for: a head that will be given up, the middle, and what was cut in the tail. */
  readonly material: readonly Message[]
  readonly materialTokens: number
}

/** Decides what is kept, what is shortened and what is summarised. */
export function planCompaction(
  messages: readonly Message[],
  profile: CompressorProfile,
  tokens: TokenCounter,
  told: Told,
  input: Omit<TokenRoomInput, 'profile' | 'messages' | 'system' | 'tokens'>,
): CompactionPlan {
  const [first] = messages
  const system = first?.role === 'system' || first?.role === 'developer' ? first : undefined
  const room = tokenRoom({ ...input, profile, messages, system, tokens })
  const boundaries = findBoundaries(messages, profile, room, tokens, told)
  const request = boundaries.request === undefined ? 0 : tokens.countMessage(boundaries.request)
  const tail = fitTail(boundaries.tail, Math.max(0, room.tailMax - request), profile, tokens)
  // Without anything else to tell, the head alone is no reason to compact.
  const fresh = withoutTold([...boundaries.middle, ...tail.spilled], told)
  const material = fresh.length === 0 ? [] : [...boundaries.told, ...fresh]
  return { room, boundaries, tail, material, materialTokens: countMessages(tokens, material) }
}

/**
 * The messages without the transactions that were told whole before: shown again in their shortened form, a
 * failure whose text is gone would read like a success.
 */
function withoutTold(messages: readonly Message[], told: Told): Message[] {
  return toolTransactions(messages).flatMap(({ start, end }) => {
    const transaction = messages.slice(start, end)
    const calls = toolCallsOf(transaction[0] as Message)
    return calls.length > 0 && calls.every(({ id }) => told.call(id)) ? [] : transaction
  })
}
