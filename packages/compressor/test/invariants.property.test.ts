import {
  checkCompression,
  checkProjection,
  copyMessages,
  isSummary,
  type Message,
  ModelError,
  redactSecrets,
} from '@palimpsest/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { conversation, deepFreeze } from '../../core/test/arbitraries.ts'
import { counted } from '../../core/test/counted.ts'
import { createEngine, SUMMARY, scripted, tokens } from './harness.ts'

/** Options at the ends of their ranges and between them; those where one is left out. */
const options = fc.record(
  {
    threshold: fc.constantFrom(0, 0.05, 0.5, 0.95, 1),
    target_ratio: fc.constantFrom(0.1, 0.3, 0.8),
    protect_last_n: fc.constantFrom(1, 5, 40),
    protect_first_n: fc.constantFrom(0, 1, 10),
  },
  { requiredKeys: [] },
)

const window = fc.constantFrom(40, 200, 600, 2_000, 8_000)

const RUNS = 300

// The invariants on the defaults are the business of the contract suite (contract.test.ts).
describe('invariants, on generated conversations with any options', () => {
  it('2 to 6 and 8: what comes out is a valid projection, and compacting it again changes nothing', async () => {
    const model = fc.constantFrom(undefined, SUMMARY, new ModelError('network', 'down'))
    const setup = fc.record({ options, window, model, force: fc.boolean() })
    let compacted = 0
    await counted(
      'invariants 2 to 6 and 8, any options',
      fc.asyncProperty(conversation(), setup, async (generated, { options, window, model, force }) => {
        const messages = deepFreeze(copyMessages(generated))
        const engine = createEngine({
          ...options,
          window,
          model: model === undefined ? undefined : scripted([model]),
        })
        const result = await engine.compress({ messages, force })
        expect(checkProjection(result.messages, messages, { before: messages })).toEqual([])
        expect(checkCompression(messages, result, tokens)).toEqual([])
        if (result.outcome !== 'compacted') return
        compacted++
        const again = await engine.compress({ messages: result.messages, force })
        expect(again).toMatchObject({ outcome: 'unchanged', messages: result.messages })
      }),
      RUNS,
    )
    // A property that hardly ever compacts would say nothing.
    expect(compacted).toBeGreaterThan(RUNS / 4)
    process.stdout.write(`invariants 2 to 6 and 8, any options: ${compacted} of them were compacted\n`)
  })

  it('9: a summary holds nothing that the redactor would hide', async () => {
    const key = `ghp_${'a1B2'.repeat(9)}`
    await counted(
      'invariant 9, any options',
      fc.asyncProperty(
        conversation(),
        options,
        window,
        fc.nat(),
        async (messages, options, window, place) => {
          const secret: Message = { role: 'user', content: `my token is ${key}` }
          const users = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []))
          const at = users[place % Math.max(1, users.length)] ?? messages.length
          const planted = [...messages.slice(0, at), secret, ...messages.slice(at)]
          const model = scripted([`${SUMMARY}\n- The token is ${key}.`])
          const engine = createEngine({ ...options, window, model })
          const { messages: after } = await engine.compress({ messages: planted, force: true })
          const summaries = JSON.stringify(after.filter(isSummary))
          expect(redactSecrets(summaries)).toBe(summaries)
          expect(JSON.stringify(model.calls)).not.toContain(key)
        },
      ),
      RUNS,
    )
  })
})
