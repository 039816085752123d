import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { messageText } from '@palimpsest/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listAgentSessions, readTranscript } from '../src/index.ts'
import { AGENT_FILES } from './support/agent-files.ts'
import { outline, readRecords, skipped } from './support/recording.ts'

async function folder(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'palimpsest-agents-'))
  onTestFinished(() => rm(home, { recursive: true }))
  return home
}

const WORDS = ['apple', 'birch', 'cedar']

describe.each(Object.entries(AGENT_FILES))('a session of %s', (agent, { write, count }) => {
  it.each([1, 2])('has as many messages as its file: %i', async (number) => {
    const home = await folder()
    const path = write({ home, number, words: WORDS, cwd: join(home, 'proj') })
    const { entries, malformed } = await readTranscript(path)
    expect(entries).toHaveLength(count(path))
    expect(entries).toHaveLength(WORDS.length * (agent === 'aider' ? 2 : 4))
    expect(malformed).toEqual([])
    const text = entries.map(({ message }) => messageText(message))
    for (const word of WORDS)
      expect(text.filter((one) => one.includes(word))).toHaveLength(agent === 'aider' ? 2 : 3)
    expect(entries.filter(({ message }) => message.role === 'user')).toHaveLength(WORDS.length)
  })
})

describe('Gemini CLI', () => {
  it('takes back what was rewound, and keeps the last form of a message', async () => {
    const said = (id: string, type: string, content: string) => ({
      id,
      type,
      content,
      timestamp: '2026-05-01T12:00:00Z',
    })
    const records = [
      { sessionId: 's', projectHash: 'h', startTime: '2026-05-01T12:00:00Z' },
      said('1', 'user', 'one'),
      said('2', 'gemini', 'half'),
      said('2', 'gemini', 'whole'),
      said('3', 'user', 'wrong'),
      { $rewindTo: '3' },
      said('4', 'user', 'right'),
    ]
    const transcript = await readRecords(records)
    expect(outline(transcript)).toEqual(['user: one', 'assistant: whole', 'user: right'])
    expect(skipped(transcript)).toEqual({ 'abandoned branch': 1 })
    expect(outline(await readRecords(records, { branches: 'all' }))).toContain('user: wrong')
    const set = { $set: { messages: [said('9', 'user', 'a summary'), said('4', 'user', 'right')] } }
    expect(outline(await readRecords([...records, set])).slice(-2)).toEqual([
      'user: right',
      'user: a summary',
    ])
  })
})

describe('Qwen Code', () => {
  it('follows the last branch, and knows a compaction', async () => {
    const base = { sessionId: 's', timestamp: '2026-05-01T12:00:00Z' }
    const row = (uuid: string, parentUuid: string | null, type: string, text: string) => ({
      ...{ ...base, uuid, parentUuid, type },
      message: { role: type === 'assistant' ? 'model' : 'user', parts: [{ text }] },
    })
    const info = { originalTokenCount: 9000, newTokenCount: 100 }
    const transcript = await readRecords([
      row('1', null, 'user', 'one'),
      row('2', '1', 'assistant', 'left'),
      row('3', '1', 'assistant', 'taken'),
      {
        ...base,
        uuid: '4',
        parentUuid: '3',
        type: 'system',
        subtype: 'chat_compression',
        systemPayload: { info },
      },
      row('5', '4', 'user', 'two'),
    ])
    expect(transcript.format).toBe('qwen-code')
    expect(outline(transcript)).toEqual(['user: one', 'assistant: taken', 'user: two'])
    expect(transcript.nativeCompactions).toEqual([{ beforeEntry: 2, tokensBefore: 9000 }])
  })
})

describe('an agent’s database', () => {
  it('is refused when its tables are those of a version that is not known', async () => {
    const path = join(await folder(), 'opencode.db')
    const sql = new DatabaseSync(path)
    sql.exec('CREATE TABLE session_v3 (id text); CREATE TABLE message_v3 (id text)')
    sql.close()
    await expect(listAgentSessions(path)).rejects.toThrow(/unknown tables \(session_v3/)
  })

  it('of Hermes Agent says once what a compaction wrote again, and not what was taken back', async () => {
    const home = await folder()
    const path = AGENT_FILES.hermes?.write({ home, number: 1, words: ['apple'], cwd: home }) ?? ''
    const sql = new DatabaseSync(path.split('#')[0] ?? '')
    sql.exec(`UPDATE messages SET active = 0, compacted = 1;
      INSERT INTO messages (session_id, role, content, timestamp, _compressed_summary)
        SELECT session_id, 'user', 'SUMMARY', 1, 1 FROM messages LIMIT 1;
      INSERT INTO messages (session_id, role, content, timestamp)
        SELECT session_id, role, content, timestamp FROM messages WHERE content LIKE 'Noted%';
      INSERT INTO messages (session_id, role, content, timestamp, active) SELECT session_id, 'user', 'No', 2, 0 FROM messages LIMIT 1`)
    sql.close()
    const said = outline(await readTranscript(path))
    expect(said).toHaveLength(4)
    expect(said.at(-1)).toBe('assistant: Noted: apple!')
    expect(outline(await readTranscript(path, { branches: 'all' })).at(-1)).toBe('user: No')
  })
})
