import { setImmediate } from 'node:timers/promises'
import { compressor } from '@palimpsest/compressor'
import {
  type CompletionModel,
  checkProjection,
  createContextSession,
  type Message,
  roughTokenCounter as tokens,
} from '@palimpsest/core'
import { decisions } from '@palimpsest/decisions'
import { lcm } from '@palimpsest/lcm'
import fc from 'fast-check'
import { expect, it } from 'vitest'

/** The share of the window that must be added before the next compaction. */
const SHARE = 0.1
/** Conversations for each engine. */
const RUNS = 10

const share = (min: number, max: number) => fc.double({ min, max, noNaN: true })

/** Sizes are shares of the window. */
const talk = fc.record({
  window: fc.constantFrom(8_000, 16_000, 32_000, 64_000, 200_000),
  system: share(0, 0.4),
  /** Of the prompt, beside the messages: the provider counts it. */
  fixed: fc.oneof(fc.constant(0), share(0, 0.8)),
  first: fc.oneof(fc.constant(0.001), share(0.001, 0.5)),
  writer: fc.constantFrom('none', 'short', 'long', 'failing'),
  /** Turns of the event loop that the writer takes. */
  delay: fc.nat(40),
  compactAt: fc.constantFrom('threshold', 'idle'),
  turns: fc.array(
    fc.record({
      said: share(0.0005, 0.05),
      results: fc.array(
        fc.oneof({ weight: 8, arbitrary: share(0.001, 0.03) }, { weight: 1, arbitrary: share(0.1, 0.7) }),
        { maxLength: 8 },
      ),
    }),
    { minLength: 5, maxLength: 40 },
  ),
})
type Talk = typeof talk extends fc.Arbitrary<infer One> ? One : never

const words = (size: number, name: string): string =>
  `${name} `.repeat(Math.max(1, Math.ceil((size * 4) / (name.length + 1))))

function writerOf({ writer: kind, delay }: Talk): CompletionModel | undefined {
  if (kind === 'none') return undefined
  return {
    name: 'test:writer',
    async complete() {
      for (let left = delay; left > 0; left--) await setImmediate()
      if (kind === 'failing') throw new Error('no answer')
      const text = kind === 'short' ? 'It was said.' : words(3_000, 'long')
      return { text: `## Goal\n${text}`, finishReason: 'stop' }
    },
  }
}

const ENGINES = {
  compressor: { engine: compressor, options: {} },
  lcm: { engine: lcm, options: {} },
  'decisions over lcm': { engine: decisions, options: { compaction: { engine: lcm } } },
} as const

/** The requests before which was compacted, with the tokens that were said until then, and the prompt before. */
async function compactionsOf(name: keyof typeof ENGINES, one: Talk) {
  const { window, system, fixed, first, turns, compactAt } = one
  const model = writerOf(one)
  const session = createContextSession({
    ...(ENGINES[name] as (typeof ENGINES)['lcm']),
    ...{ contextLength: window, tokens, compactAt },
    ...(model && { model }),
  })
  const history: Message[] = []
  const compactions: { readonly request: number; readonly said: number; readonly prompt: number }[] = []
  const violations: unknown[] = []
  let request = 0
  let said = 0
  session.subscribe((event) => {
    if (event.type === 'violations') violations.push(...event.violations)
    if (event.type !== 'compaction' || event.trigger === 'prune' || !event.committed) return
    // Further passes of one request are one compaction.
    if (compactions.at(-1)?.request !== request)
      compactions.push({ request, said, prompt: event.estimate.tokens })
  })
  const say = (message: Message): void => {
    history.push(message)
    said += tokens.countMessage(message)
  }
  const ask = async (): Promise<void> => {
    request++
    const { messages } = await session.prepare(history)
    violations.push(...checkProjection(messages, session.transcript))
    const sent = messages.reduce((sum, message) => sum + tokens.countMessage(message), 0)
    await session.observe({ usage: { promptTokens: Math.round(sent + fixed * window) } })
  }
  say({ role: 'system', content: words(system * window, 'system') })
  for (const [index, turn] of turns.entries()) {
    say({ role: 'user', content: words((index === 0 ? first : turn.said) * window, `u${index}`) })
    for (const [at, size] of turn.results.entries()) {
      await ask()
      const id = `c${index}-${at}`
      const call = { id, type: 'function' as const, function: { name: 'read', arguments: '{}' } }
      say({ role: 'assistant', content: null, tool_calls: [call] })
      say({ role: 'tool', tool_call_id: id, content: words(size * window, id) })
    }
    await ask()
    say({ role: 'assistant', content: 'Done.' })
  }
  await session.end()
  expect(violations).toEqual([])
  return compactions
}

it.each(Object.keys(ENGINES) as (keyof typeof ENGINES)[])(
  '%s compacts at most once for each tenth of the window that is added, while the prompt fits',
  async (name) => {
    let all = 0
    await fc.assert(
      fc.asyncProperty(talk, async (one) => {
        const compactions = await compactionsOf(name, one)
        all += compactions.length
        const early = compactions.filter(({ said, prompt }, index) => {
          const before = compactions[index - 1]
          return before !== undefined && said - before.said < SHARE * one.window && prompt < one.window
        })
        expect(early).toEqual([])
      }),
      { numRuns: RUNS },
    )
    expect(all).toBeGreaterThan(RUNS)
  },
)
