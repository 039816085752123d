import { describe, expect, it } from 'vitest'
import { candidatesOf } from './read.ts'

const remarksOf = (content: string) =>
  candidatesOf(content).flatMap((candidate) => (candidate.kind === 'remark' ? [candidate] : []))

describe('a remark', () => {
  it.each([
    [
      "Honestly I'm having second thoughts about Postgres, the ops team would rather run something else",
      'datastore',
    ],
    ['A queue feels like overkill to me.', 'queue'],
    ['Not Postgres.', 'datastore'],
    ['Anything but Postgres.', 'datastore'],
    ['No Postgres, keep it simple.', 'datastore'],
    ['Without Postgres please.', 'datastore'],
  ])('is what doubts something that is named: %s', (text, slot) => {
    const [remark, ...others] = remarksOf(text)
    expect(remark).toMatchObject({ isDoubt: true, span: { message: 1, start: 0 } })
    expect(remark?.slots).toContain(slot)
    expect(others).toEqual([])
  })

  it('is what names a technology without saying anything plain of it', () => {
    for (const text of ['MySQL is what the operators know.', 'Wir nehmen MySQL.', 'Берём MySQL.'])
      expect(remarksOf(text)).toMatchObject([{ slots: ['datastore'], isDoubt: false }])
  })

  it.each([
    ['what is plain', 'We use PostgreSQL.'],
    [
      'what a plain sentence of the message settles',
      "Let's use MySQL. I had second thoughts about Postgres.",
    ],
    ['a question', 'Should we rather use MySQL?'],
    ['a question without its mark', 'should we switch to MySQL'],
    ['what asks for words', 'Explain how MySQL replication works.'],
    ['what asks for words', 'Please tell me about MySQL.'],
    ['what only misses something', 'No index was used on line 12.'],
    ['the past', 'At my last job we regretted Postgres.'],
    ['what is elsewhere', 'My hobby project uses MySQL.'],
    ['what would be', "I'd use MySQL if I had an operator."],
    ['code', '#define STORE "MySQL"'],
    ['a quote', '> I regret Postgres'],
    ['a log', '```\nWARN switching to MySQL\n```'],
    ['what was pasted', 'Here is the log:\nI would rather use MySQL'],
    ['nothing in particular', 'Make the button wider.'],
  ])('is not %s', (_, text) => {
    expect(remarksOf(text)).toEqual([])
  })

  it('is one of four in a message at most', () => {
    expect(remarksOf('I regret Redis. '.repeat(100))).toHaveLength(4)
  })
})
