import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ViewMessage } from '../../src/view/session-view.ts'
import { contextChange, contextRows, countChanges } from '../../web/src/data/contexts.ts'
import { said } from './sample-view.ts'

const written = (kind: ViewMessage['kind'], text: string): ViewMessage => said(0, { kind, text, seq: null })

test('a compaction: what went stands where it stood, before the summary of it', () => {
  const messages = [said(0), said(1), said(2), said(3), written('summary', 'of 1 and 2')]
  expect(contextChange([0, 1, 2, 3], [0, 4, 3], messages)).toEqual([
    { type: 'kept', index: 0 },
    { type: 'removed', indexes: [1, 2] },
    { type: 'added', index: 4 },
    { type: 'kept', index: 3 },
  ])
})

test('another version of the same thing is a change, not a loss', () => {
  const messages = [
    written('decisions', 'one'),
    written('decisions', 'one, two'),
    said(5, { text: 'long' }),
    said(5, { kind: 'shortened', text: 'lo' }),
    written('summary', 'first'),
    written('summary', 'first and second'),
  ]
  expect(contextChange([0, 4, 2], [1, 5, 3], messages)).toEqual([
    { type: 'changed', index: 1, before: 0 },
    { type: 'changed', index: 5, before: 4 },
    { type: 'changed', index: 3, before: 2 },
  ])
})

test('what went stands behind another version of what stood before it', () => {
  const messages = [written('system', 'one'), said(1), said(2), written('system', 'one, two'), said(3)]
  expect(contextChange([0, 1, 2], [3, 4], messages)).toEqual([
    { type: 'changed', index: 3, before: 0 },
    { type: 'removed', indexes: [1, 2] },
    { type: 'added', index: 4 },
  ])
})

test('whatever changed, the lines are the new context, and with what went the old one', () => {
  const messages = Array.from({ length: 30 }, (_, seq) => said(seq))
  const context = fc.uniqueArray(fc.nat(29), { maxLength: 20 })
  fc.assert(
    fc.property(context, context, (before, after) => {
      const lines = contextChange(before, after, messages)
      expect(lines.flatMap((line) => (line.type === 'removed' ? [] : [line.index]))).toEqual(after)
      const gone = lines.flatMap((line) => (line.type === 'removed' ? line.indexes : []))
      expect([...gone].sort()).toEqual(before.filter((index) => !after.includes(index)).sort())
      const counts = countChanges(lines, messages)
      expect(counts.kept + counts.added).toBe(after.length)
      expect(counts.removedTokens).toBe(10 * gone.length)
    }),
  )
})

test('what went is behind one line until it is opened; what stayed, when only changes are wanted', () => {
  const messages = [said(0), said(1), said(2), said(3)]
  const lines = contextChange([0, 1, 2], [0, 3], messages)
  const closed = contextRows(lines, true, new Set())
  expect(closed.map((row) => `${row.type} ${row.change}`)).toEqual([
    'run kept',
    'run removed',
    'message added',
  ])
  const keys = new Set(closed.flatMap((row) => (row.change === 'removed' ? [row.key] : [])))
  const open = contextRows(lines, true, keys)
  expect(open.map((row) => `${row.type} ${row.change}`)).toEqual([
    'run kept',
    'run removed',
    'message removed',
    'message removed',
    'message added',
  ])
  expect(new Set(open.map((row) => row.key)).size).toBe(open.length)
})
