import compressor from '@palimpsest/compressor'
import { createContextSession, estimatePrompt, type Message, type TokenCounter } from '@palimpsest/core'
import { STRINGIFY, stringifyFloor } from './measure-compress.ts'
import { type RatioRow, timeRow } from './ratio-row.ts'
import { cpuTime, type Repetitions, timePair } from './time.ts'

/** What an unchanged history costs: the estimate alone, and a whole `prepare`. */
export async function measureEstimate(
  messages: readonly Message[],
  tokens: TokenCounter,
  { runs, warmUp }: Repetitions,
): Promise<RatioRow[]> {
  const row = (operation: string) => ({ operation, messages: messages.length, against: STRINGIFY })
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
    timeRow(row('token estimate, unchanged history'), await timePair(estimate, floor, runs, warmUp, cpuTime)),
    timeRow(row('prepare, unchanged history'), await timePair(same, floor, runs, warmUp, cpuTime)),
    timeRow(row('prepare, history parsed anew'), await timePair(parsed, floor, runs, warmUp, cpuTime)),
  ]
}
