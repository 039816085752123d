import { describe, expect, it } from 'vitest'
import { conversation, text } from './support/claude-lines.ts'
import { outline, readRecords, skipped } from './support/recording.ts'

describe('branches of a Claude Code session', () => {
  it('follows an edited prompt and counts what was left', async () => {
    const { user, assistant } = conversation()
    const transcript = await readRecords([
      user('start', 'root'),
      assistant('m1', [text('ready')], 'ready'),
      user('use MySQL', 'old'),
      assistant('m2', [text('MySQL it is')]),
      user('use Postgres', 'new', 'ready'),
      assistant('m3', [text('Postgres it is')]),
    ])
    expect(outline(transcript)).toEqual([
      'user: start',
      'assistant: ready',
      'user: use Postgres',
      'assistant: Postgres it is',
    ])
    expect(skipped(transcript)).toEqual({ 'abandoned branch': 2 })
  })

  it('keeps what was said between two compactions when the second one writes old rows again', async () => {
    const { user, assistant } = conversation()
    const boundary = (uuid: string, logicalParentUuid: string) => {
      return { type: 'system', subtype: 'compact_boundary', uuid, parentUuid: null, logicalParentUuid }
    }
    const old = [user('start', 'u1'), assistant('m1', [text('ready')], 'a1')]
    const records = [
      ...old,
      boundary('b1', 'a1'),
      { ...user('SUMMARY ONE', 's1', 'b1'), isCompactSummary: true },
      user('second phase', 'u2', 's1'),
      assistant('m2', [text('done')], 'a2'),
      ...old,
      { type: 'system', subtype: 'stop_hook_summary', uuid: 'h', parentUuid: 'a1' },
      boundary('b2', 'h'),
      { ...user('SUMMARY TWO', 's2', 'b2'), isCompactSummary: true },
      user('third phase', 'u3', 's2'),
    ]
    const transcript = await readRecords(records)
    expect(outline(transcript)).toEqual([
      'user: start',
      'assistant: ready',
      'user: second phase',
      'assistant: done',
      'user: third phase',
    ])
    expect(transcript.nativeCompactions).toHaveLength(2)
  })

  it('are read together on request', async () => {
    const { user, assistant } = conversation()
    const records = [user('start', 'r'), assistant('m1', [text('MySQL')], 'x'), user('Postgres', 'y', 'r')]
    expect(outline(await readRecords(records))).toEqual(['user: start', 'user: Postgres'])
    expect(outline(await readRecords(records, { branches: 'all' }))).toEqual([
      'user: start',
      'assistant: MySQL',
      'user: Postgres',
    ])
  })

  it('bridges a boundary whose past is not in the file', async () => {
    const { user, assistant } = conversation()
    const transcript = await readRecords([
      user('start'),
      assistant('m1', [text('ready')]),
      { type: 'system', subtype: 'compact_boundary', uuid: 'b', parentUuid: null, logicalParentUuid: 'gone' },
      { ...user('summary', 's', 'b'), isCompactSummary: true },
      user('go on', 'n', 's'),
    ])
    expect(outline(transcript)).toEqual(['user: start', 'assistant: ready', 'user: go on'])
    expect(transcript.nativeCompactions).toEqual([{ beforeEntry: 2, summary: 'summary' }])
  })
})
