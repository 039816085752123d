import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { listAgentSessions, readTranscript } from '../src/index.ts'
import { outline, readRecords, withFile } from './support/recording.ts'

const tokens = { input: 100, output: 5, reasoning: 2, cache: { read: 30, write: 7 } }
const user = (...parts: object[]) => ({ info: { role: 'user', time: { created: 1_000 } }, parts })
const assistant = (info: object, ...parts: object[]) => ({
  info: { role: 'assistant', modelID: 'mock', time: { created: 2_000 }, ...info },
  parts,
})
const text = (text: string, more = {}) => ({ type: 'text', text, ...more })
const tool = (callID: string, state: object) => ({
  type: 'tool',
  tool: 'bash',
  callID,
  state: { input: { command: 'ls' }, ...state },
})

const SESSION = [
  user(text('Fix the build'), text('from the host', { ignored: true }), {
    type: 'file',
    mime: 'text/plain',
    filename: 'a.ts',
  }),
  assistant(
    {},
    { type: 'step-start' },
    { type: 'reasoning', text: 'Hm.' },
    text('I look.'),
    tool('c1', { status: 'completed', output: 'a.ts' }),
    tool('c2', { status: 'error', error: 'denied' }),
    { type: 'step-finish', tokens },
    { type: 'step-start' },
    text('It is a.ts.'),
    { type: 'step-finish', tokens: { ...tokens, input: 200 } },
  ),
  user({ type: 'compaction', auto: false }),
  assistant({ summary: true }, text('The build is being fixed.')),
  user(text('Go on')),
  assistant({ error: { name: 'MessageAbortedError' } }, text('I '), tool('c3', { status: 'running' })),
  user(text('Well?')),
  assistant({ tokens }, text('Done.')),
]

const EXPECTED = [
  'user: [{"type":"text","text":"Fix the build"},{"type":"text","text":"[file: a.ts]"}]',
  'assistant: I look. c1 c2',
  'tool c1: a.ts',
  'tool c2: denied',
  'assistant: It is a.ts.',
  'user: Go on',
  'assistant: I  c3',
  expect.stringMatching(/^tool c3: /),
  'user: Well?',
  'assistant: Done.',
]

/** A database as opencode 1.18 makes it, with what is read of it. */
function writeDatabase(path: string, revert: string | null = null): void {
  const sql = new DatabaseSync(path)
  sql.exec(`
    CREATE TABLE session (id text PRIMARY KEY, parent_id text, directory text NOT NULL, revert text, time_updated integer NOT NULL);
    CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL, data text NOT NULL);
    CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, data text NOT NULL);
    INSERT INTO session VALUES ('ses_sub', 'ses_main', '/work', NULL, 3), ('ses_empty', NULL, '/work', NULL, 2);
    INSERT INTO message VALUES ('msg_sub', 'ses_sub', 1, '{"role":"user"}');
  `)
  sql.prepare("INSERT INTO session VALUES ('ses_main', NULL, '/work', ?, 7)").run(revert)
  for (const [at, { info, parts }] of SESSION.entries()) {
    const id = `msg_${at}`
    sql.prepare('INSERT INTO message VALUES (?, ?, ?, ?)').run(id, 'ses_main', at, JSON.stringify(info))
    for (const [number, part] of parts.entries())
      sql
        .prepare('INSERT INTO part VALUES (?, ?, ?, ?)')
        .run(`${id}_${number}`, id, 'ses_main', JSON.stringify(part))
  }
  sql.close()
}

const withDatabase = <T>(use: (path: string) => Promise<T>, revert?: string) =>
  withFile('', (path) => {
    const database = join(path, '..', 'opencode.db')
    writeDatabase(database, revert)
    return use(database)
  })

describe('a session of opencode', () => {
  it('is read from its messages, a line each, and from an export', async () => {
    for (const records of [
      SESSION,
      [JSON.stringify({ info: { id: 'ses_main' }, messages: SESSION }, null, 2)],
    ]) {
      const transcript = await readRecords(records)
      expect(transcript.format).toBe('opencode')
      expect(outline(transcript)).toEqual(EXPECTED)
      expect(transcript.nativeCompactions).toEqual([{ beforeEntry: 5, summary: 'The build is being fixed.' }])
      expect(transcript).toMatchObject({ model: 'mock', startedAt: 1_000, malformed: [] })
      const { entries } = transcript
      expect(entries.map(({ usage }) => usage?.promptTokens).filter(Boolean)).toEqual([137, 237, 137])
      expect(entries[1]?.usage).toMatchObject({
        completionTokens: 7,
        cacheReadTokens: 30,
        cacheWriteTokens: 7,
      })
      expect(entries[1]?.message.providerData).toEqual({
        opencode: { reasoning: [{ type: 'reasoning', text: 'Hm.' }] },
      })
      expect(entries[3]?.message.providerData).toEqual({ transcript: { isError: true } })
    }
  })

  it('of version 2 is found beside those of version 1, and read with all kinds of messages', async () => {
    await withDatabase(async (path) => {
      const sql = new DatabaseSync(path)
      sql.exec(`
        CREATE TABLE session_v2 (id text PRIMARY KEY, parent_id text, directory text, revert text, time_updated integer);
        CREATE TABLE session_message (id text PRIMARY KEY, session_id text, type text, seq integer, time_created integer, data text);
        INSERT INTO session_v2 VALUES ('ses_two', NULL, '/work', NULL, 9), ('ses_main', NULL, '/work', NULL, 7)`)
      const state = { status: 'error', input: { a: 1 }, content: [], error: { message: 'denied' } }
      const said: [string, object][] = [
        ['system', { text: 'Be brief.' }],
        ['user', { text: 'Look', files: [{ uri: 'file:///a.ts', mime: 'text/plain', name: 'a.ts' }] }],
        ['model-switched', { model: { id: 'm' } }],
        [
          'assistant',
          { model: { id: 'm' }, tokens, content: [{ type: 'tool', id: 'c1', name: 'bash', state }] },
        ],
        ['compaction', { reason: 'auto', summary: 'They looked.', recent: '' }],
        ['shell', { command: 'ls', output: 'a.ts' }],
        ['synthetic', { text: 'Go on.' }],
        ['assistant', { model: { id: 'm' }, content: [{ type: 'reasoning', text: 'Hm' }, text('Done.')] }],
        ['user', { text: 'Taken back' }],
      ]
      for (const [seq, [type, data]] of said.entries())
        sql
          .prepare("INSERT INTO session_message VALUES (?, 'ses_two', ?, ?, 5, ?)")
          .run(`m${seq}`, type, seq, JSON.stringify(data))
      sql.exec(`UPDATE session_v2 SET revert = '{"messageID":"m8"}' WHERE id = 'ses_two'`)
      sql.exec(
        `INSERT INTO session_message VALUES ('x', 'ses_main', 'user', 0, 5, '{"text":"half taken over"}')`,
      )
      sql.close()
      const sessions = await listAgentSessions(path)
      expect(sessions.map(({ path, began }) => [path.split('#')[1], began]).sort()).toEqual([
        ['ses_main', 'Fix the build'],
        ['ses_two', 'Look'],
      ])
      const transcript = await readTranscript(`${path}#ses_two`)
      expect(outline(transcript)).toEqual([
        'system: Be brief.',
        'user: [{"type":"text","text":"Look"},{"type":"text","text":"[file: a.ts]"}]',
        'assistant: c1',
        'tool c1: denied',
        'user: $ ls\na.ts',
        'user: Go on.',
        'assistant: Done.',
      ])
      expect(transcript.nativeCompactions).toEqual([{ beforeEntry: 4, summary: 'They looked.' }])
      expect(transcript.entries[2]?.usage?.promptTokens).toBe(137)
      expect(outline(await readTranscript(`${path}#ses_two`, { branches: 'all' })).at(-1)).toBe(
        'user: Taken back',
      )
      expect(outline(await readTranscript(`${path}#ses_main`))).toEqual(EXPECTED)
    })
  })

  it('is found in its database, without sub-agents, and read from there', async () => {
    await withDatabase(async (path) => {
      const [session, ...others] = await listAgentSessions(path)
      expect(others).toEqual([])
      expect(session).toMatchObject({
        directory: '/work',
        began: 'Fix the build',
        modifiedAt: 7,
        compactions: 1,
      })
      expect(session?.bytes).toBeGreaterThan(500)
      expect(outline(await readTranscript(session?.path ?? ''))).toEqual(EXPECTED)
    })
  })
})
