import {
  countMessages,
  isInstruction,
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
  /** Tokens of what goes from the projection or is shortened in it; 0 when nothing does. */
  readonly leavingTokens: number
  /** What the summary has to stand for: a head that will be given up, the middle, and what was cut in the tail. */
  readonly material: readonly Message[]
  readonly materialTokens: number
}

/** However long the user's last message is, the tail keeps this share of its room. */
const LEAST_TAIL_SHARE = 0.25

/** Decides what is kept, what is shortened and what is summarised. */
export function planCompaction(
  messages: readonly Message[],
  profile: CompressorProfile,
  tokens: TokenCounter,
  told: Told,
  input: Omit<TokenRoomInput, 'profile' | 'messages' | 'system' | 'tokens'>,
): CompactionPlan {
  const [first] = messages
  const system = isInstruction(first) ? first : undefined
  const room = tokenRoom({ ...input, profile, messages, system, tokens })
  const boundaries = findBoundaries(messages, profile, room, tokens, told)
  const request = boundaries.request === undefined ? 0 : tokens.countMessage(boundaries.request)
  const roomBeside = (limit: number) => Math.max(limit * LEAST_TAIL_SHARE, limit - request)
  const limits = { max: roomBeside(room.tailMax), newest: roomBeside(room.tailLimit) }
  const tail = fitTail(boundaries.tail, limits, profile, tokens)
  const leaving = [...boundaries.middle, ...tail.spilled]
  const { previousSummary } = boundaries
  const isOurs = previousSummary !== undefined && told.summary(previousSummary)
  const fresh = isOurs ? withoutTold(leaving, told) : leaving
  // Without anything else to tell, the head alone is no reason to write.
  const material = fresh.length === 0 ? [] : [...boundaries.told, ...fresh]
  return {
    room,
    boundaries,
    tail,
    leavingTokens: countMessages(tokens, leaving),
    material,
    materialTokens: countMessages(tokens, material),
  }
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
