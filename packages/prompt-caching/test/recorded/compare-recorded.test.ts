import { type Message, roughTokenCounter, type Usage } from '@palimpsest/core'
import { describe, expect, it } from 'vitest'
import { compareRecorded, type RecordedSession } from '../../src/recorded/compare-recorded.ts'
import { TEST_PRICING } from '../layouts.ts'

const MINUTE = 60_000
type Entry = RecordedSession['entries'][number]

interface Turn {
  /** Minutes since the turn before. Default a third of one. */
  readonly pause?: number
  /** A report of the provider that deviates from the rules. */
  readonly report?: (usage: Usage) => Partial<Usage> | undefined
}

/** Tokens of the system prompt and the tools, which no recording has. */
const HEAD = 3000

/**
 * A host that marks the end of each prompt, at a provider that reads exactly what was sent before: within five minutes
 * the prompt of the request before, else nothing.
 */
function record(turns: readonly Turn[], head = HEAD, from = 0): Entry[] {
  const entries: Entry[] = []
  let at = 1_000_000_000_000
  let held = 0
  for (const [index, { pause = 1 / 3, report = () => ({}) }] of turns.entries()) {
    at += pause * MINUTE
    const question: Message = { role: 'user', content: `${from + index} ${'what then? '.repeat(120)}` }
    entries.push({ message: question, timestamp: at })
    const promptTokens = head + sizeOf(entries)
    const read = index > 0 && pause < 5 ? held : 0
    const usage = {
      promptTokens,
      completionTokens: 5,
      totalTokens: promptTokens + 5,
      cacheReadTokens: read,
      cacheWriteTokens: promptTokens - read,
    }
    held = promptTokens
    const changes = report(usage)
    entries.push({
      message: { role: 'assistant', content: `answer ${index}` },
      timestamp: at + 1000,
      ...(changes !== undefined && { usage: { ...usage, ...changes } }),
    })
  }
  return entries
}

function sizeOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { message }) => sum + roughTokenCounter.countMessage(message), 0)
}

const turns = (count: number): Turn[] => Array.from({ length: count }, () => ({}))
const with7th = (turn: Turn): Turn[] => turns(12).with(6, turn)
const compare = (entries: readonly Entry[], nativeCompactions: RecordedSession['nativeCompactions'] = []) =>
  compareRecorded({ entries, nativeCompactions }, TEST_PRICING, roughTokenCounter)

const NONE = { nothingRead: 0, headOnly: 0, moreRead: 0, other: 0 }

describe('a recording beside the simulator', () => {
  it('does not differ where the provider did what the rules say, for all but the first request', () => {
    const report = compare(record(turns(12)))
    expect(report).toMatchObject({ requests: 11, misses: NONE })
    expect(report?.medianReadError).toBe(0)
    expect(report?.medianWriteError).toBe(0)
    expect(report?.medianCountedError).toBeLessThan(0.01)
  })

  it('expects a lapse where the recording has a pause', () => {
    expect(compare(record(with7th({ pause: 20 })))).toMatchObject({ medianReadError: 0, misses: NONE })
  })

  it('says that more was read when an entry lived longer than was promised', () => {
    const lasting = record(
      with7th({ pause: 20, report: ({ promptTokens }) => cached(promptTokens - 400, 400) }),
    )
    expect(compare(lasting)?.misses).toEqual({ ...NONE, moreRead: 1 })
  })

  it('learns the hidden head from the first request, and tells what read nothing else', () => {
    const edited = record(with7th({ report: ({ promptTokens }) => cached(HEAD, promptTokens - HEAD) }))
    expect(compare(edited)?.misses).toEqual({ ...NONE, headOnly: 1 })
    const headless = record(turns(12), 0)
    expect(compare(headless)).toMatchObject({ medianReadError: 0, misses: NONE })
  })

  it('tells a host whose system prompt changes: nothing was read', () => {
    const changed = record(with7th({ report: ({ promptTokens }) => cached(0, promptTokens) }))
    expect(compare(changed)?.misses).toEqual({ ...NONE, nothingRead: 1 })
  })

  it('tells what was read in part', () => {
    const partly = record(
      with7th({ report: ({ promptTokens }) => cached(HEAD + 700, promptTokens - HEAD - 700) }),
    )
    expect(compare(partly)?.misses).toEqual({ ...NONE, other: 1 })
  })

  it('has medians that a simulator which reads nothing would not reach, and the other way round', () => {
    const cold = record(turns(12).map(() => ({ report: ({ promptTokens }) => cached(0, promptTokens) })))
    const report = compare(cold)
    expect(report?.misses).toEqual({ ...NONE, nothingRead: 11 })
    expect(report?.medianReadError).toBeGreaterThan(0.5)
    expect(report?.medianWriteError).toBeGreaterThan(0.5)
  })

  it('begins anew behind a compaction of the recorded host, with its summary', () => {
    const before = record(turns(8))
    const summary = 'We talked about what then. '.repeat(20)
    const summarised: Entry = { message: { role: 'user', content: summary } }
    const later = record(turns(8), HEAD + sizeOf([summarised]), 8).map((entry, index) =>
      index === 1 ? { ...entry, usage: usageOf(entry, (prompt) => cached(HEAD, prompt - HEAD)) } : entry,
    )
    const entries = [
      ...before,
      ...later.map((entry) => ({ ...entry, timestamp: (entry.timestamp ?? 0) + 3 * MINUTE })),
    ]
    const told = compare(entries, [{ beforeEntry: before.length, summary }])
    expect(told).toMatchObject({ requests: 15, medianReadError: 0, misses: NONE })
    expect(compare(entries)?.misses).not.toEqual(NONE)
  })

  it('leaves out requests with more messages than a window can have', () => {
    const said = Array.from({ length: 10_000 }, (): Entry => ({ message: { role: 'user', content: '' } }))
    const entries = [...said, ...record(turns(8))]
    expect(compare(entries)).toBeNull()
    expect(compare(entries, [{ beforeEntry: said.length, summary: '' }])).toMatchObject({ requests: 7 })
  })

  it('takes the long lifetime when the recording wrote for it', () => {
    const long = record([
      ...turns(6),
      { pause: 20, report: ({ promptTokens }) => cached(promptTokens - 370, 370) },
      ...turns(5),
    ]).map((entry) =>
      entry.usage === undefined
        ? entry
        : { ...entry, usage: { ...entry.usage, cacheWrite1hTokens: entry.usage.cacheWriteTokens ?? 0 } },
    )
    expect(compare(long)?.misses).toEqual(NONE)
  })

  it('is null without counts of cached tokens, or with those of one answer only', () => {
    expect(compare([])).toBeNull()
    expect(compare(record(turns(12).map(() => ({ report: () => undefined }))))).toBeNull()
    const plain = record(turns(12)).map(({ usage, ...entry }) => ({
      ...entry,
      ...(usage && {
        usage: {
          promptTokens: usage.promptTokens,
          completionTokens: usage.completionTokens,
          totalTokens: usage.totalTokens,
        },
      }),
    }))
    expect(compare(plain)).toBeNull()
    expect(compare(record(turns(1)))).toBeNull()
    expect(compare(record(turns(2)))).toMatchObject({ requests: 1 })
  })
})

function cached(cacheReadTokens: number, cacheWriteTokens: number): Partial<Usage> {
  return { cacheReadTokens, cacheWriteTokens }
}

function usageOf({ usage }: Entry, change: (promptTokens: number) => Partial<Usage>): Usage {
  if (usage === undefined) throw new Error('an answer without usage')
  return { ...usage, ...change(usage.promptTokens) }
}
