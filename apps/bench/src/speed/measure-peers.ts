import { type BaseMessage, trimMessages } from '@langchain/core/messages'
import type { Message, TokenCounter } from '@palimpsest/core'
import { type ModelMessage, pruneMessages } from 'ai'
import { toLangChain } from '../arms/peers/langchain-messages.ts'
import { toModelMessages } from '../arms/peers/model-messages.ts'
import { STRINGIFY, stringifyFloor } from './measure-compress.ts'
import { type RatioRow, timeRow } from './ratio-row.ts'
import { cpuTime, type Repetitions, timePair } from './time.ts'

export interface PeersInput extends Repetitions {
  readonly messages: readonly Message[]
  readonly tokens: TokenCounter
}

/** The share of the tokens that trimming may keep: what our compressor keeps of a window by default is less. */
const KEPT_SHARE = 0.5

/**
 * What packages of others take to cut the same list, in their own message types. The tokens of each message are known before:
 * a counter that had to work would be all that is measured. Neither of them writes a summary.
 */
export async function measurePeers({ messages, tokens, runs, warmUp }: PeersInput): Promise<RatioRow[]> {
  const counts = new Map(messages.map((message, index) => [String(index), tokens.countMessage(message)]))
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const trim = {
    prepare: () => messages.map((message, index) => toLangChain(message, String(index))),
    run: (list: BaseMessage[]) =>
      trimMessages(list, {
        maxTokens: Math.floor(total * KEPT_SHARE),
        tokenCounter: (some) => some.reduce((sum, { id }) => sum + (counts.get(id ?? '') ?? 0), 0),
        strategy: 'last',
        startOn: 'human',
        includeSystem: true,
      }),
  }
  const prune = {
    prepare: () => toModelMessages(messages).messages,
    run: (list: ModelMessage[]) =>
      pruneMessages({ messages: list, toolCalls: 'before-last-3-messages', emptyMessages: 'remove' }),
  }
  const floor = stringifyFloor(messages)
  const row = (operation: string) => ({
    operation,
    messages: messages.length,
    against: STRINGIFY,
  })
  return [
    timeRow(
      row('LangChain trimMessages to half, counts known'),
      await timePair(trim, floor, runs, warmUp, cpuTime),
    ),
    timeRow(
      row('AI SDK pruneMessages, calls before the last 3'),
      await timePair(prune, floor, runs, warmUp, cpuTime),
    ),
  ]
}
