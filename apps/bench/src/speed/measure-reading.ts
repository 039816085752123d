import { copyValue, countMessages, freezeMessage, type Message, type TokenCounter } from '@palimpsest/core'
import { analyzeMessage } from '@palimpsest/extractive'
import { createTokenCounter } from '@palimpsest/tokens'
import { COUNT, PARSE, ratioRow } from './ratio-row.ts'
import type { RatioRow } from './speed-report.ts'
import { type Measured, timePair } from './time.ts'

export interface ReadingInput {
  /** Where the messages are from. */
  readonly name: string
  readonly messages: readonly Message[]
  readonly runs: number
}

/** What looking at each message for the first time costs: once in its life. */
export async function measureReading({ name, messages, runs }: ReadingInput): Promise<RatioRow[]> {
  /** Messages that nobody has seen: what is found out about a message is remembered with it. */
  const unseen = () => messages.map((message) => freezeMessage(copyValue(message)))
  const count: Measured<{ fresh: Message[]; tokens: TokenCounter }> = {
    prepare: () => ({ fresh: unseen(), tokens: createTokenCounter() }),
    run: ({ fresh, tokens }) => countMessages(tokens, fresh),
  }
  const analyse: Measured<Message[]> = {
    prepare: unseen,
    run: (fresh) => {
      for (const message of fresh) analyzeMessage(message)
    },
  }
  const lines = messages.map((message) => JSON.stringify(message))
  const parse = parseFloor(lines)
  const row = (group: string, operation: string, against: string) => ({
    group,
    operation,
    messages: messages.length,
    against,
  })
  const counting = `count the tokens of unseen messages: ${name}`
  const analysis = `analyse unseen messages: ${name}`
  return [
    ratioRow(row('tokens', counting, PARSE), await timePair(count, parse, runs, 1)),
    ratioRow(row('extractive', analysis, COUNT), await timePair(analyse, count, runs, 1)),
    ratioRow(row('extractive', analysis, PARSE), await timePair(analyse, parse, runs, 1)),
  ]
}

/** The floor of reading: the same lines, already in memory, as values. */
export function parseFloor(lines: readonly string[]): Measured<readonly string[]> {
  return {
    prepare: () => lines,
    run: (list) => list.map((line): unknown => JSON.parse(line)),
  }
}
