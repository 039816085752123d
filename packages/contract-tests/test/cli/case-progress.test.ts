import type { WriteStream } from 'node:tty'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { withProgress } from '../../src/cli/run-command.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const CLEAR = '\r\u001b[2K'
const entry = (id: string) => ({ id, title: `case ${id}` })
const plan = {
  engine: 'mine',
  capabilities: [],
  expected: [],
  seed: 1,
  propertyRuns: 100,
  caseTimeoutMs: 120_000,
}

/** The output of a stream while a case runs for so many seconds behind one that is over at once. */
function shownFor(seconds: number, isTTY: boolean): string {
  let text = ''
  const stream = { isTTY, columns: 20, write: (piece: string) => (text += piece) }
  const heard: string[] = []
  const reporter = withProgress({ finished: ({ id }) => heard.push(id) }, stream as unknown as WriteStream)
  const result = { status: 'passed', notes: [], durationMs: 1 } as const
  reporter.planned?.({ ...plan, cases: [entry('C01'), entry('C45')] })
  reporter.started?.('C01')
  reporter.finished?.({ ...entry('C01'), ...result })
  reporter.started?.('C45')
  vi.advanceTimersByTime(seconds * 1_000)
  reporter.finished?.({ ...entry('C45'), ...result })
  // Nothing more comes when the case is over.
  vi.advanceTimersByTime(60_000)
  expect(heard).toEqual(['C01', 'C45'])
  return text
}

it('says on one line of a terminal which case runs and since when, and is gone in the end', () => {
  expect(shownFor(2, true)).toBe(
    ['C01  1 of 2', '', 'C45  2 of 2', 'C45  2 of 2  1 s', 'C45  2 of 2  2 s', '']
      .map((text) => CLEAR + text)
      .join(''),
  )
})

it('says elsewhere now and then that a case takes long', () => {
  expect(shownFor(41, false)).toBe(
    [10, 20, 40].map((seconds) => `C45  2 of 2  ${seconds} s, still running\n`).join(''),
  )
})

it('says nothing elsewhere when no case takes long', () => {
  expect(shownFor(9, false)).toBe('')
})
