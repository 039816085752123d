import { type Message, renderSummary } from '@palimpsest/core'
import { expect, it } from 'vitest'
import { createOfflineAnswerer } from '../../src/serve/models/offline-answerer.ts'

const system = [
  '<role>You answer questions about the database.</role>',
  '<project_decisions>',
  '- datastore: MySQL (was Postgres, turns 3 to 27)',
  '- auth: JWT',
  '</project_decisions>',
].join('\n')

async function ask(question: string, ...before: Message[]): Promise<string> {
  const messages: Message[] = [
    { role: 'system', content: system },
    ...before,
    { role: 'user', content: question },
  ]
  return String((await createOfflineAnswerer().chat({ messages })).message.content)
}

it('quotes decisions first, and only what has to do with the question', async () => {
  const answer = await ask(
    'Is our datastore MySQL or Postgres?',
    { role: 'user', content: 'The tests of the datastore are slow.\nThe logo is green.' },
    { role: 'assistant', content: 'Noted.' },
  )
  expect(answer.split('\n')).toEqual([
    'The context holds on this question:',
    '> datastore: MySQL (was Postgres, turns 3 to 27)',
    '> The tests of the datastore are slow.',
  ])
})

it('says so when the context holds nothing', async () => {
  const record = [
    'No line of the context shares a word with the question.',
    'What is on record as decided:',
    '> datastore: MySQL (was Postgres, turns 3 to 27)',
    '> auth: JWT',
  ].join('\n')
  expect(await ask('What colour is the bikeshed?')).toBe(record)
  expect(await ask('???')).toBe(record)
  expect(await ask('ما هي قاعدة البيانات؟')).toBe(record)
  const messages: Message[] = [{ role: 'user', content: 'What colour is the bikeshed?' }]
  expect((await createOfflineAnswerer().chat({ messages })).message.content).toBe(
    'No line of the context shares a word with the question.\nNo decision is on record.',
  )
})

it('lists the record to who asks for all of it, in bounds', async () => {
  for (const question of [
    'Summarise everything we decided',
    'What is our stack?',
    'List all decisions so far, please.',
  ])
    expect(await ask(question, { role: 'user', content: 'We decided to use a stack of cards.' })).toBe(
      'What is on record as decided:\n> datastore: MySQL (was Postgres, turns 3 to 27)\n> auth: JWT',
    )
  const holding = Array.from({ length: 30 }, (_, index) => `setting ${index}: on`)
  const model = createOfflineAnswerer(async () => ({ found: [], holding, total: 35, over: [] }))
  const { content } = (await model.chat({ messages: [{ role: 'user', content: 'What did we decide?' }] }))
    .message
  expect(String(content).split('\n')).toHaveLength(22)
  expect(content).toMatch(/… and 15 more; GET \/state lists all\.$/)
})

it('finds a word in its other forms', async () => {
  expect(await ask('How do users authenticate?')).toBe('The context holds on this question:\n> auth: JWT')
  expect(await ask('Which authentication?')).toBe('The context holds on this question:\n> auth: JWT')
})

it('quotes no questions and nothing that engines say of themselves', async () => {
  const summary = renderSummary(
    [
      'Nothing is lost: lcm_expand with the id of a port gives back what was said.',
      '<summary id="s1">',
      '## Goal of the port',
      '- The port of the database is 5432.',
      '</summary>',
      '',
      "## The user's rules, word for word",
      '- m1: The port must be 4711.',
      '',
      '## Files that calls changed',
      '- src: port.ts (changed)',
      '',
      '## What the user said, word for word',
      '- m2: Which port is it?',
      '- m3: Tell me the port',
      '- m4: The port is on the roof. Is the port open?',
    ].join('\n'),
  )
  const answer = await ask(
    'What is the port?',
    { role: 'user', content: summary },
    { role: 'assistant', content: 'The port it is.' },
    { role: 'user', content: 'Which port do we use? The port of the tests is 4712.\nSummarise the port' },
    { role: 'assistant', content: await ask('port?', { role: 'user', content: 'The port is blue.' }) },
  )
  expect(answer.split('\n')).toEqual([
    'The context holds on this question:',
    '> The port of the database is 5432.',
    '> The port must be 4711.',
    '> The port is on the roof.',
    '> The port it is.',
    '> The port of the tests is 4712.',
  ])
})

it('says of a quote that its choice holds no longer', async () => {
  const over = [{ quote: 'We use Postgres', note: 'turn 3; superseded in turn 27: datastore: Postgres' }]
  const model = createOfflineAnswerer(async () => ({ found: [], holding: [], total: 0, over }))
  const { content } = (
    await model.chat({
      messages: [
        { role: 'user', content: 'We use Postgres for the orders.' },
        { role: 'assistant', content: 'Noted.' },
        { role: 'user', content: 'Where are the orders?' },
      ],
    })
  ).message
  expect(content).toContain(
    '> We use Postgres for the orders. (turn 3; superseded in turn 27: datastore: Postgres)',
  )
})

it('reads questions in scripts without spaces', async () => {
  expect(await ask('端口号是多少？', { role: 'user', content: '服务的端口号是 4711。' })).toContain('4711')
  expect(await ask('Какой порт?', { role: 'user', content: 'порт сервиса 4711' })).toContain('4711')
})

it('does not quote its own answers, and bounds what it quotes', async () => {
  const old = await ask('JWT?')
  const answer = await ask('JWT?', { role: 'assistant', content: old })
  expect(answer).toBe(old)
  const long = await ask(
    'jwt',
    ...Array.from(
      { length: 2_000 },
      (_, index): Message => ({ role: 'user', content: `jwt ${index} ${'x'.repeat(5_000)}` }),
    ),
  )
  expect(long.length).toBeLessThan(4_000)
})

it('begins with what an engine finds, as the prompt words it, and says it once', async () => {
  const messages: Message[] = [
    { role: 'system', content: system },
    { role: 'user', content: 'Which database?' },
  ]
  const model = createOfflineAnswerer(async (question) => {
    expect(question).toBe('Which database?')
    return { found: ['datastore: MySQL', 'port: 4711'], holding: [], total: 2, over: [] }
  })
  const { content } = (await model.chat({ messages })).message
  expect(content).toBe(
    'The context holds on this question:\n> datastore: MySQL (was Postgres, turns 3 to 27)\n> port: 4711',
  )
})
