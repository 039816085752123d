import { createSqliteStore } from '@palimpsest/store'
import { describe, expect, it } from 'vitest'
import { startMockUpstream } from '../gateway/mock-upstream.ts'
import { lines, useStoreFolder } from '../lcm/store-folder.ts'

const { path, run, write, prints } = useStoreFolder('decisions')

const TALK = [
  { role: 'system', content: 'You help.' },
  { role: 'user', content: "Let's use Postgres for the database." },
  { role: 'assistant', content: 'Fine.' },
  { role: 'user', content: 'We switch from Postgres to MySQL, because the hosting has nothing else.' },
  { role: 'assistant', content: 'All right.' },
]
const OTHER = [
  { role: 'user', content: 'For authentication we go with JWT.' },
  { role: 'assistant', content: 'Done.' },
  { role: 'user', content: 'Thank you.' },
]

const replay = (file: string, ...flags: string[]) =>
  run('replay', file, '--engine', 'decisions', '--store', 'store.db', ...flags)
const storedSessions = async () => {
  const { stdout } = await run('lcm', 'sessions', '--store', 'store.db', '--json')
  const infos: { session: string; messages: number }[] = JSON.parse(stdout)
  return Object.fromEntries(infos.map(({ session, messages }) => [session, messages]))
}

describe('palimpsest replay --engine decisions', () => {
  it('keeps each recording as a session of its own, with every message', async () => {
    await write('talk.jsonl', lines(TALK))
    await write('other.jsonl', lines(OTHER))
    await replay('talk.jsonl')
    await replay('other.jsonl')
    await replay('other.jsonl', '--session', 'named')
    expect(await storedSessions()).toEqual({ talk: 5, other: 3, named: 3 })
    expect((await run('store', 'verify', '--store', 'store.db')).stdout).toMatch(
      /11 messages in 3 sessions, no fault/,
    )
  })

  it('has nothing to do the second time, and takes nothing back', async () => {
    await write('talk.jsonl', lines(TALK))
    await replay('talk.jsonl')
    const { code, stdout, stderr } = await replay('talk.jsonl', '--json')
    expect(stderr).toBe(
      '5 of 5 messages are in the store already, in the session talk: there is nothing to replay\n',
    )
    expect({ code, report: JSON.parse(stdout) }).toMatchObject({
      code: 0,
      report: { requests: 0, decisions: { active: 0 } },
    })
  })

  it('goes on where the store ends when the recording has grown', async () => {
    await write('talk.jsonl', lines(TALK.slice(0, 3)))
    await replay('talk.jsonl')
    await write('talk.jsonl', lines(TALK))
    const { stdout } = await replay('talk.jsonl', '--json')
    expect(JSON.parse(stdout).requests).toBe(1)
    expect(await storedSessions()).toEqual({ talk: 5 })
  })

  it('gives messages the times of the recording, request by request', async () => {
    const entry = (index: number) => ({
      type: 'message',
      id: `${index}`,
      timestamp: new Date(Date.UTC(2026, 2, 1, 12, index)).toISOString(),
      message: {
        role: index % 2 === 0 ? 'user' : 'assistant',
        content: [{ type: 'text', text: `It is ${index}.` }],
      },
    })
    const header = { type: 'session', id: 'pi', timestamp: '2026-03-01T11:00:00.000Z', cwd: '/' }
    await write('pi.jsonl', lines([header, ...Array.from({ length: 6 }, (_, index) => entry(index))]))
    await replay('pi.jsonl')
    const store = createSqliteStore({ path: path(), readOnly: true })
    const session = await store.find({ key: 'pi' })
    const times = ((await session?.messages()) ?? []).map(({ at }) => at)
    await store.close()
    expect(times).toEqual([0, 2, 2, 4, 4, 5].map((index) => Date.UTC(2026, 2, 1, 12, index)))
  })

  it('reports what a model read, and without one says that nothing is read', async () => {
    await write('talk.jsonl', lines([...TALK, ...OTHER]))
    const offline = await replay('talk.jsonl')
    expect(offline.stdout).toMatch(/there is no model that reads the conversation for decisions/)
    expect(offline.stdout).toMatch(
      /^decisions +0 in force: 0 decisions and 0 standing rules; 0 proposed, 0 open, 0 ended; 0 on record$/m,
    )
    const record = [
      { kind: 'choice', subject: 'database', value: 'Postgres', quote: "Let's use Postgres" },
      {
        kind: 'choice',
        subject: 'database',
        value: 'MySQL',
        replaces: 'Postgres',
        quote: 'We switch from Postgres',
      },
    ]
    const server = await startMockUpstream({ answer: () => ({ content: JSON.stringify({ record }) }) })
    await write('config.yaml', 'decisions:\n  batch_turns: 2\n')
    const flags = ['--model', 'mock-large', '--base-url', server.baseUrl]
    const { stdout } = await replay('talk.jsonl', '--session', 'read', ...flags)
    expect(stdout).toMatch(/^decisions +1 in force: .* 1 ended; 2 on record$/m)
    expect(stdout).toMatch(/^decisions shown +\d+ tokens at the end; the list was written \d times?$/m)
    expect(await prints('list', '--session', 'read')).toMatch(/active +stated .*database: MySQL/)
  })

  it('compacts at the threshold that the command line names', async () => {
    const long = 'The layout of this screen was looked at in every detail. '.repeat(20)
    const turns = Array.from({ length: 8 }, (_, turn) => [
      { role: 'user', content: `Screen ${turn}, please. ${long}` },
      { role: 'assistant', content: long },
    ]).flat()
    await write('long.jsonl', lines(turns))
    const thresholds = async (...flags: string[]) => {
      const { stdout } = await run('replay', 'long.jsonl', '--engine', 'decisions', '--json', ...flags)
      return JSON.parse(stdout).compactions.length
    }
    expect(await thresholds('--window', '20000')).toBe(0)
    expect(await thresholds('--window', '20000', '--threshold', '0.05')).toBeGreaterThan(0)
  })

  it('compacts with the engine that the configuration names', async () => {
    await write('talk.jsonl', lines(TALK))
    await write('config.yaml', 'decisions:\n  compaction: own\n')
    await replay('talk.jsonl')
    expect((await replay('talk.jsonl')).stderr).toMatch(/^5 of 5 messages/)
    expect(await storedSessions()).toEqual({ talk: 5 })
  })
})
