import {
  countMessages,
  isInstruction,
  type Message,
  type Sliced,
  type TokenCounter,
  toolCallsOf,
  toolTransactions,
} from '@palimpsest/core'
import { type Boundaries, findBoundaries } from './find-boundaries.ts'
import { type FittedTail, fitTail } from './fit-tail.ts'
import type { CompressorProfile } from './options.ts'
import { type TokenRoom, type TokenRoomInput, tokenRoom } from './token-room.ts'
import type { Told } from './told.ts'
import { clearResults } from './tool-result-stub.ts'

/** Everything about a compaction that is decided before a summary is written. Pure. */
export interface CompactionPlan {
  readonly room: TokenRoom
  readonly boundaries: Boundaries
  readonly tail: FittedTail
  /** Tokens of what goes from the projection or is shortened in it; 0 when nothing does. */
  readonly leavingTokens: number
  /** The messages that the summary stands for: the middle, and the parts cut from the tail. */
  readonly material: readonly Message[]
  /** The same as a model is shown it. */
  readonly shown: readonly Message[]
  readonly shownTokens: number
}

/** However long the user's last message is, the tail keeps this share of its room. */
const LEAST_TAIL_SHARE = 0.25

/** Decides what is kept, what is shortened and what is summarised. */
export function* planCompaction(
  messages: readonly Message[],
  profile: CompressorProfile,
  tokens: TokenCounter,
  told: Told,
  input: Omit<TokenRoomInput, 'profile' | 'messages' | 'system' | 'tokens'>,
): Sliced<CompactionPlan> {
  const [first] = messages
  const system = isInstruction(first) ? first : undefined
  const room = tokenRoom({ ...input, profile, messages, system, tokens })
  const boundaries = findBoundaries(messages, profile, room, tokens)
  yield
  const request = boundaries.request === undefined ? 0 : tokens.countMessage(boundaries.request)
  const roomBeside = (limit: number) => Math.max(limit * LEAST_TAIL_SHARE, limit - request)
  const limits = {
    max: roomBeside(Math.max(room.tailMax, room.protected)),
    newest: roomBeside(Math.max(room.tailLimit, room.protected)),
  }
  const tail = fitTail(boundaries.tail, limits, profile, tokens)
  const { middle, previousSummary } = boundaries
  const { clearedCharacters } = profile
  const isOurs = previousSummary !== undefined && told.summary(previousSummary)
  const toTell = (leaving: readonly Message[]) => (isOurs ? withoutTold(leaving, told) : leaving)
  const leaving = [...middle, ...tail.spilled]
  const material = toTell(leaving)
  const shown =
    clearedCharacters === null
      ? material
      : toTell([...clearResults(middle, clearedCharacters), ...tail.spilled])
  yield
  const leavingTokens = countMessages(tokens, leaving)
  const shownTokens = shown === leaving ? leavingTokens : countMessages(tokens, shown)
  return { room, boundaries, tail, leavingTokens, material, shown, shownTokens }
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
