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

it('quotes what has to do with the question and nothing else', async () => {
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

it.each(['What colour is the bikeshed?', '???', 'ما هي قاعدة البيانات؟'])(
  'says that the context holds nothing on %j',
  async (question) => {
    expect(await ask(question)).toBe('No line of the context shares a word with the question.')
  },
)

it.each([
  ['How do users authenticate?', 'auth: JWT'],
  ['端口号是多少？', '服务的端口号是 4711。'],
  ['Какой порт?', 'порт сервиса 4711'],
])('finds words in other forms and other scripts: %s', async (question, found) => {
  const said = ['服务的端口号是 4711。', 'порт сервиса 4711'].map(
    (content): Message => ({ role: 'user', content }),
  )
  expect(await ask(question, ...said)).toBe(`The context holds on this question:\n> ${found}`)
})

it('quotes no questions and no earlier quotes', async () => {
  const summary = renderSummary(
    '## Goal of the port\n- The port of the database is 5432.\n- m2: Which port is it?',
  )
  const answer = await ask(
    'What is the port?',
    { role: 'user', content: summary },
    { role: 'user', content: 'Which port do we use?\nThe port of the tests is 4712.' },
    { role: 'assistant', content: await ask('port?', { role: 'user', content: 'The port is blue.' }) },
  )
  expect(answer.split('\n').slice(1)).toEqual([
    '> The port of the database is 5432.',
    '> The port of the tests is 4712.',
  ])
})
