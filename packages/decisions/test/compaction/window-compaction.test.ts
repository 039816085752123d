import { createFakeClock, createScriptedModel, type ModelStep } from '@palimpsest/contract-tests'
import {
  countMessages,
  createContextSession,
  HYGIENE_SHARE,
  isSummary,
  type Message,
  ModelError,
  readSummary,
  roughTokenCounter,
} from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import decisions, { createMemoryDecisionStore, type DecisionsOptions } from '../../src/index.ts'

const SYSTEM: Message = { role: 'system', content: 'You are a coding agent.' }
const PROSE = '## Conclusions\nThe marker word is zanzibar.'
const count = (messages: readonly Message[]) => countMessages(roughTokenCounter, messages)

/** Turns of about 500 tokens about one thing, each with an identifier of its own, of so many tokens together. */
function turnsOf(tokens: number, first = 0): Message[] {
  const list: Message[] = []
  for (let turn = first; count(list) < tokens; turn++)
    list.push(
      {
        role: 'user',
        content: `Look at the spacing of the left column in src/screens/screen${turn}.ts again.`,
      },
      {
        role: 'assistant',
        content: 'The spacing of the left column follows the grid of the screen. '.repeat(30),
      },
    )
  return list
}

function chatWith(
  options: DecisionsOptions,
  {
    window,
    steps,
    store = createMemoryDecisionStore(),
  }: {
    readonly window: number
    readonly steps?: readonly ModelStep[]
    readonly store?: ReturnType<typeof createMemoryDecisionStore>
  },
) {
  const clock = createFakeClock()
  const model = steps && createScriptedModel(steps)
  const session = createContextSession<DecisionsOptions>({
    engine: decisions,
    // What turns say is read by rules alone, so that the model is asked for summaries only.
    options: {
      store,
      extraction_model: createScriptedModel(['{"candidates":[]}']),
      threshold: 0.5,
      ...options,
    },
    contextLength: window,
    tokens: roughTokenCounter,
    clock,
    sessionId: 'chat',
    ...(model && { model }),
  })
  return { session, clock, model }
}

const summaryOf = (messages: readonly Message[]) =>
  messages.flatMap((message) => readSummary(message) ?? []).join('\n')

const engineWith = (options: DecisionsOptions) =>
  decisions.create(options, {
    contextLength: 200_000,
    maxOutputTokens: 0,
    tokens: roughTokenCounter,
    clock: { now: () => 1 },
    sessionId: 'chat',
  })

it('is never due at a threshold of 0, and at 1 when the window is full', () => {
  const due = (threshold: number, promptTokens: number) =>
    engineWith({ threshold }).shouldCompress({ promptTokens })
  expect([due(0, 400_000), due(1, 199_999), due(1, 200_000)]).toEqual([false, false, true])
})

describe('the profile seed', () => {
  const engine = () => engineWith({ profile: 'seed' })

  it('compacts at 35,000 tokens, and not below', () => {
    expect(engine().shouldCompress({ promptTokens: 34_999 })).toBe(false)
    expect(engine().shouldCompress({ promptTokens: 35_000 })).toBe(true)
    expect(engine().thresholdTokens).toBe(35_000)
  })

  it('compacts above 25,000 tokens when the topic shifts, and not below or without a shift', async () => {
    const shifting = engine()
    await shifting.ingest({ messages: [SYSTEM, ...turnsOf(4_000)], from: 0 })
    expect(shifting.shouldCompress({ promptTokens: 30_000 })).toBe(false)
    const from = 1 + turnsOf(4_000).length
    await shifting.ingest({
      messages: [{ role: 'user', content: 'New topic: which queue do we take?' }],
      from,
    })
    expect(shifting.shouldCompress({ promptTokens: 25_001 })).toBe(true)
    expect(shifting.shouldCompress({ promptTokens: 24_999 })).toBe(false)
    await shifting.ingest({ messages: [{ role: 'user', content: 'Which one, then?' }], from: from + 1 })
    expect(shifting.shouldCompress({ promptTokens: 30_000 })).toBe(false)
  })

  it('does so in a session', async () => {
    const { session } = chatWith({ profile: 'seed' }, { window: 200_000, steps: [PROSE] })
    const compactions: number[] = []
    let history: Message[] = [SYSTEM]
    for (const tokens of [27_000, 4_000, 6_000]) {
      history = [...history, ...turnsOf(tokens, history.length)]
      const prepared = await session.prepare([
        ...history,
        { role: 'user', content: 'Go on with the column.' },
      ])
      compactions.push(prepared.compactions.filter(({ outcome }) => outcome === 'compacted').length)
    }
    expect(compactions).toEqual([0, 0, 1])
    await session.end()
  })
})

describe('a summary', () => {
  it('has parts of two fifths of 1,200 tokens in its profile, and of the other engines by default', async () => {
    for (const [profile, least, most] of [
      ['seed', 480, 480],
      ['default', 2_000, 3_500],
    ] as const) {
      const { session, model } = chatWith({ profile }, { window: 60_000, steps: [PROSE] })
      await session.prepare([SYSTEM, ...turnsOf(28_000), { role: 'user', content: 'Go on.' }])
      await session.compact()
      const room = Number(/room for (\d+) tokens/.exec(model?.calls.at(-1)?.prompt ?? '')?.[1])
      expect(room).toBeGreaterThanOrEqual(least)
      expect(room).toBeLessThanOrEqual(most)
      await session.end()
    }
  })

  it('holds the rules of the user word for word, whatever a model writes', async () => {
    const { session } = chatWith({}, { window: 60_000, steps: [PROSE] })
    const rule: Message = { role: 'user', content: 'Spacing is always a multiple of 4 pixels.' }
    await session.prepare([SYSTEM, rule, { role: 'assistant', content: 'Yes.' }, ...turnsOf(28_000)])
    await session.prepare()
    expect(summaryOf((await session.compact()).messages)).toContain(
      '- Spacing is always a multiple of 4 pixels.',
    )
    await session.end()
  })

  it('goes on from the one before, in one message', async () => {
    const { session, model } = chatWith({}, { window: 16_000, steps: [PROSE] })
    let history: Message[] = [SYSTEM]
    let last: readonly Message[] = []
    for (let round = 0; round < 5; round++) {
      history = [
        ...history,
        ...turnsOf(7_000, history.length),
        { role: 'user', content: 'Go on.' },
        { role: 'assistant', content: 'Yes.' },
      ]
      last = (await session.prepare([...history, { role: 'user', content: 'And?' }])).messages
      expect(last.filter(isSummary).length).toBeLessThanOrEqual(1)
    }
    const prompts = model?.calls.map(({ prompt }) => prompt) ?? []
    expect(prompts.length).toBeGreaterThanOrEqual(2)
    expect(prompts[0]).not.toContain('<previous_summary>')
    const goingOn = prompts.slice(1).filter((prompt) => !prompt.includes('Join the records above'))
    for (const prompt of goingOn) expect(prompt.split('<previous_summary>')[1]).toContain('zanzibar')
    await session.end()
  })

  it('of an earlier life is taken up when the transcript is told again, and not after an edit of it', async () => {
    const store = createMemoryDecisionStore()
    const first = chatWith({}, { window: 16_000, steps: [PROSE], store })
    const history = [SYSTEM, ...turnsOf(9_000), { role: 'user' as const, content: 'Go on.' }]
    await first.session.prepare(history)
    await first.session.end()
    expect(first.model?.calls.length).toBe(1)

    const same = chatWith({}, { window: 16_000, steps: ['## Conclusions\nanother one'], store })
    expect(summaryOf((await same.session.prepare(history)).messages)).toContain('zanzibar')
    expect(same.model?.calls).toEqual([])
    await same.session.end()

    const edited = chatWith({}, { window: 16_000, steps: ['## Conclusions\nanother one'], store })
    const changed = history.map((message, index) =>
      index === 1 ? { role: 'user' as const, content: 'Something else.' } : message,
    )
    expect(summaryOf((await edited.session.prepare(changed)).messages)).not.toContain('zanzibar')
    expect(edited.model?.calls.length).toBe(1)
    await edited.session.end()
  })
})

describe('a model that fails', () => {
  const history = [SYSTEM, ...turnsOf(9_000), { role: 'user' as const, content: 'Go on.' }]

  it.each(['auth', 'quota', 'overloaded', 'network', 'timeout', 'truncated', 'empty'] as const)(
    'with "%s" keeps everything while there is room, and is not asked again at once',
    async (kind) => {
      const { session, model, clock } = chatWith(
        {},
        { window: 16_000, steps: [new ModelError(kind, 'no'), PROSE] },
      )
      const { messages, compactions } = await session.prepare(history)
      expect(compactions.map(({ outcome, reason }) => [outcome, reason])).toEqual([
        ['aborted', `summariser-${kind}`],
      ])
      expect(compactions[0]?.warnings[0]?.message).toContain('nothing was compacted')
      expect(messages.slice(1).length).toBeGreaterThanOrEqual(history.length - 1)
      const again = await session.prepare([
        ...history,
        { role: 'assistant', content: 'Yes.' },
        { role: 'user', content: 'And?' },
      ])
      expect(again.compactions.every(({ outcome }) => outcome !== 'compacted')).toBe(true)
      expect(model?.calls).toHaveLength(1)
      clock.advance(1_000_000)
      const later = await session.prepare([
        ...history,
        { role: 'assistant', content: 'Yes.' },
        { role: 'user', content: 'And?' },
        { role: 'assistant', content: 'Well.' },
        { role: 'user', content: 'What now?' },
      ])
      expect(later.compactions.map(({ outcome }) => outcome)).toEqual(['compacted'])
      expect(summaryOf(later.messages)).toContain('zanzibar')
      await session.end()
    },
  )

  it.each(['invalid-request', 'blocked', 'unknown'] as const)(
    'with "%s" is replaced by a summary without it, and that is said',
    async (kind) => {
      const { session } = chatWith({}, { window: 16_000, steps: [new ModelError(kind, 'no')] })
      const { messages, compactions } = await session.prepare(history)
      expect(compactions.at(-1)?.outcome).toBe('compacted')
      expect(compactions[0]?.warnings[0]?.message).toContain('a summary without a model was used instead')
      expect(summaryOf(messages)).toMatch(/src\/screens\/screen\d+\.ts/)
      await session.end()
    },
  )

  it('is replaced, whatever failed, when the user asks or the window is full', async () => {
    const asked = chatWith({}, { window: 30_000, steps: [new ModelError('quota', 'no')] })
    await asked.session.prepare(history)
    expect((await asked.session.compact()).outcome).toBe('compacted')
    const full = chatWith({}, { window: 10_000, steps: [new ModelError('quota', 'no')] })
    const { compactions } = await full.session.prepare(history)
    expect(compactions.at(-1)?.outcome).toBe('compacted')
    for (const { session } of [asked, full]) await session.end()
  })
})

describe('results that must stay', () => {
  const WINDOW = 12_000
  const LIMIT = WINDOW * HYGIENE_SHARE
  const round = (id: string, results: number, tokens: number): Message[] => [
    {
      role: 'assistant',
      content: null,
      tool_calls: Array.from({ length: results }, (_, index) => ({
        id: `${id}${index}`,
        type: 'function' as const,
        function: { name: 'read', arguments: '{}' },
      })),
    },
    ...Array.from(
      { length: results },
      (_, index): Message => ({
        role: 'tool',
        tool_call_id: `${id}${index}`,
        content: 'A line of it.\n'.repeat(Math.floor((tokens * 4) / 14)),
      }),
    ),
  ]
  const asked: Message[] = [SYSTEM, ...turnsOf(9_000), { role: 'user', content: 'Read them.' }]

  it('and take nearly all of the room leave a shorter summary, which fits beside them', async () => {
    const steps = [`## Conclusions\n${'The marker word is zanzibar and it is said again. '.repeat(900)}`]
    const { session } = chatWith({ threshold: HYGIENE_SHARE - 0.001 }, { window: WINDOW, steps })
    await session.prepare(asked)
    const { messages, tokens } = await session.prepare([...asked, ...round('big', 2, 4_000)])
    expect(summaryOf(messages)).toContain('zanzibar')
    expect(tokens).toBeLessThan(LIMIT)
    await session.end()
  })

  it('and are too large are cut to the window, and summarised as soon as they need not stay any more', async () => {
    const { session } = chatWith({ threshold: HYGIENE_SHARE - 0.001 }, { window: WINDOW })
    await session.prepare(asked)
    const read = [...asked, ...round('huge', 3, 4_000)]
    const large = await session.prepare(read)
    expect(large.tokens).toBeLessThanOrEqual(WINDOW)
    expect(large.warnings.map(({ code }) => code)).toContain('cut-to-window')
    const { tokens, compactions } = await session.prepare([...read, ...round('next', 1, 20)])
    expect(compactions.map(({ outcome }) => outcome)).toEqual(['compacted'])
    expect(tokens).toBeLessThan(LIMIT)
    await session.end()
  })
})

describe('a window that is exceeded', () => {
  it('is compacted although the request takes nearly all of the room', async () => {
    const { session } = chatWith({}, { window: 16_000 })
    const ids = Array.from({ length: 400 }, (_, index) => `c${index}`)
    const read: Message[] = [
      SYSTEM,
      { role: 'user', content: 'Look at the spacing of the left column. '.repeat(700) },
      {
        role: 'assistant',
        content: null,
        tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'read', arguments: '{}' } })),
      },
      ...ids.map((id): Message => ({ role: 'tool', tool_call_id: id, content: `${id} `.repeat(200) })),
    ]
    expect((await session.prepare(read)).tokens).toBeGreaterThan(16_000)
    const { tokens, compactions } = await session.prepare([...read, { role: 'assistant', content: 'Done.' }])
    expect(compactions.map(({ outcome }) => outcome)).toEqual(['compacted'])
    expect(tokens).toBeLessThan(16_000)
    await session.end()
  })
})

describe('small windows', () => {
  it.each([
    [1_500, 'default'],
    [2_000, 'default'],
    [4_000, 'default'],
    [2_000, 'seed'],
    [4_000, 'seed'],
    [8_000, 'seed'],
  ] as const)(
    'of %i tokens, profile %s: compaction ends, and a second one changes nothing',
    async (window, profile) => {
      const { session } = chatWith({ profile }, { window, steps: [PROSE] })
      let history: Message[] = [SYSTEM]
      for (let round = 0; round < 6; round++) {
        history = [...history, ...turnsOf(window / 2, history.length), { role: 'user', content: 'Go on.' }]
        const { messages, compactions } = await session.prepare(history)
        expect(compactions.length).toBeLessThanOrEqual(3)
        expect(count(messages)).toBeLessThanOrEqual(window)
        history = [...history, { role: 'assistant', content: 'Yes.' }]
      }
      await session.compact()
      const second = await session.compact()
      const third = await session.compact()
      expect(third.outcome).toBe('unchanged')
      expect(third.messages).toEqual(second.messages)
      await session.end()
    },
  )
})
