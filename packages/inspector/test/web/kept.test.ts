import { expect, test } from 'vitest'
import { goneFrom, keptIn } from '../../web/src/data/kept.ts'
import { sampleDecisions } from '../page/sample-decisions.ts'
import { asked, said, sampleView } from './sample-view.ts'

const summary = `# Part 1
## Relevant Files
- src/old.ts

## The user's rules, word for word
- m27: No dependencies.

## Files that calls changed
- src: a.ts (created), b.ts (changed)`

const view = sampleView({
  messages: [said(0), said(1), said(2), said(3, { kind: 'summary', seq: null, text: summary })],
  requests: [asked(0, [0, 1]), asked(0, [3, 2])],
})
const texts = (lines: readonly { readonly text: string }[]) => lines.map(({ text }) => text)

test('rules and decisions in force are kept on record, and files by a summary', () => {
  const [, database] = sampleDecisions
  if (database === undefined) throw new Error('there is a decision')
  const rule = { ...database, id: 'r1', category: 'standing rules', l0: 'Run the tests.' }
  const { decisions, rules, files } = keptIn({ ...view, decisions: [...sampleDecisions, rule] })
  expect(texts(decisions)).toEqual([
    'The ledger is kept in MySQL.',
    'Failed calls are tried 3 times.',
    'Failed calls are tried 5 times.',
  ])
  expect(texts(rules)).toEqual(['Run the tests.'])
  expect(files).toEqual([{ text: 'src: a.ts (created), b.ts (changed)', seq: null, things: 2 }])
})

test('a session without summaries keeps nothing by them', () => {
  expect(keptIn(sampleView())).toEqual({ rules: [], decisions: [], files: [] })
})

test('messages that the last prompt does not show are gone from it', () => {
  expect(goneFrom(view)).toEqual({ said: 3, gone: new Set([0, 1]) })
})
