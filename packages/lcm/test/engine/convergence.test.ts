import { type Message, ModelError } from '@palimpsest/core'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { leafRequest } from '../../src/engine/node-request.ts'
import { writeNode } from '../../src/engine/write-node.ts'
import { createEngine, scripted, system, tokens, turns, user, words } from './harness.ts'

const POINTER = '(No room for a summary: read it with lcm_expand.)'
const count = { nodes: 0, model: 0, extractive: 0, pointer: 0 }
afterAll(() => console.log(`convergence: ${JSON.stringify(count)}`))

const blockOf = (messages: readonly Message[]) =>
  messages.map((message, seq) => ({ seq, message, tokens: tokens.countMessage(message), at: 0 }))

const answer = fc.oneof(
  fc.integer({ min: 0, max: 10_000 }).map((size) => `## Goal\n${'x'.repeat(size * 4)}`),
  fc.integer({ min: 0, max: 10_000 }).map((size) => `## Goal\n${'line of it\n'.repeat(size / 3)}`),
  fc.constantFrom<string | Error>(
    '',
    'no sections here',
    '## Goal\n',
    '## A\nx\n'.repeat(2_000),
    new ModelError('blocked', 'no'),
    new ModelError('overloaded', 'no'),
    new Error('no'),
  ),
)

describe('a summary', () => {
  it('is always written, and shorter than what it stands for or a pointer to it', async () => {
    const source = fc.oneof(
      fc.integer({ min: 0, max: 12_000 }).map((size) => words(2_000, 'w').slice(0, size)),
      fc.integer({ min: 0, max: 12_000 }).map((size) => 'x'.repeat(size)),
      fc.integer({ min: 0, max: 3_000 }).map((size) => '漢'.repeat(size)),
    )
    await fc.assert(
      fc.asyncProperty(
        source,
        fc.option(answer),
        fc.integer({ min: 1, max: 2_400 }),
        async (text, given, target) => {
          const block = blockOf([user(text)])
          const request = await leafRequest(block, { before: undefined, records: target, tokens })
          const written = await writeNode(request, {
            model: given === null ? undefined : scripted(given),
            tokens,
            focusTopic: undefined,
            memoryContext: undefined,
            signal: undefined,
            streak: 0,
            must: true,
            quoted: target,
          })
          count.nodes++
          count[written.writer]++
          expect(written.tokens).toBe(tokens.countText(written.text ?? ''))
          if (written.text !== POINTER) expect(written.tokens).toBeLessThan(request.sourceTokens)
        },
      ),
      { numRuns: 400 },
    )
  })
})

describe('a compaction', () => {
  it.each([500, 700, 1_000, 3_000, 20_000])(
    'ends in a window of %i tokens, twice the same',
    async (window) => {
      for (const model of [
        undefined,
        scripted(),
        scripted(`## Goal\n${words(9_000)}`),
        scripted('nonsense'),
      ]) {
        const engine = createEngine({ window, model })
        const messages = [system('Be brief.'), ...turns(Math.ceil(window / 60), 40)]
        const once = await engine.compress({ messages, force: true })
        expect(once.outcome).toBe('compacted')
        expect(once.tokensAfter).toBeLessThan(window * 0.75)
        const twice = await engine.compress({ messages: once.messages, force: true })
        expect([twice.outcome, twice.messages]).toEqual(['unchanged', once.messages])
      }
    },
  )

  it('costs a model at most two calls for a summary, however much it writes', async () => {
    const model = scripted(`## Goal\n${words(9_000)}`)
    const engine = createEngine({ window: 8_000, model })
    const { summary } = await engine.compress({ messages: [system(), ...turns(60)], force: true })
    const [, shown, written] = /^(\d+) summaries.*, (\d+) new/.exec(summary ?? '') ?? []
    expect(Number(shown)).toBeGreaterThan(0)
    const condensed = Number(/(\d+) condensed/.exec(summary ?? '')?.[1] ?? 0)
    expect(model.calls.length).toBe(2 * (Number(written) + condensed))
  })
})
