import { describe, expect, test } from 'vitest'
import { changeOf } from '../../web/src/data/call-change.ts'
import { transcriptOf, transcriptRows, turnsOf } from '../../web/src/data/transcript-rows.ts'
import { said } from './sample-view.ts'

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
