import { describe, expect, test } from 'vitest'
import type { ViewMessage } from '../../src/view/session-view.ts'
import { changeOf } from '../../web/src/data/call-change.ts'
import {
  countTools,
  filterRows,
  foldCalls,
  messagesIn,
  type TranscriptFilter,
  transcriptOf,
  transcriptRows,
  turnsOf,
} from '../../web/src/data/transcript-rows.ts'
import { said } from './sample-view.ts'

const call = (id: string, name: string) => ({ id, name, arguments: '{}' })
const answer = (seq: number, more: Partial<ViewMessage>) =>
  said(seq, { role: 'assistant', text: '', ...more })
const result = (seq: number, callId: string, more: Partial<ViewMessage> = {}) =>
  said(seq, { role: 'tool', callId, ...more })

/** Two calls side by side, of which one fails, and a result that answers nothing. */
const messages: readonly ViewMessage[] = [
  said(0, { text: 'do it', at: 1_000 }),
  answer(1, { calls: [call('a', 'bash'), call('b', 'read')], at: 3_500 }),
  result(2, 'a', { isError: true, at: 4_000 }),
  result(3, 'b', { at: 9_500 }),
  result(4, 'lost'),
  answer(5, { text: 'done' }),
  said(6, { text: 'again' }),
]
const rows = transcriptRows(messages.map((message, index) => ({ index, message })))
const all: TranscriptFilter = { tool: undefined, onlyFailed: false }

describe('the rows of a transcript', () => {
  test('have each result under the call that it answers, and every message once', () => {
    expect(rows.map(({ index }) => index)).toEqual([0, 1, 4, 5, 6])
    expect([...(rows[1]?.results ?? [])].map(([id, { index }]) => [id, index])).toEqual([
      ['a', 2],
      ['b', 3],
    ])
    expect(rows.flatMap(messagesIn).map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(rows[1]?.took).toBe(2_500)
    expect(rows[3]?.took).toBeUndefined()
  })

  test('are filtered by tool and by failure; of the calls those that were asked for stay', () => {
    const shown = (filter: Partial<TranscriptFilter>) =>
      filterRows(rows, { ...all, ...filter }).map((row) => messagesIn(row).map(({ index }) => index))
    expect(shown({ tool: 'read' })).toEqual([[1, 3]])
    expect(shown({ onlyFailed: true })).toEqual([[1, 2]])
    expect(shown({ onlyFailed: true, tool: 'read' })).toEqual([])
  })

  test('begin a turn with each message of the user', () => {
    const inserted = transcriptRows(transcriptOf([said(0), said(2, { isInserted: true })]))
    expect(turnsOf(inserted).map(({ index }) => index)).toEqual([0])
    expect(turnsOf(rows).map(({ index, calls, failed, took }) => ({ index, calls, failed, took }))).toEqual([
      { index: 0, calls: 2, failed: 1, took: 8_500 },
      { index: 6, calls: 0, failed: 0, took: undefined },
    ])
    expect(countTools(rows)).toEqual({
      tools: new Map([
        ['bash', { calls: 1, failed: 1 }],
        ['read', { calls: 1, failed: 0 }],
      ]),
      failed: 1,
    })
  })
})

describe('the calls of a turn', () => {
  const work = transcriptRows(
    transcriptOf([
      said(0),
      answer(1, { calls: [call('a', 'bash')] }),
      result(2, 'a'),
      answer(3, { calls: [call('b', 'bash')] }),
      answer(5, { text: 'done' }),
      answer(7, { calls: [call('c', 'bash')] }),
    ]),
  )
  const shown = (...open: string[]) =>
    foldCalls(work, new Set(open)).map((item) =>
      item.type === 'calls' ? item.rows.map(({ index }) => index) : item.row.index,
    )

  test('are one line, which opens before their rows', () => {
    expect(shown()).toEqual([0, [1, 3], 4, [5]])
    expect(shown('calls 1')).toEqual([0, [1, 3], 1, 3, 4, [5]])
  })
})

describe('a turn', () => {
  const at = Date.UTC(2026, 10, 28, 12)
  const day = 86_400_000
  const turns = turnsOf(
    transcriptRows(transcriptOf([said(0, { at }), said(1, { at: at + 5_000 }), said(2, { at: at + day })])),
    new Map([
      [1, 3],
      [2, 1],
    ]),
  )

  test('has the pause before it, its day, its last message, and what a search found in it', () => {
    expect(
      turns.map(({ index, last, pause, isNewDay, found }) => ({ index, last, pause, isNewDay, found })),
    ).toEqual([
      { index: 0, last: 1, pause: undefined, isNewDay: true, found: 3 },
      { index: 2, last: 2, pause: day - 5_000, isNewDay: true, found: 1 },
    ])
  })
})

describe('the change that a call makes', () => {
  test.each([
    [
      'Edit',
      { file_path: 'a', old_string: 'x', new_string: 'y', replace_all: true },
      [{ before: 'x', after: 'y' }],
    ],
    ['edit', { path: 'a', oldText: 'x', newText: '' }, [{ before: 'x', after: '' }]],
    ['edit', { path: 'a', old: 'x', new: 'y' }, [{ before: 'x', after: 'y' }]],
    [
      'MultiEdit',
      {
        file_path: 'a',
        edits: [
          { old_string: '1', new_string: '2' },
          { old_string: '3', new_string: '4' },
        ],
      },
      [
        { before: '1', after: '2' },
        { before: '3', after: '4' },
      ],
    ],
    ['Write', { file_path: 'a', content: 'all' }, [{ before: null, after: 'all' }]],
  ])('%s', (name, fields, pieces) => {
    expect(changeOf(name, fields)).toEqual({ path: 'a', pieces })
  })

  test.each([
    ['search', { path: 'a', content: 'what to look for' }],
    ['bash', { command: 'ls' }],
    ['MultiEdit', { file_path: 'a', edits: [{ old_string: '1' }] }],
  ])('%s makes none that is known', (name, fields) => {
    expect(changeOf(name, fields)).toBeNull()
  })
})
