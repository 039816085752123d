import { type Message, placeSummary, renderSummary } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { keepsSummaries } from '../../src/placement/keeps-summaries.ts'

const question: Message = { role: 'user', content: 'And now?' }
const inParts = (...summary: string[]) => placeSummary({ head: [], summary, tail: [question] })
const whole = (text: string): Message[] => [{ role: 'user', content: renderSummary(text) }, question]

describe('a compaction', () => {
  it('that appends to a summary keeps what it had', () => {
    expect(keepsSummaries(inParts('intro', 'one'), inParts('intro', 'one', 'two'))).toBe(true)
  })

  it('that rewrites the first summary, or all of it, does not', () => {
    expect(keepsSummaries(inParts('intro', 'one'), inParts('intro', 'both', 'three'))).toBe(false)
    expect(keepsSummaries(whole('one'), whole('two'))).toBe(false)
    expect(keepsSummaries(whole('one'), inParts('intro', 'one'))).toBe(false)
    expect(keepsSummaries([question], inParts('intro', 'one'))).toBe(false)
    expect(keepsSummaries(inParts('intro'), inParts('intro', 'one'))).toBe(false)
  })
})
