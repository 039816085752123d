import type { Message } from '@palimpsest/core'
import { expect, it } from 'vitest'
import { grepCases, runGrep, SYNONYMS } from '../src/commands/grep.ts'

const filler = Array.from<unknown, Message>({ length: 12 }, (_, index) => ({
  role: 'user' as const,
  content: `Please look at the module number ${index} again and tell me more.`,
}))
const fact: Message & { content: string } = {
  role: 'assistant',
  content: 'The migration moved invoices into src/ledger/store.ts, fixing duplicates.',
}
const messages: readonly Message[] = [fact, ...filler]

it('asks for a fact by words that single it out, and by a synonym of one of them', () => {
  const cases = grepCases(messages, 20, 1)
  expect(cases.length).toBeGreaterThan(3)
  for (const { message, identifier, words, replaced } of cases) {
    expect({ message, identifier }).toEqual({ message: 0, identifier: 'src/ledger/store.ts' })
    expect(words.split(' ').length).toBeGreaterThanOrEqual(2)
    for (const word of words.split(' ')) expect(fact.content.toLowerCase()).toContain(word)
    if (replaced !== null) expect(replaced).not.toBe(words)
  }
  expect(new Set(SYNONYMS.flat()).size).toBeGreaterThan(200)
})

it('finds it among messages that hold none of the words, and counts what it does not find', async () => {
  const session = { name: 's', messages, entries: [] }
  const progress = () => {}
  const rows = await runGrep({ sessions: [session], cases: 10, seed: 1, progress })
  expect(rows.find(({ question, order }) => order === 'default' && question.startsWith('2'))).toMatchObject({
    found: 1,
    facts: 10,
  })
})
