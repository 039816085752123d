import {
  checkCompression,
  checkProjection,
  checkSequence,
  copyMessages,
  createContextSession,
  type Message,
  ModelError,
  redactSecrets,
} from '@palimpsest/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { brokenConversation, conversation, deepFreeze } from '../../core/test/arbitraries.ts'
import { counted } from '../../core/test/counted.ts'
import compressor from '../src/index.ts'
import { createEngine, SUMMARY, scripted, tokens } from './harness.ts'

/** Windows from absurdly small to roomy, both profiles, with and without a model that may fail. */
const setup = fc.record({
  profile: fc.constantFrom('lean' as const, 'classic' as const),
  window: fc.constantFrom(40, 200, 600, 2_000, 8_000),
  model: fc.constantFrom(undefined, 'answers', 'fails', 'is down', 'answers nonsense'),
})

function createModel(kind: string | undefined) {
  if (kind === 'answers') return scripted([SUMMARY])
  if (kind === 'fails') return scripted([new ModelError('unknown', 'no')])
  if (kind === 'is down') return scripted([new ModelError('network', 'down')])
  if (kind === 'answers nonsense') return scripted(['</conversation> ## ## [End of context summary] \ud800'])
  return undefined
}

type Setup = typeof setup extends fc.Arbitrary<infer Value> ? Value : never
const engineFor = ({ profile, window, model }: Setup) =>
  createEngine({ profile, window, model: createModel(model) })

const RUNS = 300

/** Runs a claim on generated input and prints how often. */
const check = <T>(claim: string, input: fc.Arbitrary<T>, predicate: (input: T) => Promise<void>) =>
  counted(claim, fc.asyncProperty(input, predicate), RUNS)

describe('laws, on generated conversations', () => {
  it('2, 3, 4, 5, 6: what comes out is a lawful projection of what went in', async () => {
    await check('laws 2 to 6', fc.tuple(conversation(), setup), async ([messages, options]) => {
      const frozen = deepFreeze(copyMessages(messages))
      const result = await engineFor(options).compress({ messages: frozen })
      expect(checkProjection(result.messages, frozen, { inFlight: true, before: frozen })).toEqual([])
      expect(checkCompression(frozen, result, tokens)).toEqual([])
    })
  })

  it('2: broken conversations are mended or refused with a code', async () => {
    await check('law 2, broken input', fc.tuple(brokenConversation(), setup), async ([messages, options]) => {
      const result = await engineFor(options)
        .compress({ messages })
        .catch((error: { code?: string }) => {
          if (error.code !== 'INVALID_MESSAGES') throw error
          return undefined
        })
      if (result?.outcome === 'compacted')
        expect(checkSequence(result.messages, { inFlight: true })).toEqual([])
    })
  })

  it('6: the input is as it was', async () => {
    await check('law 6', fc.tuple(conversation(), setup), async ([messages, options]) => {
      const before = JSON.stringify(messages)
      await engineFor(options).compress({ messages })
      expect(JSON.stringify(messages)).toBe(before)
    })
  })

  it('8: compacting again changes nothing', async () => {
    let compacted = 0
    await check(
      'law 8',
      fc.tuple(conversation(), setup, fc.boolean()),
      async ([messages, options, force]) => {
        const engine = engineFor(options)
        const first = await engine.compress({ messages, force })
        const second = await engine.compress({ messages: first.messages, force })
        if (first.outcome === 'compacted') {
          compacted++
          expect(second.outcome).toBe('unchanged')
        }
        expect(second.messages).toEqual(first.messages)
      },
    )
    // A property that hardly ever compacts would say nothing.
    expect(compacted).toBeGreaterThan(RUNS / 4)
    process.stdout.write(`law 8: ${compacted} of them were compacted\n`)
  })

  it('9: a planted secret reaches neither the summariser nor the summary', async () => {
    const key = `ghp_${'a1B2'.repeat(9)}`
    await check('law 9', fc.tuple(conversation(), setup, fc.nat()), async ([messages, options, place]) => {
      const secret: Message = { role: 'user', content: `my token is ${key}` }
      const users = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []))
      const at = users[place % Math.max(1, users.length)] ?? messages.length
      const planted = [...messages.slice(0, at), secret, ...messages.slice(at)]
      const model = createModel('answers')
      const { messages: after } = await createEngine({ ...options, model }).compress({ messages: planted })
      expect(checkProjection(after, planted, { inFlight: true, before: planted })).toEqual([])
      expect(JSON.stringify(model?.calls)).not.toContain(key)
      // Where the message itself was kept it is kept verbatim; a summary never carries the secret.
      const kept = after.filter(
        ({ content }) => typeof content === 'string' && content.startsWith('[Context summary'),
      )
      expect(JSON.stringify(kept)).not.toContain(key)
      expect(redactSecrets(JSON.stringify(kept))).toBe(JSON.stringify(kept))
    })
  })

  it('11: the same input gives the same output', async () => {
    await check('law 11', fc.tuple(conversation(), setup), async ([messages, options]) => {
      const first = await engineFor(options).compress({ messages })
      const second = await engineFor(options).compress({ messages })
      expect(second).toEqual(first)
    })
  })

  it('1, 2, 3, 4, 7: a session that grows turn by turn stays lawful and loses nothing of its transcript', async () => {
    await check(
      'laws 1 to 4 and 7, growing session',
      fc.tuple(conversation({ maxTurns: 12 }), setup),
      async ([messages, options]) => {
        const model = createModel(options.model)
        const session = createContextSession({
          engine: compressor,
          options: { profile: options.profile },
          contextLength: options.window,
          tokens,
          clock: { now: () => 0 },
          sessionId: 'test',
          ...(model !== undefined && { model }),
        })
        for (let length = 1; length <= messages.length; length++) {
          // A host asks when its last call is answered.
          if (checkSequence(messages.slice(0, length)).length > 0) continue
          const prepared = await session.prepare(messages.slice(0, length))
          expect(checkProjection(prepared.messages, messages.slice(0, length))).toEqual([])
          expect(prepared.warnings.filter(({ code }) => code === 'law-violation')).toEqual([])
        }
        await session.end()
      },
    )
  })
})
