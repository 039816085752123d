import { countMessages, type Message, type TokenCounter } from '@palimpsest/core'
import { type Boundaries, findBoundaries } from './find-boundaries.ts'
import { type FittedTail, fitTail } from './fit-tail.ts'
import type { CompressorProfile } from './options.ts'
import { type TokenRoom, type TokenRoomInput, tokenRoom } from './token-room.ts'

/** Everything about a compaction that is decided before a summary is written. Pure. */
export interface CompactionPlan {
  readonly room: TokenRoom
  readonly boundaries: Boundaries
  readonly tail: FittedTail
  /** What the summary has to stand for: the middle, and what was cut in the tail. */
  readonly material: readonly Message[]
  readonly materialTokens: number
}

/** Decides what is kept, what is shortened and what is summarised. */
export function planCompaction(
  messages: readonly Message[],
  profile: CompressorProfile,
  tokens: TokenCounter,
  input: Omit<TokenRoomInput, 'profile' | 'messages' | 'system' | 'tokens'>,
): CompactionPlan {
  const [first] = messages
  const system = first?.role === 'system' || first?.role === 'developer' ? first : undefined
  const room = tokenRoom({ ...input, profile, messages, system, tokens })
  const boundaries = findBoundaries(messages, profile, room, tokens)
  const request = boundaries.request === undefined ? 0 : tokens.countMessage(boundaries.request)
  const tail = fitTail(boundaries.tail, Math.max(0, room.tailMax - request), profile, tokens)
  const material = [...boundaries.middle, ...tail.spilled]
  return { room, boundaries, tail, material, materialTokens: countMessages(tokens, material) }
}
