import { roughTokenCounter } from '@palimpsest/core'
import { findPricing } from '@palimpsest/prompt-caching'
import { describe, expect, it } from 'vitest'
import { ARMS } from '../../src/arms/arms.ts'
import { generateDialogue } from '../../src/dialogues/generate-dialogue.ts'
import { createJudgeModels } from '../../src/judge/judge-models.ts'
import { runJudge } from '../../src/judge/run-judge.ts'
import { matchesIn } from './support/judges.ts'

interface Body {
  readonly contents: { readonly role: string; readonly parts: Record<string, unknown>[] }[]
  readonly systemInstruction?: unknown
  readonly tools?: { readonly functionDeclarations: { readonly name: string }[] }[]
}

/** Gemini behind a `fetch`: each request by model, with its body, and what answers it. */
function fakeGemini(answer: (model: string, body: Body) => Response) {
  const requests: { readonly model: string; readonly body: Body; readonly key: string | null }[] = []
  const fake: typeof fetch = async (input, init) => {
    const model = /models\/([^:]+)/.exec(String(input))?.[1] ?? ''
    const body: Body = JSON.parse(String(init?.body))
    requests.push({ model, body, key: new Headers(init?.headers).get('x-goog-api-key') })
    return answer(model, body)
  }
  return { fetch: fake, requests }
}

const parts = (...content: object[]) =>
  Response.json({
    candidates: [{ content: { role: 'model', parts: content }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 1000, candidatesTokenCount: 100, cachedContentTokenCount: 400 },
  })

const busy = () =>
  Response.json(
    {
      error: {
        code: 429,
        status: 'RESOURCE_EXHAUSTED',
        message: 'Quota exceeded.',
        details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '7s' }],
      },
    },
    { status: 429 },
  )

const verdicts = (body: Body) => {
  const prompt = String(body.contents[0]?.parts[0]?.text)
  if (prompt.includes('Match lines')) return parts({ text: matchesIn(prompt) })
  const facts = prompt.split('\n').filter((line) => line.startsWith('{"fact":')).length
  const list = Array.from({ length: facts }, (_, index) => ({ fact: index + 1, verdict: 'not-stated' }))
  return parts({ text: JSON.stringify({ verdicts: list }) })
}

describe('createJudgeModels', () => {
  it('has no models without a key', () => {
    expect(createJudgeModels({})).toBeUndefined()
    expect(
      createJudgeModels({ GEMINI_API_KEY: ' ', PALIMPSEST_BENCH_MODEL: 'gemini-2.5-pro' }),
    ).toBeUndefined()
  })

  it('has one that answers and another that judges, each of which can be named', () => {
    const named = {
      PALIMPSEST_BENCH_MODEL: 'gemini-2.5-pro',
      PALIMPSEST_BENCH_JUDGE: 'gemini-2.5-flash-lite',
    }
    const names = (more: object) => {
      const models = createJudgeModels({ GEMINI_API_KEY: 'test-key', ...more })
      return [models?.answerer.name, models?.judge.name]
    }
    expect(names({})).toEqual(['gemini:gemini-3-flash-preview', 'gemini:gemini-2.5-flash'])
    expect(names(named)).toEqual(['gemini:gemini-2.5-pro', 'gemini:gemini-2.5-flash-lite'])
  })

  it("plays a run through Google's SDK: tools, a limit that passes, usage and price", async () => {
    let refused = 0
    const { fetch, requests } = fakeGemini((model, body) => {
      if (model === 'gemini-2.5-flash') return verdicts(body)
      if (refused++ < 3) return busy()
      const last = body.contents.at(-1)?.parts ?? []
      const isSearching =
        body.tools !== undefined && !last.some((part) => part.functionResponse !== undefined)
      return isSearching
        ? parts({
            functionCall: { name: 'lcm_grep', args: { query: 'retention' } },
            thoughtSignature: 'c2lnLTE=',
          })
        : parts({ text: 'It is as you told me.' })
    })
    const models = createJudgeModels({ GEMINI_API_KEY: 'test-key' }, { fetch })
    if (models === undefined) throw new Error('there is a key')
    const waits: number[] = []
    const dialogue = generateDialogue({ seed: 3, turns: 30 })
    const [probe] = dialogue.probes
    if (probe === undefined) throw new Error('there is a question')
    const nextTurn = dialogue.messages.findIndex(
      ({ role }, index) => role === 'user' && index > probe.message,
    )
    const report = await runJudge({
      ...models,
      arms: ARMS.filter(({ name }) => name === 'lcm'),
      // One question is enough.
      dialogues: [
        {
          ...dialogue,
          probes: [probe],
          topics: [],
          raised: dialogue.raised.slice(0, 1),
          messages: dialogue.messages.slice(0, nextTurn),
        },
      ],
      budgets: [8000],
      tokens: roughTokenCounter,
      sleep: async (milliseconds) => void waits.push(milliseconds),
      progress: { step: () => {}, done: () => {}, end: () => {} },
    })
    expect(report.stopped).toBeNull()
    expect(report.answers.map(({ variant, toolCalls, failure }) => [variant, toolCalls, failure])).toEqual([
      ...Array(3).fill(['prompt', 0, null]),
      ...Array(3).fill(['tools', 1, null]),
      // The list of topics.
      ...Array(3).fill(['prompt', 0, null]),
      ...Array(3).fill(['tools', 1, null]),
    ])
    expect(report.rows.map(({ notStated }) => notStated?.mean)).toEqual([1, 1])
    expect(waits).toEqual([7000, 7000, 7000])
    // To each question three answers from the prompt and three with a call first; three that were refused.
    expect(report.spend.answerer).toMatchObject({ calls: 21, failures: { quota: 3 }, promptTokens: 18_000 })
    // Of 1,000 tokens 400 are read from the cache.
    const { input, output, read } = findPricing({ model: 'gemini-3-flash-preview' })
    const usd = ((600 + 400 * read) * input + 100 * output) / 1_000_000
    expect(report.spend.answerer.usd).toBeCloseTo(18 * usd, 10)
    expect(report.spend.judge).toMatchObject({ calls: 12, unreported: 0 })
    expect(new Set(requests.map(({ key }) => key))).toEqual(new Set(['test-key']))
    const judged = requests.find(({ model }) => model === 'gemini-2.5-flash')?.body
    expect(JSON.stringify(judged?.systemInstruction)).toContain('You grade what an assistant said')
    const searched = requests.find(({ body }) => body.tools !== undefined)?.body
    expect(searched?.tools?.[0]?.functionDeclarations.map(({ name }) => name)).toContain('lcm_grep')
  })
})
