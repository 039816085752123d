import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { CompletionModel } from '@palimpsest/core'
import decisions from '@palimpsest/decisions'
import lcm from '@palimpsest/lcm'
import { createTokenCounter } from '@palimpsest/tokens'
import { readTranscript } from '@palimpsest/transcripts'
import { openEngine } from '../arms/engines.ts'
import { requestsOf } from '../arms/play-arm.ts'
import { WINDOW } from './answer-arms.ts'
import { createReplayModel, readCompletions } from './completions.ts'

// Writes what a model answers in the demo: summaries and decisions of the bundled session, in the order of the requests, as
// `bench answers --arm decisions-over-lcm` has recorded them.
// node --conditions=@palimpsest/source apps/bench/src/answers/record-demo.ts

const app = new URL('../../../palimpsest/', import.meta.url)
const completions = await readCompletions(new URL('../../answers/completions.jsonl', import.meta.url))
const tokens = createTokenCounter()
const { entries } = await readTranscript(fileURLToPath(new URL('sessions/ledger.jsonl', app)))
const messages = entries.map(({ message }) => message)

const run = { summaries: [] as string[], decisions: [] as string[] }
const { model } = createReplayModel(completions)
const recorded = (answers: string[]): CompletionModel => ({
  ...model,
  async complete(request) {
    const answer = await model.complete(request)
    answers.push(answer.text)
    return answer
  },
})
const options = { compaction: { engine: lcm }, extraction_model: recorded(run.decisions) }
const opened = openEngine(
  { name: 'decisions over lcm', engine: decisions, options },
  { sessionId: 'demo', contextLength: WINDOW, tokens, model: recorded(run.summaries) },
)
for (const { length, answer } of requestsOf(messages)) {
  await opened.project(messages.slice(0, length))
  await opened.answered(answer)
}
await opened.end()
writeFileSync(new URL('sessions/recorded/run.json', app), `${JSON.stringify(run, null, 1)}\n`)
