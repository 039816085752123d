import {
  type CompressCall,
  countMessages,
  createPause,
  findLastUser,
  inSlices,
  type Message,
  messageText,
  type TokenCounter,
} from '@palimpsest/core'
import type { Placement } from '../placement/placement.ts'
import type { DecisionRecorder } from './decision-recorder.ts'

export interface HeadroomInput {
  readonly placement: Placement
  readonly recorder: Pick<DecisionRecorder, 'shown'>
  readonly tokens: TokenCounter
  /** A memory from outside is asked about each new query. */
  readonly asksMemory: boolean
  /** The room of a prompt, in tokens, while no request has told what is left for messages. */
  windowTokens(): number
}

/**
 * The room for what is placed into a request, which is in no projection: neither a session's estimate nor a compaction
 * sees it. Without it, requests would be larger than what a compaction was due at.
 */
export function createHeadroom(input: HeadroomInput) {
  const { placement, recorder, tokens } = input
  let query = ''
  let room: number | undefined

  const scaled = (counted: number): number => Math.ceil(tokens.calibration?.apply(counted) ?? counted)
  /** The size of what will be placed into the next request, in the provider's tokens. */
  const expected = (): number => {
    const record = recorder.shown
    if (record === undefined) return 0
    const roomTokens = room ?? input.windowTokens()
    return scaled(placement.expectedTokens({ record, roomTokens, query, asksMemory: input.asksMemory }))
  }

  return {
    /** New messages of the transcript. */
    read(messages: readonly Message[]): void {
      const asked = messages[findLastUser(messages)]
      if (asked !== undefined) query = messageText(asked)
    },
    /** The room that a request had for its messages, in tokens; undefined when that holds no longer. */
    measured(roomTokens: number | undefined): void {
      room = roomTokens
    },
    expected,
    /** Reads in slices what the block says of files: of a long history that is most of it. */
    async readAhead(): Promise<void> {
      const pause = createPause()
      const files = recorder.shown && (await inSlices(recorder.shown.touched.linesSliced()))
      for (const { text } of files?.lines ?? []) {
        tokens.countText(text)
        await pause()
      }
    },
    /** The call with what will be placed as a part of the prompt that stays. */
    leaveRoom(call: CompressCall): CompressCall {
      const unseen = expected()
      if (unseen === 0) return call
      const currentTokens = call.currentTokens ?? scaled(countMessages(tokens, call.messages))
      return { ...call, currentTokens: currentTokens + unseen }
    },
    clear(): void {
      query = ''
    },
  }
}
