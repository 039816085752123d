import type { Message } from '@palimpsest/core'
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
  expect(await ask('What colour is the bikeshed?')).toBe('The context holds nothing on this question.')
  expect(await ask('???')).toBe('The context holds nothing on this question.')
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
    return ['datastore: MySQL', 'port: 4711']
  })
  const { content } = (await model.chat({ messages })).message
  expect(content).toBe(
    'The context holds on this question:\n> datastore: MySQL (was Postgres, turns 3 to 27)\n> port: 4711',
  )
})
