import { describe, expect, it } from 'vitest'
import type { BenchReport } from '../../src/report/bench-report.ts'
import { peerSections } from '../../src/report/peers/peer-sections.ts'
import { estimate, fixtureReport, recallRows } from './fixture-report.ts'

const { speed: _, bills: __, dialogues: ___, ...recallOnly } = fixtureReport
const { recall } = fixtureReport
if (recall === undefined) throw new Error('the fixture has recall')

/** The fixture with the assistant's recall of the peer, within 16,000 tokens, as given. */
const withPeer = (mean: number): BenchReport => ({
  ...recallOnly,
  recall: {
    ...recall,
    rows: recallRows.map((row) =>
      row.arm === 'Cutter' && row.budget === 16_000
        ? { ...row, assistant: { ...row.assistant, mean: estimate(mean, 211) } }
        : row,
    ),
  },
})

const winsOf = (report: BenchReport) => peerSections(report)[0]?.table?.rows ?? []

describe('where peers win', () => {
  it('lists a peer that is better than our best engine, with both figures', () => {
    expect(winsOf(withPeer(0.8))).toEqual([
      [
        'Far re-reference recall, assistant',
        'more',
        '16,000 tokens',
        'Cutter 0.800 (0.72 to 0.84)',
        'decisions | lcm 0.700 (0.63 to 0.73)',
      ],
    ])
  })

  it('does not list one that is worse or as good, and says that there is none', () => {
    expect(winsOf(withPeer(0.65))).toEqual([])
    expect(winsOf(withPeer(0.7))).toEqual([])
    expect(peerSections(withPeer(0.65))[0]?.text.join(' ')).toMatch(
      /In none of \d+ comparisons is one better/,
    )
  })

  it('knows where less is better, on the bill and on the clock', () => {
    const wins = winsOf(fixtureReport)
    expect(wins).toContainEqual([
      'Bill: prompts and summaries',
      'less',
      '8,000 tokens',
      'Cutter $1.700',
      'lcm $2.100',
    ])
    expect(wins).toContainEqual([
      'Time to cut a list, × JSON.stringify of the messages',
      'less',
      '1,000 messages',
      'Cutter cuts 0.13',
      'compress, lean, offline 2.00',
    ])
  })

  it('names each of our engines that a peer beats, where another of ours is better still', () => {
    const behind = (report: BenchReport) =>
      peerSections(report).find(({ title }) => title.startsWith('Which of our engines'))?.table?.rows ?? []
    expect(behind(withPeer(0.65))).toEqual([
      [
        'Far re-reference recall, assistant',
        'more',
        '16,000 tokens',
        'Cutter 0.650 (0.59 to 0.68)',
        'lcm 0.600 (0.54 to 0.63)',
      ],
    ])
    expect(behind(withPeer(0.6))).toEqual([])
  })

  it('counts each engine by itself against the best peer', () => {
    const counts = peerSections(withPeer(0.65)).find(({ title }) => title.startsWith('Each engine'))?.table
      ?.rows
    const [lossless, both] = [
      counts?.find(([name]) => name === 'lcm'),
      counts?.find(([name]) => name === 'decisions | lcm'),
    ]
    expect(lossless?.at(-1)).toBe('1')
    expect(both?.at(-1)).toBe('0')
  })

  it('lists bounds apart, and says when no peer was there', () => {
    const bounds = peerSections(recallOnly).find(({ title }) => title.includes('bounds'))?.table?.rows
    expect(bounds?.[0]?.[3]).toBe('full 1.000 (0.90 to 1.05)')
    const alone = {
      ...recallOnly,
      recall: { ...recall, rows: recallRows.filter(({ kind }) => kind !== 'peer'), afterCompaction: [] },
    }
    expect(peerSections(alone)[0]?.text.join(' ')).toContain('No peer was measured')
  })
})
