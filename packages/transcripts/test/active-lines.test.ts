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
