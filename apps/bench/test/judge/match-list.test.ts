import { describe, expect, it } from 'vitest'
import { readLines, readMatches } from '../../src/judge/ask-judge.ts'

const matches = (...facts: unknown[]) =>
  JSON.stringify({ lines: facts.map((fact, index) => ({ line: index + 1, fact })) })

describe('readMatches', () => {
  it('reads which line states which fact, in a fence and behind thoughts too', () => {
    expect(readMatches(matches(2, null, 1), 3, 2)).toEqual([1, null, 0])
    expect(readMatches(`<think>{}</think>\n\`\`\`json\n${matches(1)}\n\`\`\``, 1, 2)).toEqual([0])
  })

  it('gives a fact to one line only: the first', () => {
    expect(readMatches(matches(1, 1, 2, 1), 4, 2)).toEqual([0, null, 1, null])
  })

  it.each([
    ['no JSON', 'All of these are right, well done!'],
    ['too few lines', matches(1)],
    ['too many lines', matches(1, 2, null)],
    [
      'a line twice',
      JSON.stringify({
        lines: [
          { line: 1, fact: 1 },
          { line: 1, fact: 2 },
        ],
      }),
    ],
    ['a fact that there is not', matches(1, 3)],
    ['a fact below the first', matches(0, 1)],
    ['half a fact', matches(1.5, 1)],
    ['words for a fact', matches('yes', 1)],
    [
      'verdicts',
      JSON.stringify({
        verdicts: [
          { fact: 1, verdict: 'holds' },
          { fact: 2, verdict: 'holds' },
        ],
      }),
    ],
  ])('believes nothing of an answer with %s', (_, text) => {
    expect(readMatches(text, 2, 2)).toBeUndefined()
  })
})

describe('readLines', () => {
  it('takes the points of a list, and not what stands around them', () => {
    expect(readLines('Here it is:\n- one\n* two \n3. three\n\nThat is all.')).toEqual(['one', 'two', 'three'])
  })

  it('takes every line that says something where there are no points', () => {
    expect(readLines('one\n\n---\ntwo')).toEqual(['one', 'two'])
    expect(readLines(' \n')).toEqual([])
  })
})
