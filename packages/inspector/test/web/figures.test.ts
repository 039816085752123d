import { describe, expect, it } from 'vitest'
import { figuresOf, pricesNote } from '../../web/src/views/figures.ts'
import { sampleView } from './sample-view.ts'

const bill = {
  ...{ model: 'm', asOf: '2026-11-29', without: 8, with: 3, cacheReadShare: 0.9 },
  tools: 0,
  summaries: { requests: 2, usd: 1, isPaid: false },
}
const shown = (own: Partial<typeof bill> & { readonly without?: number | null } = {}) =>
  figuresOf(sampleView({ bill: { ...bill, ...own } }))

describe('the figures of a session', () => {
  it('begin with the bill: without an engine, with it, of that summaries, and the share that was read', () => {
    expect(shown().map(({ label, shown }) => [label, shown])).toEqual([
      ['Without an engine', '$8.00'],
      ['With the engine', '$3.00'],
      ['Of which summaries', '$1.00'],
      ['Read from cache', '90%'],
      ...[expect.arrayContaining(['Tokens sent']), expect.anything(), expect.anything(), expect.anything()],
    ])
  })

  it.each([
    [false, 'for 2 requests, as m would charge'],
    [true, 'for 2 requests, as their model reported'],
  ])('say whether summaries were paid for: %s', (isPaid, note) => {
    const figure = shown({ summaries: { ...bill.summaries, isPaid } }).find((each) => each.value === 1)
    expect(figure?.note).toBe(note)
  })

  it('have no bill without an engine where it was not priced', () => {
    expect(shown({ without: null as never })[0]?.label).toBe('With the engine')
  })

  it.each([
    ['2027-01-27', 'at prices of m of 2026-11-29'],
    ['2027-01-28', 'at prices of m of 2026-11-29: 60 days old, they may have changed'],
  ])('warn of prices that are old on %s', (day, note) =>
    expect(pricesNote('m', '2026-11-29', Date.parse(day))).toBe(note),
  )
})
