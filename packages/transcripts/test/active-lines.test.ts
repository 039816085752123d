import { describe, expect, it } from 'vitest'
import { conversation, text, toolResult, toolUse } from './support/claude-lines.ts'
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

  it('begins anew when the very first prompt was edited', async () => {
    const { user, assistant } = conversation()
    const transcript = await readRecords([
      user('first try', 'one', null),
      assistant('m1', [text('no')]),
      user('second try', 'two', null),
      assistant('m2', [text('yes')]),
    ])
    expect(outline(transcript)).toEqual(['user: second try', 'assistant: yes'])
  })

  it('does not take parallel calls for branches', async () => {
    const { user, assistant } = conversation()
    const transcript = await readRecords([
      user('read both', 'u'),
      assistant('m1', [toolUse('t1')], 'a1', 'u'),
      assistant('m1', [toolUse('t2')], 'a2', 'a1'),
      user([toolResult('t2')], 'r2', 'a2'),
      user([toolResult('t1')], 'r1', 'a1'),
      assistant('m2', [text('done')], 'a3', 'r1'),
    ])
    expect(outline(transcript)).toEqual([
      'user: read both',
      'assistant: t1 t2',
      'tool t2: t2',
      'tool t1: t1',
      'assistant: done',
    ])
    expect(transcript.skipped).toEqual([])
  })

  it('keeps everything when lines are not linked', async () => {
    const unlinked = (type: string, content: unknown) => ({
      type,
      uuid: `${type}-${JSON.stringify(content)}`,
      session_id: 's',
      message: { role: type, content },
    })
    const transcript = await readRecords([
      unlinked('user', 'one'),
      unlinked('assistant', [text('1')]),
      unlinked('user', 'two'),
      unlinked('assistant', [text('2')]),
    ])
    expect(outline(transcript)).toEqual(['user: one', 'assistant: 1', 'user: two', 'assistant: 2'])
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
