import { describe, expect, it } from 'vitest'
import { constraintStrength } from '../../src/cues/constraint-cues.ts'
import { isDecision } from '../../src/cues/decision-cues.ts'
import { isAcceptance, isProposal } from '../../src/cues/reply-cues.ts'

describe('constraintStrength', () => {
  it.each([
    ['Always run the linter before you commit.', 2],
    ['invalid themes must NEVER explode', 2],
    ['From now on, use tabs.', 2],
    ['I prefer small functions.', 2],
    ["don't modify the theme", 1],
    ['please avoid new dependencies', 1],
    ['no console logs!', 1],
    ['leave the old route as is', 1],
    ['Why must it always fail?', 0],
    ["I don't understand that.", 0],
    ['It never worked before.', 0],
    ['Add a test for the parser.', 0],
  ])('"%s" is %d', (sentence, strength) => {
    expect(constraintStrength(sentence)).toBe(strength)
  })
})

describe('isDecision', () => {
  it.each([
    ["Let's go with SQLite.", 'user'],
    ['use rgb values in the themes', 'user'],
    ['Decision: the JSONL journal.', 'user'],
    ['Not Postgres: nobody here can run one.', 'user'],
    ['I decided to keep the old table.', 'assistant'],
    ['Footer now uses dim instead of muted.', 'assistant'],
    ['I renamed toolText to toolOutput.', 'assistant'],
  ] as const)('"%s" by the %s is one', (sentence, role) => {
    expect(isDecision(sentence, role)).toBe(true)
  })

  it.each([
    ['Should we use SQLite instead of Postgres?', 'user'],
    ['The loader should catch this instead of crashing.', 'assistant'],
    ["I'll use the grep tool to look.", 'assistant'],
    ['Let me switch to the other file first.', 'assistant'],
    ['It triggers a rename event.', 'assistant'],
  ] as const)('"%s" by the %s is none', (sentence, role) => {
    expect(isDecision(sentence, role)).toBe(false)
  })
})

describe('replies', () => {
  it.each(['yes', 'Yeah, do it all', 'ok', 'Perfect, thanks!', 'sounds good', '👍'])(
    '"%s" accepts',
    (turn) => {
      expect(isAcceptance(turn)).toBe(true)
    },
  )

  it.each([
    "no, that's wrong",
    'yes, but not the second one',
    'ok, now we need the light theme',
    'yesterday it worked',
    'great work on the parser yesterday',
  ])('"%s" accepts nothing', (turn) => {
    expect(isAcceptance(turn)).toBe(false)
  })

  it('tells a proposal from a report', () => {
    expect(isProposal('Would you like me to add a test?')).toBe(true)
    expect(isProposal('I suggest a table.')).toBe(true)
    expect(isProposal('I added a table.')).toBe(false)
  })
})
