import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSummary, readSummary, renderSummary } from '../../src/index.ts'
import { renderSummaryParts } from '../../src/messages/summary.ts'
import { text } from '../arbitraries.ts'
import { counted } from '../counted.ts'

const FRAME_END = renderSummary('').split('\n').at(-1) ?? ''

describe('renderSummary', () => {
  it('is read again, from a user message only', () => {
    const content = renderSummary('the goal is to ship')
    expect(readSummary({ role: 'user', content })).toBe('the goal is to ship')
    expect(readSummary({ role: 'user', content: [{ type: 'text', text: content }] })).toBe(
      'the goal is to ship',
    )
    expect(isSummary({ role: 'assistant', content })).toBe(false)
    expect(isSummary({ role: 'user', content: `${content}\nand a request` })).toBe(false)
    expect(isSummary({ role: 'user', content: 'the goal is to ship' })).toBe(false)
  })

  it('neither nests nor ends early, whatever the text', async () => {
    await counted(
      'invariant 10, a summary stays inside its markers',
      fc.property(fc.array(fc.oneof(text, fc.constant(renderSummary('inner')))), (parts) => {
        const rendered = renderSummary(parts.join('\n'))
        const again = renderSummary(readSummary({ role: 'user', content: rendered }) ?? '')
        expect(again).toBe(rendered)
        // In parts it says the same, and no part ends the frame early.
        const content = renderSummaryParts(parts)
        expect(isSummary({ role: 'user', content })).toBe(true)
        expect(content.filter((part) => part.text.includes(FRAME_END))).toHaveLength(1)
      }),
      500,
      'texts',
    )
  })
})
