import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  checkCompression,
  checkProjection,
  countMessages,
  type Message,
  messageText,
  readSummary,
  roughTokenCounter as tokens,
} from '@palimpsest/core'
import topicWindow, { type TopicWindowOptions } from '../src/index.ts'

const create = (options: TopicWindowOptions = {}, contextLength = 4_000) =>
  topicWindow.create(options, {
    contextLength,
    maxOutputTokens: 0,
    tokens,
    clock: { now: () => 0 },
    sessionId: 'test',
  })

const turn = (question: string, answer: string): Message[] => [
  { role: 'user', content: question },
  { role: 'assistant', content: answer },
]

const SYSTEM: Message = { role: 'system', content: 'You are a coding agent.' }
const TASK = turn(
  'The ledger rounds amounts wrongly in src/ledger/roundCents.ts: which rule do we take?',
  'Half to even, in roundCents(), because the bank does so too. The ledger keeps cents as integers.',
)
const AGAIN = 'Back to the ledger: which rule did we choose for src/ledger/roundCents.ts?'

/** A long talk about something else, each turn about another dish. */
const digression = (count: number): Message[] =>
  Array.from({ length: count }, (_, index) =>
    turn(
      `How do I cook dish${index} for a dinner with friends?`,
      `Slice vegetable${index}, fry it in oil${index} for a while, then add sauce${index}. `.repeat(3),
    ),
  ).flat()

const summaryOf = (messages: readonly Message[]): string =>
  messages.map(readSummary).find((text) => text !== undefined) ?? ''
const textOf = (messages: readonly Message[]): string =>
  messages
    .filter((message) => readSummary(message) === undefined)
    .map(messageText)
    .join('\n')

/** The numbers that an index names, in its order. */
const numbersOf = (summary: string): number[] =>
  [...summary.matchAll(/^- ([\d, -]+):/gm)].flatMap(([, numbers = '']) =>
    numbers.split(', ').flatMap((range) => {
      const [from = 0, to = from] = range.split('-').map(Number)
      return Array.from({ length: to - from + 1 }, (_, index) => from + index)
    }),
  )

describe('topic-window', () => {
  const messages: Message[] = [SYSTEM, ...TASK, ...digression(30), { role: 'user', content: AGAIN }]

  it('keeps the old turn that the question is about, and drops the digression', async () => {
    const result = await create({ keepTurns: 1, target: 0.15 }).compress({ messages })
    assert.equal(result.outcome, 'compacted')
    assert.deepEqual(checkProjection(result.messages, messages), [])
    assert.deepEqual(checkCompression(messages, result, tokens), [])
    assert.match(textOf(result.messages), /Half to even/)
    assert.doesNotMatch(textOf(result.messages), /dish3\b/)
    assert.ok(countMessages(tokens, result.messages) <= 600)
  })

  it('names in the index what it left out, each message once', async () => {
    const result = await create({ keepTurns: 1 }).compress({ messages })
    const summary = summaryOf(result.messages)
    assert.match(summary, /vegetable4/)
    const shown = messages.filter((message) => textOf(result.messages).includes(messageText(message)))
    assert.equal(new Set(numbersOf(summary)).size, numbersOf(summary).length)
    assert.equal(numbersOf(summary).length + shown.length, messages.length)
  })

  it('works for text without spaces', async () => {
    const chinese: Message[] = [
      SYSTEM,
      ...turn('账本的四舍五入规则是什么？', '我们采用银行家舍入法。'),
      ...digression(30),
      { role: 'user', content: '回到账本：四舍五入用哪条规则？' },
    ]
    const result = await create({ keepTurns: 1, target: 0.1 }).compress({ messages: chinese })
    assert.match(textOf(result.messages), /银行家舍入法/)
  })

  it('cuts a long turn between rounds of tools, and never inside one', async () => {
    const rounds = Array.from({ length: 40 }, (_, index): Message[] => [
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: `call_${index}`,
            type: 'function',
            function: { name: 'read', arguments: `{"part":${index}}` },
          },
        ],
      },
      { role: 'tool', tool_call_id: `call_${index}`, content: `part ${index} `.repeat(30) },
    ]).flat()
    const long: Message[] = [SYSTEM, { role: 'user', content: 'Read all parts.' }, ...rounds]
    const result = await create().compress({ messages: long })
    assert.equal(result.outcome, 'compacted')
    assert.deepEqual(checkProjection(result.messages, long), [])
    assert.deepEqual(result.messages.slice(-2), long.slice(-2))
  })

  it('keeps in the second index what the first one named', async () => {
    const engine = create({ keepTurns: 1 })
    const first = await engine.compress({ messages })
    const more: Message[] = [
      ...first.messages,
      { role: 'assistant', content: 'Half to even.' },
      ...digression(30),
    ]
    const question: Message = { role: 'user', content: 'And how long does dish7 take?' }
    const second = await engine.compress({ messages: [...more, question] })
    assert.equal(second.outcome, 'compacted')
    const numbers = new Set(numbersOf(summaryOf(second.messages)))
    for (const number of numbersOf(summaryOf(first.messages))) assert.ok(numbers.has(number))
    assert.equal(second.messages.filter((message) => readSummary(message) !== undefined).length, 1)
    assert.ok(tokens.countText(summaryOf(second.messages)) < 400)

    const third = await engine.compress({ messages: second.messages, force: true })
    assert.equal(third.outcome, 'unchanged')
  })

  it('finds what was left out, by words and by numbers', async () => {
    const engine = create({ keepTurns: 1 })
    const { messages: shown } = await engine.compress({ messages })
    const [number = 0] = numbersOf(summaryOf(shown))
    const byNumber = JSON.parse(await engine.handleToolCall('topic_recall', { from: number }))
    assert.equal(byNumber.messages[0].text, messageText(messages[number - 1] ?? SYSTEM))
    const byWords = JSON.parse(await engine.handleToolCall('topic_recall', { query: 'sauce11' }))
    assert.match(byWords.messages[0].text, /oil11/)
    for (const args of [null, 'x', {}, { query: 5 }, { from: '1' }, { query: 'x'.repeat(100_000) }])
      assert.ok('error' in JSON.parse(await engine.handleToolCall('topic_recall', args)))
  })

  it('does not find what the host took back', async () => {
    const engine = create({ keepTurns: 1 })
    await engine.ingest({ messages, from: 0 })
    await engine.compress({ messages })
    await engine.ingest({ messages: [], from: 10 })
    const { messages: found } = JSON.parse(await engine.handleToolCall('topic_recall', { from: 1, to: 99 }))
    assert.ok(found.length > 0)
    for (const { number } of found) assert.ok(number <= 10)
  })

  it('says when what has to stay is too long', async () => {
    const long: Message[] = [SYSTEM, ...TASK, { role: 'user', content: 'word '.repeat(4_000) }]
    const result = await create().compress({ messages: long })
    assert.deepEqual(result.messages.at(-1), long.at(-1))
    assert.deepEqual(
      result.warnings.map(({ code }) => code),
      ['too-large-to-compact'],
    )
  })

  it('refuses options that it does not know or that make no sense', () => {
    const wrong = [{ keepTurn: 3 }, { threshold: 2 }, { target: 0.7 }, { keepTurns: 0 }, null]
    for (const options of wrong as TopicWindowOptions[])
      assert.throws(() => create(options), { code: 'INVALID_OPTION' })
    assert.throws(
      () => create({ keepTurn: 3 } as TopicWindowOptions),
      /known options: threshold, target, keepTurns/,
    )
  })
})
