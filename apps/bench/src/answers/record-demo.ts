import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import compressor from '@palimpsest/compressor'
import {
  createContextSession,
  defineContextEngine,
  isBridge,
  isSummary,
  type Message,
  ModelError,
  readSummary,
} from '@palimpsest/core'
import { createTokenCounter } from '@palimpsest/tokens'
import { readTranscript } from '@palimpsest/transcripts'
import { readCompletions, requestKey } from './completions.ts'

// Writes the compactions for the demo: the bundled session on the compressor, with summaries that `bench answers` has
// recorded. Record those first. node --conditions=@palimpsest/source apps/bench/src/answers/record-demo.ts

const WINDOW = 64_000
const app = new URL('../../../palimpsest/', import.meta.url)
const completions = await readCompletions(new URL('../../answers/completions.jsonl', import.meta.url))
const tokens = createTokenCounter()
const { entries } = await readTranscript(fileURLToPath(new URL('sessions/ledger.jsonl', app)))
const messages = entries.map(({ message }) => message)

const asked = { count: 0, read: 0, written: 0 }
const session = createContextSession({
  engine: defineContextEngine({
    name: compressor.name,
    apiVersion: 1,
    description: compressor.description,
    create(options: object, host) {
      const engine = compressor.create(options, host)
      const compress: typeof engine.compress = async (call) => {
        const result = await engine.compress(call)
        if (result.outcome === 'compacted') note(call.messages, result.messages)
        return result
      }
      return new Proxy(engine, {
        get: (target, name) => (name === 'compress' ? compress : Reflect.get(target, name)),
      })
    },
  }),
  contextLength: WINDOW,
  tokens,
  model: {
    name: 'recorded',
    async complete({ system = '', prompt }) {
      const text = completions.get(requestKey({ system, prompt }))
      if (text === undefined)
        throw new ModelError('unknown', 'a summary is not recorded: run bench answers --arm compressor')
      asked.count++
      asked.read += tokens.countText(system) + tokens.countText(prompt)
      asked.written += tokens.countText(text)
      return { text, finishReason: 'stop' }
    },
  },
})

const texts: string[] = []
const compactions: object[] = []
let said = 0

function note(before: readonly Message[], after: readonly Message[]): void {
  let [first, last] = [0, 0]
  while (first < before.length && isDeepStrictEqual(before[first], after[first])) first++
  while (isDeepStrictEqual(before.at(-1 - last), after.at(-1 - last))) last++
  const [summary, ...rest] = after.slice(first, after.length - last)
  if (summary === undefined || !isSummary(summary))
    throw new Error(`the compaction at message ${said} has no summary of its own`)
  const own = rest.find((message) => !isBridge(message))
  // The request may keep its old place: a filler turn precedes it.
  if (rest.length > 0 && own === undefined) last--
  const request = own ?? (rest.length > 0 ? after[after.length - last - 1] : undefined)
  compactions.push({
    ...{ said, first, replaced: before.length - first - last },
    ...(request && { request: before.findLastIndex((other) => isDeepStrictEqual(request, other)) }),
    ...{ asked: { ...asked }, parts: (readSummary(summary) ?? '').split('\n\n').map(placeOf) },
  })
  Object.assign(asked, { count: 0, read: 0, written: 0 })
}

function placeOf(text: string): number {
  const known = texts.indexOf(text)
  return known === -1 ? texts.push(text) - 1 : known
}

for (const [index, message] of messages.entries()) {
  if (message.role !== 'assistant' || index === 0) continue
  said = index
  const prepared = await session.prepare(messages.slice(0, index))
  const prompt = prepared.messages.reduce((sum, each) => sum + tokens.countMessage(each), 0)
  await session.observe({
    message,
    usage: { prompt_tokens: prompt, completion_tokens: 0, total_tokens: prompt },
  })
}
await session.end()
writeFileSync(
  new URL('sessions/recorded/run.json', app),
  `${JSON.stringify({ texts, compactions }, null, 1)}\n`,
)
