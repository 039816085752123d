import { expect, it } from 'vitest'
import { toMarkdown } from '../src/index.ts'
import { createDecisionLedger } from '../src/log/ledger.ts'
import { resolveCandidates } from '../src/resolve.ts'
import { said } from './log.ts'

it('writes the decisions of a log for people, with what was replaced', () => {
  const messages = said('Postgres.', 'MySQL now, the hosting has nothing else.', 'Always use tabs.')
  const ledger = createDecisionLedger()
  const context = { ledger, scope: 'session:s', session: 's', at: 1, by: 'model' } as const
  const values = [
    { kind: 'choice', value: 'Postgres' },
    { kind: 'choice', value: 'MySQL', reason: 'the hosting' },
    { kind: 'rule', value: 'Always use tabs.' },
  ] as const
  for (const [index, value] of values.entries()) {
    const message = messages[index]
    if (message === undefined) continue
    const statement = { category: 'decisions', subject: 'database', l0: value.value, ...value } as const
    const span = { message, start: 0, end: message.text.length }
    const proven = { action: 'create', statement, span, authority: 'stated', replaces: 'Postgres' } as const
    ledger.append(resolveCandidates([proven], context).events)
  }
  expect(toMarkdown(ledger, { title: 'Decisions of s', session: 's' }).replace(/d[0-9a-f]{12}/g, 'id')).toBe(
    `# Decisions of s

## Standing rules of the user, word for word

- "Always use tabs." [turn 3, id]

## Decisions

- database: MySQL (was Postgres, turn 1 to 2, because the hosting) [turn 2, id]
  - because: the hosting
  - user: "MySQL now, the hosting has nothing else."

## Replaced

- database: Postgres (turn 1 to 2, then MySQL, because the hosting)
`,
  )
})
