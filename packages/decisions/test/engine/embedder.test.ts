import { describe, expect, it } from 'vitest'
import { createEmbedder, type Embed } from '../../src/engine/embedder.ts'
import { createMemoryDecisionStore } from '../../src/index.ts'
import { talkWith } from './harness.ts'
import { decisionsOf } from './views.ts'

/** A clock that stands until somebody moves it. */
function standingClock() {
  let now = 0
  return { now: () => now, pass: (milliseconds: number) => (now += milliseconds) }
}

/** A vector by the topic of a text. */
const vectorOf = (text: string) => (/teal|colour/.test(text) ? [3, 0.1] : [0, 2])

function watched(embed: Embed) {
  const calls: (readonly string[])[] = []
  const clock = standingClock()
  const embedder = createEmbedder({
    clock,
    embed(texts, options) {
      calls.push(texts)
      return embed(texts, options)
    },
  })
  return { calls, clock, embedder, prepare: (...texts: string[]) => embedder.prepare(texts, { limitMs: 50 }) }
}

describe('an embedding', () => {
  it.each<[string, Embed]>([
    ['at once', (texts) => texts.map(vectorOf)],
    ['as a promise', async (texts) => texts.map(vectorOf)],
    ['in typed arrays', async (texts) => texts.map((text) => Float32Array.from(vectorOf(text)))],
  ])('given %s is used', async (_, embed) => {
    const { embedder, prepare } = watched(embed)
    await prepare('a teal heading', 'the colour is blue', 'tests first')
    expect(embedder.similarity('a teal heading', 'the colour is blue')).toBeCloseTo(1)
    expect(embedder.similarity('a teal heading', 'tests first')).toBeLessThan(0.1)
    expect(embedder.similarity('a teal heading', 'never prepared')).toBeUndefined()
    expect(embedder.takeWarnings()).toEqual([])
  })

  it('is asked for each text once, many in a call, and in a bounded number of calls', async () => {
    const { calls, prepare } = watched((texts) => texts.map(vectorOf))
    const texts = Array.from({ length: 200 }, (_, index) => `text ${index}`)
    await prepare(...texts, ...texts, ' ')
    await prepare(...texts)
    expect(calls.map(({ length }) => length)).toEqual([96, 96, 8])
    await prepare(...Array.from({ length: 10_000 }, (_, index) => `other ${index}`))
    expect(calls).toHaveLength(7)
  })

  it('is shown no secret', async () => {
    const { calls, prepare, embedder } = watched((texts) => texts.map(vectorOf))
    const key = `sk-ant-api03-${'a1B2c3D4'.repeat(10)}`
    await prepare(`Use ${key}`, 'a teal heading')
    expect(JSON.stringify(calls)).not.toContain(key)
    expect(embedder.similarity(`Use ${key}`, 'a teal heading')).toBeDefined()
  })

  it.each<[string, unknown, RegExp]>([
    ['too few', [[1, 2]], /expected 2 vectors, got 1/],
    ['of two lengths', [[1, 2], [1]], /expected vectors of 2 numbers, got one of 1/],
    ['without numbers', [['a'], ['b']], /list of finite numbers/],
    ['of NaN', [[Number.NaN], [1]], /list of finite numbers/],
    ['of nothing', [[], []], /list of finite numbers/],
    [
      'of zeros',
      [
        [0, 0],
        [1, 1],
      ],
      /not all of them 0/,
    ],
    ['in another shape', { data: [] }, /expected a list of 2 vectors/],
    ['as text', ['12', '34'], /list of finite numbers/],
  ])('with vectors %s is a warning, and words are compared', async (_, answer, reason) => {
    const { embedder, prepare } = watched(async () => answer as number[][])
    await prepare('one', 'two')
    expect(embedder.similarity('one', 'two')).toBeUndefined()
    expect(embedder.takeWarnings()).toMatchObject([
      { code: 'embedding-failed', message: expect.stringMatching(reason) },
    ])
    expect(embedder.takeWarnings()).toEqual([])
  })

  it('of another length than before is refused', async () => {
    const { embedder, prepare } = watched((texts) =>
      texts.map((text) => (text === 'one' ? [1, 2] : [1, 2, 3])),
    )
    await prepare('one')
    await prepare('two')
    expect(embedder.takeWarnings()[0]?.message).toMatch(/expected vectors of 2 numbers, got one of 3/)
  })

  it.each<[string, Embed]>([
    [
      'throws',
      () => {
        throw new Error('no model is loaded')
      },
    ],
    ['rejects', () => Promise.reject(new Error('no model is loaded'))],
  ])('that %s is left alone for a minute', async (_, embed) => {
    const { calls, clock, embedder, prepare } = watched(embed)
    await prepare('one')
    await prepare('two')
    expect(calls).toHaveLength(1)
    expect(embedder.takeWarnings()[0]?.message).toMatch(/no model is loaded/)
    clock.pass(60_001)
    await prepare('two')
    expect(calls).toHaveLength(2)
  })

  it('that never answers is waited for no longer than the limit, and its signal is aborted', async () => {
    let given: AbortSignal | undefined
    const { embedder, prepare } = watched((_, { signal }) => {
      given = signal
      return new Promise(() => {})
    })
    await prepare('one')
    expect(given?.aborted).toBe(true)
    expect(embedder.takeWarnings()[0]?.message).toMatch(/no answer in 0.05 s/)
  })

  it('is left at once by an abort, with its reason, and is not blamed for it', async () => {
    const { embedder } = watched(() => new Promise(() => {}))
    const controller = new AbortController()
    const waiting = embedder.prepare(['one'], { limitMs: 60_000, signal: controller.signal })
    controller.abort(new Error('the turn is over'))
    await expect(waiting).rejects.toThrow('the turn is over')
    expect(embedder.takeWarnings()).toEqual([])
  })
})

describe('a session with an embedding', () => {
  const rules = [
    'Always write unit tests for handlers.',
    'Always cover handlers by automated checks.',
  ] as const
  const told = async (embed?: Embed) => {
    const store = createMemoryDecisionStore()
    const talk = talkWith({ store, ...(embed && { embed }) })
    for (const rule of rules) await talk.turn(rule)
    const found = await decisionsOf(store)
    const long = Array.from({ length: 40 }, (_, index) => [
      { role: 'user' as const, content: `Look at screen ${index}. ${'The grid is fine. '.repeat(60)}` },
      { role: 'assistant' as const, content: 'Done.' },
    ]).flat()
    const { warnings } = await talk.session.prepare([
      ...talk.history,
      ...long,
      { role: 'user', content: 'And?' },
    ])
    await talk.session.end()
    return { sources: found.map(({ sources }) => sources.length), warnings }
  }

  it('waits for its promise, and takes what means the same for the same', async () => {
    const slow: Embed = async (texts) => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      return texts.map(() => [1, 1])
    }
    expect((await told()).sources).toEqual([1, 1])
    expect((await told(slow)).sources).toEqual([2])
    expect((await told((texts) => texts.map(() => [1, 1]))).sources).toEqual([2])
  })

  it('goes on by words when it fails, with a warning at the next compaction', async () => {
    const { sources, warnings } = await told(() => Promise.reject(new Error('no model is loaded')))
    expect(sources).toEqual([1, 1])
    expect(warnings.map(({ code }) => code)).toEqual(['embedding-failed'])
  })
})
