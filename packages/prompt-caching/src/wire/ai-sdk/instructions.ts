import { type CacheTtl, looseOf, type TokenCounter } from '@palimpsest/core'
import type { ReadBlock } from '../../layout/request-layout.ts'
import { mapShared } from '../lists.ts'
import { staticCut } from '../wrapped-content.ts'
import type { AiSdkProvider } from './ai-sdk-provider.ts'
import type { AiSdkInstructions, AiSdkRequest, AiSdkSystemMessage } from './ai-sdk-request.ts'
import { withoutMarker } from './markers.ts'
import { markBlocks, readBlocks } from './sent-blocks.ts'

type SystemMessages = readonly AiSdkSystemMessage[]

const EMPTY: ReadBlock = { kind: 'system', role: 'system', content: '', tokens: 0, carries: false }

/** The instructions from which marked ones were made: a text does not tell where it was divided. */
const unmarked = new WeakMap<object, AiSdkInstructions>()

/** The system prompt as messages; empty without one. */
export function systemMessages(request: AiSdkRequest): SystemMessages {
  const instructions = request.instructions ?? request.system
  if (typeof instructions === 'string')
    return instructions === '' ? [] : [{ role: 'system', content: instructions }]
  if (typeof instructions !== 'object' || instructions === null) return []
  return 'content' in instructions ? [instructions] : Array.isArray(instructions) ? instructions : []
}

/** One block a message; the message in which the static part ends is two. */
export function readInstructions(
  messages: SystemMessages,
  tokens: TokenCounter,
  staticSystem: number | undefined,
  provider: AiSdkProvider,
): ReadBlock[] {
  return cutInstructions(messages, staticSystem).pieces.map((piece) => {
    const [block = EMPTY] = readBlocks(piece, tokens, provider)
    return { ...block, kind: 'system' }
  })
}

/** The request with markers on these blocks of its system prompt. It is divided only where a marker divides it. */
export function markInstructions(
  request: AiSdkRequest,
  ttls: ReadonlyMap<number, CacheTtl>,
  staticSystem: number | undefined,
  provider: AiSdkProvider,
): AiSdkRequest {
  const messages = systemMessages(request)
  const { pieces, cut } = cutInstructions(messages, staticSystem)
  const isDivided = cut !== undefined && ttls.has(cut)
  const before = isDivided ? pieces : messages
  const marked = before.map((message, at) => {
    const ttl = ttls.get(!isDivided && cut !== undefined && at >= cut ? at + 1 : at)
    if (ttl === undefined) return message
    return markBlocks(message, new Map([[0, ttl]]), provider) as AiSdkSystemMessage
  })
  if (marked.every((message, at) => message === before[at])) return request
  const key = request.instructions == null ? 'system' : 'instructions'
  const own = request[key]
  const instructions = Array.isArray(own) || marked.length > 1 ? marked : marked[0]
  if (own === undefined || instructions === undefined) return request
  unmarked.set(instructions, own)
  return { ...request, [key]: instructions }
}

/** Instructions without markers; put together again where a marker had divided them. */
export function stripInstructions(instructions: AiSdkInstructions): AiSdkInstructions {
  if (typeof instructions !== 'object' || instructions === null) return instructions
  const before = unmarked.get(instructions)
  if (before !== undefined) return before
  return 'content' in instructions ? withoutMarker(instructions) : mapShared(instructions, withoutMarker)
}

interface CutInstructions {
  readonly pieces: readonly AiSdkSystemMessage[]
  /** Index of the piece that ends where the static part ends; undefined when no message had to be divided. */
  readonly cut?: number
}

/** Divides the message in which the static part of the system prompt ends; its options stay with the second half. */
function cutInstructions(
  messages: readonly AiSdkSystemMessage[],
  staticSystem: number | undefined,
): CutInstructions {
  let left = staticSystem ?? 0
  for (const [index, message] of messages.entries()) {
    const text = looseOf(message).content
    const content = typeof text === 'string' ? text : ''
    const at = staticCut(content, left)
    if (at !== undefined) {
      const head = { role: 'system', content: content.slice(0, at) } as const
      const pieces = messages.toSpliced(index, 1, head, { ...message, content: content.slice(at) })
      return { pieces, cut: index }
    }
    left -= content.length
    if (left <= 0) break
  }
  return { pieces: messages }
}
