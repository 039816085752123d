import {
  checkCompression,
  checkProjection,
  countMessages,
  isSummary,
  type Message,
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

async function expectValid(before: readonly Message[], engine = createEngine()) {
  const compacted = await engine.compress({ messages: before })
  expect(checkProjection(compacted.messages, before, { inFlight: true, before })).toEqual([])
  expect(checkCompression(before, compacted, tokens)).toEqual([])
  return compacted
}

describe('compress', () => {
  it('replaces the middle by one summary and keeps both ends', async () => {
    const before = long()
    const compacted = await expectValid(before, createEngine({ model: scripted([SUMMARY]) }))
    expect(compacted).toMatchObject({ outcome: 'compacted', reason: 'summarised', warnings: [] })
    expect(compacted.messages.filter(isSummary)).toHaveLength(1)
    expect(summaryOf(compacted.messages)).toContain('The user wanted the program looked at.')
    expect(compacted.messages.at(-1)).toEqual(before.at(-1))
    expect(compacted.tokensAfter).toBeLessThan(8_000)
    expect(compacted.changedFrom).toBeLessThan(6)
  })

  it('works without a model and says so', async () => {
    const compacted = await expectValid(long(), createEngine())
    expect(compacted.reason).toBe('summarised-without-model')
    expect(summaryOf(compacted.messages)).toContain('- Please look at part t2 of the program.')
  })

  it('updates the earlier summary instead of nesting it', async () => {
    const model = scripted([SUMMARY, `${SUMMARY}\n- More parts were read.`])
    const engine = createEngine({ model })
    const first = await engine.compress({ messages: long() })
    const grown = [...first.messages, assistant('I go on.'), ...turns(30, 400, 'n'), user('And now?')]
    const second = await expectValid(grown, engine)
    expect(second.messages.filter(isSummary)).toHaveLength(1)
    expect(summaryOf(second.messages)).toContain('More parts were read.')
    expect(model.calls[1]?.prompt).toContain(
      '<previous_summary>\n## Goal\nThe user wanted the program looked at.',
    )
    expect(model.calls[1]?.prompt).not.toContain('[Context summary')
    expect(engine.compressionCount).toBe(2)
  })

  it('finds its earlier summary in a restored session', async () => {
    const first = await createEngine().compress({ messages: long() })
    const restored = JSON.parse(JSON.stringify(first.messages)) as Message[]
    const model = scripted([SUMMARY])
    const grown = [...restored, assistant('I go on.'), ...turns(30, 400, 'n'), user('And now?')]
    const second = await createEngine({ model }).compress({ messages: grown })
    expect(model.calls[0]?.prompt).toContain('<previous_summary>')
    expect(second.messages.filter(isSummary)).toHaveLength(1)
  })

  it('keeps the last user message verbatim when a long tool loop has left it far behind', async () => {
    const request = user(`Please port everything. ${words(50, 'request')}`)
    const loop = Array.from({ length: 40 }, (_, index) => [
      calls({ id: `l${index}` }),
      result(`l${index}`, words(300, `l${index}w`)),
    ]).flat()
    const compacted = await expectValid([system(), ...turns(5), request, ...loop], createEngine())
    expect(compacted.outcome).toBe('compacted')
    const texts = compacted.messages.map(messageText)
    expect(texts.indexOf(messageText(request))).toBeGreaterThan(compacted.messages.findIndex(isSummary))
  })

  it('says why when what must stay is larger than the target', async () => {
    const engine = createEngine()
    const huge = user(words(9_000))
    const compacted = await expectValid([system(), ...turns(10, 300), huge], engine)
    expect(compacted.outcome).toBe('compacted')
    expect(compacted.warnings.map(({ code }) => code)).toEqual(['above-target'])
    expect(compacted.warnings.at(-1)?.message).toMatch(
      /the last of the user \d{4,}|end of the conversation \d{4,}/,
    )
    const again = await engine.compress({ messages: compacted.messages })
    expect(again.outcome).toBe('unchanged')
    expect(engine.shouldCompress({ promptTokens: again.tokensAfter })).toBe(false)
  })

  it('compacts harder when it is given a target', async () => {
    const messages = long()
    const usual = await createEngine().compress({ messages })
    const harder = await createEngine().compress({ messages, force: true, targetTokens: 3_000 })
    expect(harder.tokensAfter).toBeLessThan(3_000)
    expect(harder.tokensAfter).toBeLessThan(usual.tokensAfter)
  })

  it('leaves room for what the host sends beside the messages', async () => {
    const messages = long()
    const before = countMessages(tokens, messages)
    const compacted = await createEngine().compress({ messages, currentTokens: before + 4_000 })
    const room = 12_000
    expect(compacted.tokensAfter + 4_000).toBeLessThan(room)
  })
})

describe('what a compaction keeps', () => {
  it('keeps the first exchange, whatever the first compaction met', async () => {
    const opening = user('Build the ledger.')
    const loop = [calls({ id: 'first' }), result('first', 'one file'), ...turns(60, 400).slice(1)]
    for (const start of [
      [opening, assistant('I will.'), ...turns(80, 400), user('Next?')],
      // The first compaction falls inside the first turn.
      [opening, ...loop.filter(({ role }) => role !== 'user')],
    ]) {
      let messages: readonly Message[] = [system(), ...start]
      const engine = createEngine({ window: 40_000, model: scripted([SUMMARY]) })
      for (let round = 0; round < 3; round++) {
        const compacted = await expectValid(messages, engine)
        expect(compacted.messages[1]).toEqual(opening)
        expect(allText(compacted.messages).split('Build the ledger.')).toHaveLength(2)
        messages = [...compacted.messages, assistant('So.'), ...turns(80, 400, `n${round}x`), user('And?')]
      }
    }
  })

  it('protects no beginning when it is told so', async () => {
    const compacted = await createEngine({ protect_first_n: 0 }).compress({ messages: long() })
    expect(isSummary(compacted.messages[1] as Message)).toBe(true)
  })

  it('lets the summariser read tool results before anything of them is cleared', async () => {
    const model = scripted([SUMMARY])
    const ticket = `# Ticket 12\n${words(300, 'criterion')}`
    const messages = [
      system(),
      ...turns(2),
      user('Do ticket 12.'),
      calls({ id: 'ticket', args: { path: 'tickets/12.md' } }),
      result('ticket', ticket),
      calls({ id: 'test', name: 'bash', args: { command: 'npm test' } }),
      result('test', `${words(900, 'line')}\nTypeError: rate is undefined\n1 failed`),
      calls({ id: 'code', args: { path: 'src/rates.ts' } }),
      result('code', words(900, 'code')),
      ...turns(30, 400),
      user('Next?'),
    ]
    await createEngine({ model, window: 40_000 }).compress({ messages })
    const [{ prompt = '' } = {}] = model.calls
    expect(prompt).toContain(ticket)
    expect(prompt).toContain('TypeError: rate is undefined\n1 failed')
    expect(prompt).toContain('code0 code1')
    expect(prompt).not.toContain('code500')
    // The order is that of the conversation.
    const order = ['Do ticket 12.', '# Ticket 12', 'TypeError', 'code0'].map((text) => prompt.indexOf(text))
    expect(order).toEqual([...order].sort((a, b) => a - b))
  })

  it('keeps a result that the model has not seen as long as the window holds it, and claims no summary', async () => {
    const large = result('x', words(16_000))
    const messages = [system(), user('Read it.'), calls({ id: 'x' }), large]
    const engine = createEngine({ model: scripted([SUMMARY]), window: 64_000 })
    const kept = await engine.compress({ messages })
    expect(kept.outcome).toBe('unchanged')
    const small = createEngine({ model: scripted([SUMMARY]), window: 24_000 })
    const cut = await small.compress({ messages })
    expect(cut.outcome).toBe('compacted')
    expect(allText(cut.messages)).toContain('characters left out')
    expect(allText(cut.messages)).not.toMatch(/summari[sz]ed above/)
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
})
