import {
  checkCompression,
  checkProjection,
  checkSequence,
  countMessages,
  HYGIENE_SHARE,
  isSummary,
  type Message,
  ModelError,
  messageText,
} from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import {
  allText,
  assistant,
  calls,
  createEngine,
  result,
  SUMMARY,
  scripted,
  summaryOf,
  system,
  tokens,
  turns,
  user,
  words,
} from './harness.ts'

const long = (): Message[] => [system(), ...turns(30, 400), user('What is next?')]

async function expectLawful(before: readonly Message[], engine = createEngine()) {
  const compacted = await engine.compress({ messages: before })
  expect(checkProjection(compacted.messages, before, { inFlight: true, before })).toEqual([])
  expect(checkCompression(before, compacted, tokens)).toEqual([])
  return compacted
}

describe.each(['lean', 'classic'] as const)('compress, profile %s', (profile) => {
  it('replaces the middle by one summary and keeps both ends', async () => {
    const before = long()
    const compacted = await expectLawful(before, createEngine({ profile, model: scripted([SUMMARY]) }))
    expect(compacted).toMatchObject({ outcome: 'compacted', reason: 'summarised', warnings: [] })
    expect(compacted.messages.filter(isSummary)).toHaveLength(1)
    expect(summaryOf(compacted.messages)).toContain('The user wanted the program looked at.')
    expect(compacted.messages.at(-1)).toEqual(before.at(-1))
    expect(compacted.tokensAfter).toBeLessThan(8_000)
    expect(compacted.changedFrom).toBeLessThan(6)
  })

  it('works without a model and says so', async () => {
    const compacted = await expectLawful(long(), createEngine({ profile }))
    expect(compacted.reason).toBe('summarised-without-model')
    expect(summaryOf(compacted.messages)).toMatch(/without a model/)
  })

  it('changes nothing the second time', async () => {
    const engine = createEngine({ profile })
    const first = await engine.compress({ messages: long() })
    const second = await engine.compress({ messages: first.messages })
    expect(second).toMatchObject({ outcome: 'unchanged', reason: 'nothing-to-compact' })
    expect(second.messages).toEqual(first.messages)
  })

  it('updates the earlier summary instead of nesting it', async () => {
    const model = scripted([SUMMARY, `${SUMMARY}\n- More parts were read.`])
    const engine = createEngine({ profile, model })
    const first = await engine.compress({ messages: long() })
    const grown = [...first.messages, assistant('I go on.'), ...turns(30, 400, 'n'), user('And now?')]
    const second = await expectLawful(grown, engine)
    expect(second.messages.filter(isSummary)).toHaveLength(1)
    expect(summaryOf(second.messages)).toContain('More parts were read.')
    expect(model.calls[1]?.prompt).toContain(
      '<previous_summary>\n## Goal\nThe user wanted the program looked at.',
    )
    expect(model.calls[1]?.prompt).not.toContain('[Context summary')
    expect(engine.compressionCount).toBe(2)
  })

  it('finds its earlier summary in a restored session', async () => {
    const first = await createEngine({ profile }).compress({ messages: long() })
    const restored = JSON.parse(JSON.stringify(first.messages)) as Message[]
    const model = scripted([SUMMARY])
    const grown = [...restored, assistant('I go on.'), ...turns(30, 400, 'n'), user('And now?')]
    const second = await createEngine({ profile, model }).compress({ messages: grown })
    expect(model.calls[0]?.prompt).toContain('<previous_summary>')
    expect(second.messages.filter(isSummary)).toHaveLength(1)
  })

  it('keeps the last user message verbatim when a long tool loop has left it far behind', async () => {
    const request = user(`Please port everything. ${words(50, 'request')}`)
    const loop = Array.from({ length: 40 }, (_, index) => [
      calls({ id: `l${index}` }),
      result(`l${index}`, words(300, `l${index}w`)),
    ]).flat()
    const compacted = await expectLawful([system(), ...turns(5), request, ...loop], createEngine({ profile }))
    expect(compacted.outcome).toBe('compacted')
    const texts = compacted.messages.map(messageText)
    expect(texts.indexOf(messageText(request))).toBeGreaterThan(compacted.messages.findIndex(isSummary))
  })

  it('never splits parallel calls', async () => {
    const groups = Array.from({ length: 20 }, (_, index) => {
      const ids = ['a', 'b', 'c', 'd'].map((letter) => `${letter}${index}`)
      return [calls(...ids.map((id) => ({ id }))), ...ids.map((id) => result(id, words(60, id)))]
    }).flat()
    const compacted = await expectLawful([system(), user('Go.'), ...groups], createEngine({ profile }))
    expect(compacted.outcome).toBe('compacted')
    expect(checkSequence(compacted.messages)).toEqual([])
  })

  it('keeps calls at the end that have no results yet', async () => {
    const open = calls({ id: 'open' })
    const compacted = await expectLawful([...long(), open], createEngine({ profile }))
    expect(compacted.messages.at(-1)).toEqual(open)
  })

  it('leaves a short conversation alone', async () => {
    for (const messages of [[], [system()], [system(), user('hi')], [user('hi'), assistant('hello')]]) {
      const kept = await expectLawful(messages, createEngine({ profile }))
      expect(kept).toMatchObject({ outcome: 'unchanged', messages, changedFrom: messages.length })
    }
  })

  it('says why when what must stay is larger than the target', async () => {
    const engine = createEngine({ profile })
    const huge = user(words(9_000))
    const compacted = await expectLawful([system(), ...turns(10, 300), huge], engine)
    expect(compacted.outcome).toBe('compacted')
    const codes = profile === 'classic' ? ['fewer-protected', 'above-target'] : ['above-target']
    expect(compacted.warnings.map(({ code }) => code)).toEqual(codes)
    expect(compacted.warnings.at(-1)?.message).toMatch(/last user message \d{4,}/)
    const again = await engine.compress({ messages: compacted.messages })
    expect(again.outcome).toBe('unchanged')
    expect(engine.shouldCompress({ promptTokens: again.tokensAfter })).toBe(false)
  })

  it('compacts harder when it is given a target', async () => {
    const messages = long()
    const usual = await createEngine({ profile }).compress({ messages })
    const harder = await createEngine({ profile }).compress({ messages, force: true, targetTokens: 3_000 })
    expect(harder.tokensAfter).toBeLessThan(3_000)
    expect(harder.tokensAfter).toBeLessThan(usual.tokensAfter)
  })

  it('leaves room for what the host sends beside the messages', async () => {
    const messages = long()
    const before = countMessages(tokens, messages)
    const compacted = await createEngine({ profile }).compress({ messages, currentTokens: before + 4_000 })
    // The last 20 messages, which stay in the profile classic, take more than the threshold leaves.
    const room = profile === 'classic' ? HYGIENE_SHARE * 16_000 : 8_000
    expect(compacted.tokensAfter + 4_000).toBeLessThan(room)
  })

  it('strips reasoning behind the first change and keeps it before', async () => {
    const thinking = (content: string): Message => ({
      ...assistant(content),
      providerData: { anthropic: { reasoning: ['…'] } },
    })
    const messages = [
      system(),
      user('Go.'),
      ...turns(30, 400),
      thinking('Nearly done.'),
      user('Good.'),
      thinking('Done.'),
    ]
    const compacted = await expectLawful(messages, createEngine({ profile }))
    expect(JSON.stringify(compacted.messages)).not.toContain('"reasoning"')
    expect(messageText(compacted.messages.at(-1) as Message)).toBe('Done.')
  })

  it('accepts content that is null, empty or a list of parts', async () => {
    const image = {
      role: 'user',
      content: [
        { type: 'text', text: 'See:' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(9000)}` } },
      ],
    } as Message
    const model = scripted([SUMMARY])
    const messages = [
      system(),
      image,
      { role: 'assistant', content: null } as Message,
      ...turns(30, 400),
      user(''),
    ]
    const compacted = await expectLawful(messages, createEngine({ profile, model }))
    expect(compacted.outcome).toBe('compacted')
    expect(model.calls.map(({ prompt }) => prompt).join()).not.toContain('AAAAAAAA')
  })
})

describe('compress', () => {
  it('shows the summariser everything that it clears in the profile lean', async () => {
    const model = scripted([SUMMARY])
    const facts = Array.from({ length: 30 }, (_, index) => `needle-${index}-of-thirty`)
    const loop = facts.flatMap((fact, index) => [
      calls({ id: `f${index}` }),
      result(`f${index}`, `${words(200, `a${index}`)} ${fact} ${words(200, `b${index}`)}`),
    ])
    const compacted = await createEngine({ model }).compress({
      messages: [system(), user('Go.'), ...loop],
    })
    const shown = model.calls.map(({ prompt }) => prompt).join()
    const visible = allText(compacted.messages)
    expect(facts.filter((fact) => !shown.includes(fact) && !visible.includes(fact))).toEqual([])
  })

  it('keeps the first exchange in the profile classic; lean quotes it in the summary, once', async () => {
    const opening = [user('Build the ledger.'), assistant('I will.')]
    for (const profile of ['lean', 'classic'] as const) {
      const engine = createEngine({ profile, window: 40_000 })
      const first = await engine.compress({
        messages: [system(), ...opening, ...turns(80, 400), user('Next?')],
      })
      const grown = [...first.messages, assistant('So.'), ...turns(80, 400, 'n'), user('And?')]
      const second = await engine.compress({ messages: grown })
      for (const { messages } of [first, second]) {
        const kept = messages.some((message) => messageText(message) === 'Build the ledger.')
        expect([profile, kept]).toEqual([profile, profile === 'classic'])
        expect(allText(messages).split('Build the ledger.')).toHaveLength(2)
      }
    }
  })

  it('protects no beginning when it is told so', async () => {
    const compacted = await createEngine({ protect_first_n: 0 }).compress({ messages: long() })
    expect(isSummary(compacted.messages[1] as Message)).toBe(true)
  })

  it('appends its note to the system prompt once in the profile classic, and never in lean', async () => {
    const engine = createEngine({ profile: 'classic' })
    const first = await engine.compress({ messages: long() })
    const second = await engine.compress({
      messages: [...first.messages, assistant('So.'), ...turns(30, 400, 'n'), user('And?')],
    })
    const note = messageText(second.messages[0] as Message).slice(messageText(system()).length)
    expect(note.match(/compacted into a summary/g)).toHaveLength(1)
    const lean = await createEngine().compress({ messages: long() })
    expect(lean.messages[0]).toEqual(system())
  })

  it('keeps the words of the user beside the summary in the profile lean', async () => {
    const messages = [
      system(),
      ...turns(3),
      user('The port must be 4711, always.'),
      assistant('Noted.'),
      ...turns(30, 400),
      user('Next?'),
    ]
    const compacted = await createEngine({ model: scripted([SUMMARY]), window: 32_000 }).compress({
      messages,
    })
    expect(summaryOf(compacted.messages)).toContain('- t4 user: The port must be 4711, always.')
  })

  it('appends identifiers that the summary dropped', async () => {
    const messages = [
      system(),
      user('Go.'),
      calls({ id: 'x' }),
      result(
        'x',
        `${words(100)}\nThe snapshot path of alpha is /var/data/alpha/8812.db and the build is 4f3a9c1d77.`,
      ),
      ...turns(30, 400),
      user('Next?'),
    ]
    const compacted = await createEngine({ model: scripted([SUMMARY]) }).compress({ messages })
    expect(summaryOf(compacted.messages)).toContain('/var/data/alpha/8812.db')
  })

  it('hides secrets from the summariser and in what it returns', async () => {
    const key = `sk-ant-${'a1B2'.repeat(10)}`
    const model = scripted([`${SUMMARY}\n- The key is ${key}.`])
    const messages = [
      system(),
      user(`Use ${key}.`),
      calls({ id: 'x', args: { header: `Bearer ${key}` } }),
      result('x', `API_KEY=${key}`),
      ...turns(30, 400),
      user('Next?'),
    ]
    const engine = createEngine({ model, protect_first_n: 0 })
    const compacted = await engine.compress({
      messages,
      focusTopic: `about ${key}`,
      memoryContext: `remember ${key}`,
    })
    expect(JSON.stringify(model.calls)).not.toContain(key)
    expect(JSON.stringify(compacted.messages)).not.toContain(key)
    const offline = await createEngine({ protect_first_n: 0 }).compress({ messages })
    expect(JSON.stringify(offline.messages)).not.toContain(key)
  })

  it('refuses what is not a list of messages, and stays usable', async () => {
    const engine = createEngine()
    for (const bad of [
      null,
      'text',
      [null],
      [{ role: 'robot', content: '' }],
      [{ role: 'user', content: 7 }],
    ]) {
      await expect(engine.compress({ messages: bad as never })).rejects.toMatchObject({
        code: 'INVALID_MESSAGES',
      })
    }
    expect((await engine.compress({ messages: long() })).outcome).toBe('compacted')
  })

  it('repairs broken pairs on the way', async () => {
    const messages = [
      system(),
      user('Go.'),
      result('ghost', 'orphan'),
      calls({ id: 'lost' }),
      ...turns(30, 400),
      user('Next?'),
    ]
    const compacted = await createEngine().compress({ messages })
    expect(checkSequence(compacted.messages)).toEqual([])
  })

  it('runs overlapping calls one after the other', async () => {
    let running = 0
    let most = 0
    const model = scripted([
      async () => {
        most = Math.max(most, ++running)
        await new Promise((resolve) => setTimeout(resolve, 5))
        running--
        return SUMMARY
      },
    ])
    const engine = createEngine({ model })
    await Promise.all([1, 2, 3].map(() => engine.compress({ messages: long() })))
    expect(most).toBe(1)
  })

  it('is as it was before after an abort', async () => {
    const controller = new AbortController()
    const model = scripted([
      ({ signal }) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason))
          controller.abort(new Error('stop'))
        }),
      SUMMARY,
    ])
    const engine = createEngine({ model })
    await expect(engine.compress({ messages: long(), signal: controller.signal })).rejects.toThrow('stop')
    expect(engine.compressionCount).toBe(0)
    expect((await engine.compress({ messages: long() })).outcome).toBe('compacted')
    await expect(
      engine.compress({ messages: long(), signal: AbortSignal.abort(new Error('early')) }),
    ).rejects.toThrow('early')
    expect(model.calls).toHaveLength(2)
  })

  it('remembers nothing of an answer that comes after an abort', async () => {
    const controller = new AbortController()
    let answer: (text: string) => void = () => {}
    const model = scripted([
      () =>
        new Promise<string>((resolve) => {
          answer = resolve
          controller.abort(new Error('stop'))
        }),
      SUMMARY,
    ])
    const engine = createEngine({ model })
    await expect(engine.compress({ messages: long(), signal: controller.signal })).rejects.toThrow('stop')
    answer(SUMMARY)
    expect(await engine.compress({ messages: long() })).toMatchObject({ outcome: 'compacted' })
    expect(engine.compressionCount).toBe(1)
  })

  it('refuses to work after dispose', async () => {
    const engine = createEngine()
    await engine.dispose()
    await engine.dispose()
    await expect(engine.compress({ messages: long() })).rejects.toMatchObject({ code: 'DISPOSED' })
    await expect(engine.ingest({ messages: long(), from: 0 })).rejects.toMatchObject({ code: 'DISPOSED' })
  })

  it('cuts deeper when compactions follow each other closely', async () => {
    const engine = createEngine({ profile: 'classic' })
    let { messages } = await engine.compress({ messages: long() })
    const sizes: number[] = []
    for (let round = 0; round < 4; round++) {
      const grown = [
        ...messages,
        assistant(`So ${round}.`),
        ...turns(1, 60, `g${round}`),
        user(`And ${round}?`),
      ]
      const step = await engine.compress({ messages: grown, force: true })
      messages = step.messages
      sizes.push(step.tokensAfter)
    }
    expect(sizes.at(-1)).toBeLessThan(sizes[0] as number)
  })

  it('keeps going when a model error has no kind', async () => {
    const compacted = await createEngine({ model: scripted([new ModelError('unknown', 'odd')]) }).compress({
      messages: long(),
    })
    expect(compacted).toMatchObject({
      outcome: 'compacted',
      reason: 'summarised-without-model',
      warnings: [{ code: 'summariser-failed' }],
    })
  })
})

it('a model is told what stands beside its record, and the frame holds it: first request, ticket, names', async () => {
  const model = scripted(['## Goal\nThe user wanted transfers between currencies.'])
  const ticket = '# Ticket 12: currencies\n\nCriteria:\n- Rounding is half-even\n- Fees go to FEE-77'
  const messages = [
    system(),
    user('Build a ledger service. Keep every amount in cents.'),
    assistant('The ledger of src/ledger.ts keeps cents.'),
    user('do ticket 12'),
    calls({ id: 'a', args: { path: 'tickets/12.md' } }),
    result('a', ticket),
    calls({ id: 'b', args: { path: 'src/round.ts' } }),
    result('b', words(3_000)),
    assistant('I rounded in src/round.ts.'),
  ]
  const compacted = await createEngine({ window: 8_000, model }).compress({ messages, force: true })
  const plain = (text = '') => text.replace(/word\d+( word\d+)+/g, '(words)')
  expect(plain(model.calls[0]?.prompt)).toMatchInlineSnapshot(`
    "<conversation>
    [user] Build a ledger service. Keep every amount in cents.
    [assistant] The ledger of src/ledger.ts keeps cents.
    [assistant calls read] {"path":"tickets/12.md"}
    [tool result] # Ticket 12: currencies

    Criteria:
    - Rounding is half-even
    - Fees go to FEE-77
    [assistant calls read] {"path":"src/round.ts"}
    [tool result] (words)
    </conversation>

    Write the record of the conversation above. Beside your record stand, word for word, the user's messages, the ticket or plan that is worked on, and a list of names: do not list them again. Give the room to why something was done, how it works, what failed, and what comes next. Aim at no more than 483 tokens. Use exactly these headings:

    ## Goal
    (what the user wanted, and what of it is still open)
    ## Constraints & Preferences
    (rules that the user stated, word for word; a one-off instruction is not a rule)
    ## Progress
    (sub-headings "### Done", "### In Progress", "### Blocked"; each with its outcome, failures too)
    ## Key Decisions
    (what was chosen, by whom, why, and what it replaced)
    ## Errors & Fixes
    (exact error texts, and what fixed them)
    ## Next Steps
    (what had been planned, as a report and not as an instruction)

    Leave out a section that has nothing. Answer with the record only."
  `)
  const shown = compacted.messages.map((message) => `${message.role}: ${messageText(message)}`)
  expect(plain(shown.join('\n\n'))).toMatchInlineSnapshot(`
    "system: You are a coding agent.

    user: [Context summary: reference only]
    Earlier messages of this conversation were replaced by this summary to fit the context window. It is a record of the past, not a request: what it mentions was asked or done before. Only messages after it are current. If a detail is missing, search for it, read the file again, or ask.

    ## Goal
    The user wanted transfers between currencies.

    ## Excerpts (verbatim, without a model)
    - t1 user: Build a ledger service. Keep every amount in cents.
    - t1 document: read tickets/12.md: # Ticket 12: currencies Criteria: - Rounding is half-even - Fees go to FEE-77

    ## Identifiers
    src/ledger.ts (words)

    [End of context summary]

    assistant: (The summary above covers the conversation up to here.)

    user: do ticket 12

    assistant: I rounded in src/round.ts."
  `)
})
