import compressor from '@palimpsest/compressor'
import {
  countMessages,
  createContextSession,
  estimatePrompt,
  type Message,
  type TokenCounter,
} from '@palimpsest/core'
import { stringifyFloor } from './measure-compress.ts'
import { type SpeedRow, speedRow } from './speed-row.ts'
import { type Repetitions, timePair } from './time.ts'

/** What an unchanged history costs: the estimate alone, and a whole `prepare`. */
export async function measureEstimate(
  messages: readonly Message[],
  tokens: TokenCounter,
  { runs, warmUp }: Repetitions,
): Promise<SpeedRow[]> {
  const size = { messages: messages.length, tokens: countMessages(tokens, messages) }
  const floor = stringifyFloor(messages)
  const estimate = {
    prepare: () => messages,
    run: (list: readonly Message[]) => estimatePrompt({ messages: list, tools: [], tokens }),
  }
  const session = createContextSession({
    engine: compressor,
    contextLength: 10_000_000,
    tokens,
    sessionId: 'bench',
  })
  const same = { prepare: () => messages, run: (list: readonly Message[]) => session.prepare(list) }
  const parsed = {
    prepare: () => JSON.parse(JSON.stringify(messages)) as Message[],
    run: (list: readonly Message[]) => session.prepare(list),
  }
  return [
    speedRow(
      'token estimate, unchanged history',
      size,
      await timePair(estimate, floor, runs, warmUp),
      '≤ 0.1 ms at 300 messages',
    ),
    speedRow('prepare, unchanged history', size, await timePair(same, floor, runs, warmUp)),
    speedRow('prepare, history parsed anew', size, await timePair(parsed, floor, runs, warmUp)),
  ]
}
