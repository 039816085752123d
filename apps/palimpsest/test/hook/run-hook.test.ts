import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { createTokenCounter } from '@palimpsest/tokens'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runHook } from '../../src/hook/run-hook.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-hook-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const user = (content: unknown) => ({ type: 'user', message: { role: 'user', content } })
const assistant = (text: string) => ({
  type: 'assistant',
  message: { role: 'assistant', content: [{ type: 'text', text }] },
})
const edit = (path: string) => ({
  type: 'assistant',
  message: {
    role: 'assistant',
    content: [
      {
        type: 'tool_use',
        id: 't1',
        name: 'Edit',
        input: { file_path: path, old_string: 'a', new_string: 'b' },
      },
    ],
  },
})
const result = (content: string) => user([{ type: 'tool_result', tool_use_id: 't1', content }])
const boundary = { type: 'system', subtype: 'compact_boundary' }
const summary = (content: string) => ({ ...user(content), isCompactSummary: true })

const TALK = [
  user('Please keep the port at 4711 in config/server.ts, whatever happens.'),
  assistant('I set PORT in config/server.ts and read it in src/listen.ts.'),
  edit('src/listen.ts'),
  result('OUTPUT-ONLY-LINE'),
  user('And never touch the legacy_users table of the database.'),
]

let files = 0
async function session(lines: readonly (object | string)[]): Promise<string> {
  const path = join(folder, `${++files}.jsonl`)
  await writeFile(
    path,
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
  )
  return path
}

interface Ran {
  readonly context: string
  readonly log: string
}

async function hook(input: string | NodeJS.ReadableStream, environment = {}): Promise<Ran> {
  const home = await mkdtemp(join(folder, 'home-'))
  const stream = typeof input === 'string' ? Readable.from([Buffer.from(input)]) : input
  const output = await runHook(stream, { PALIMPSEST_HOME: home, ...environment })
  const log = join(home, 'hook.log')
  return {
    context: output === '' ? '' : JSON.parse(output).hookSpecificOutput.additionalContext,
    log: existsSync(log) ? readFileSync(log, 'utf8') : '',
  }
}

const start = (source: string, transcript_path: unknown) =>
  hook(JSON.stringify({ hook_event_name: 'SessionStart', source, transcript_path }))

describe('at a compaction', () => {
  test('quotes the user and names the files that were changed, before the summary is in the file', async () => {
    const { context, log } = await start('compact', await session(TALK))
    expect(context).toContain('keep the port at 4711 in config/server.ts, whatever happens')
    expect(context).toContain('never touch the legacy_users table')
    expect(context).toContain('src: listen.ts (changed)')
    expect(context).toContain('lcm_grep')
    expect(context).not.toMatch(/OUTPUT-ONLY-LINE|I set PORT/)
    expect(log).toBe('')
  })

  test('a later one quotes what an earlier one has compacted too', async () => {
    const later = [boundary, summary('Nothing of note.'), user('Now rename the module billing-core.')]
    const { context } = await start('compact', await session([...TALK, ...later]))
    expect(context).toContain('legacy_users')
    expect(context).toContain('rename the module billing-core')
    expect(context).not.toContain('Nothing of note')
  })

  test.each(['palimpsest', 'npx -y @palimpsest/cli'])(
    'adds nothing as the plug-in where %s is connected',
    async (command) => {
      const claude = await mkdtemp(join(folder, 'claude-'))
      const call = {
        hook_event_name: 'SessionStart',
        source: 'compact',
        transcript_path: await session(TALK),
      }
      const run = (environment: object) =>
        hook(JSON.stringify({ ...call, cwd: folder }), { CLAUDE_CONFIG_DIR: claude, ...environment })
      const plugin = { CLAUDE_PLUGIN_ROOT: '/plugins/palimpsest' }
      expect((await run(plugin)).context).toContain('legacy_users')
      const hooks = [{ hooks: [{ type: 'command', command: `${command} hook claude-code` }] }]
      await writeFile(join(claude, 'settings.json'), JSON.stringify({ hooks: { SessionStart: hooks } }))
      expect(await run(plugin)).toEqual({ context: '', log: '' })
      expect((await run({})).context).toContain('legacy_users')
    },
  )

  test('old rows that the compaction wrote again are not the newest', async () => {
    const row = (line: object, at: number) => ({
      ...line,
      uuid: `u${at}`,
      parentUuid: at === 0 ? null : `u${at === 40 ? 29 : at - 1}`,
      timestamp: `2026-05-01T12:00:${at}`,
    })
    const old = Array.from({ length: 30 }, (_, at) =>
      row(user(`Old rule ${at}: ${'keep it short. '.repeat(40)}`), at),
    )
    const fresh = Array.from({ length: 10 }, (_, at) => row(user(`Always call it NEWNAME_${at}.`), 40 + at))
    const lines = [...old, boundary, summary('Nothing of note.'), ...fresh, ...old]
    const { context } = await start('compact', await session(lines))
    for (let at = 0; at < 10; at++) expect(context).toContain(`NEWNAME_${at}.`)
  })

  test('of Codex, quotes what its summary lost, and nothing that Codex itself said', async () => {
    const item = (payload: object) => ({ type: 'response_item', payload })
    const said = (text: string) =>
      item({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
    const lines = [
      { type: 'session_meta', payload: { id: 's', cwd: '/w' } },
      said('<environment_context>HOST-ONLY</environment_context>'),
      said('Never touch the legacy_users table.'),
      item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I will not.' }] }),
      { type: 'compacted', payload: { message: 'The port is 4711.' } },
    ]
    const call = async (source: string, more: readonly object[] = []) => {
      const transcript_path = await session([...lines, ...more])
      return hook(JSON.stringify({ hook_event_name: 'SessionStart', source, transcript_path }))
    }
    for (const source of ['compact', 'resume']) {
      const { context, log } = await call(source)
      expect([context.includes('Never touch the legacy_users table.'), log]).toEqual([true, ''])
      expect(context).not.toContain('HOST-ONLY')
      if (source === 'resume') expect((await call(source, [said(context)])).context).toBe('')
    }
    expect((await call('startup')).context).toBe('')
  })

  test('secrets are hidden, and 2,000 tokens are never passed', async () => {
    const key = `sk-ant-${'api03-Zx9Qw8Er7Ty6Ui5Op4As3Df2Gh1Jk0'.repeat(2)}`
    const many = Array.from({ length: 400 }, (_, at) => [
      user(
        `Step ${at}: change src/part_${at}/handler${at}.ts so that ${'ä漢字 '.repeat(at % 9)}it is quick.`,
      ),
      assistant(`In src/part_${at}/handler${at}.ts the function handleItem${at} calls load_data_${at}.`),
    ]).flat()
    const { context } = await start('compact', await session([...many, user(`The key is ${key}, use it.`)]))
    expect(context).not.toContain(key)
    expect(context).toContain('[REDACTED')
    const tokens = createTokenCounter().countText(context)
    expect(tokens).toBeGreaterThan(1_000)
    expect(tokens).toBeLessThanOrEqual(2_000)
  })
})

describe('of a long session', () => {
  const talk = (count: number) =>
    Array.from({ length: count }, (_, at) => [
      user(`Step ${at}: change src/part_${at}/handler${at}.ts. ${'It is to be quick. '.repeat(20)}`),
      assistant(
        `In src/part_${at}/handler${at}.ts handleItem${at} calls load_data_${at}. ${'So it is. '.repeat(40)}`,
      ),
      result('OUTPUT-ONLY-LINE '.repeat(200)),
    ]).flat()

  test('the rule of the beginning, the newest messages and the last rule are quoted', async () => {
    const { context } = await start('compact', await session([...TALK, ...talk(600), ...TALK.slice(2)]))
    for (const part of ['keep the port at 4711', 'legacy_users', 'Step 599']) expect(context).toContain(part)
  })
})

describe('when a session is resumed', () => {
  const compacted = [
    ...TALK,
    boundary,
    summary('The user: And never touch the legacy_users table of the database.'),
  ]

  test('quotes what the summary has not', async () => {
    const { context } = await start('resume', await session([...compacted, user('Said behind it.')]))
    expect(context).toContain('keep the port at 4711')
    expect(context).not.toContain('never touch the legacy_users')
    expect(context).not.toContain('Said behind it')
  })

  test('adds nothing where it has added its text already', async () => {
    const { context } = await start('resume', await session(compacted))
    const own = { type: 'attachment', attachment: { type: 'hook_additional_context', content: [context] } }
    expect((await start('resume', await session([...compacted, own]))).context).toBe('')
    const again = [...compacted, own, boundary, summary('Nothing of note.')]
    expect((await start('resume', await session(again))).context).toContain('legacy_users')
  })
})

describe('a host is never disturbed', () => {
  test('broken, half and huge lines are passed over', async () => {
    const huge = JSON.stringify(assistant('x'.repeat(3_000_000)))
    const lines = ['{"type":"user"', 'no JSON', '"type":"user"', '{"type":"user","message":7}', huge, ...TALK]
    const { context, log } = await start('compact', await session([...lines, '{"type":"user","mess']))
    expect(context).toContain('keep the port at 4711')
    expect(log).toBe('')
  })

  test('a start, or another event, is nothing to it', async () => {
    expect(await start('startup', await session(TALK))).toEqual({ context: '', log: '' })
    expect(await hook('{"hook_event_name":"PreCompact"}')).toEqual({ context: '', log: '' })
  })

  test.each(['', 'no JSON: hunter2', '[]', '7'])(
    'input %j is a line of the log without it',
    async (input) => {
      const { context, log } = await hook(input)
      expect([context, log.trimEnd().split('\n').length]).toEqual(['', 1])
      expect(log).not.toContain('hunter2')
    },
  )

  test('files that are none of ours are a line of the log', async () => {
    const link = join(folder, 'link.jsonl')
    await symlink(await session(TALK), link)
    for (const path of [join(folder, 'missing.jsonl'), folder, link, '/dev/null', 7, undefined]) {
      const { context, log } = await start('compact', path)
      expect([String(path), context, log.trimEnd().split('\n').length]).toEqual([String(path), '', 1])
      expect(log).toContain('Error')
    }
  })

  test("another user's file is not read", async () => {
    const own = process.getuid
    process.getuid = () => 4_242
    try {
      const { context, log } = await start('compact', await session(TALK))
      expect([context, log]).toEqual(['', expect.stringContaining("another user's")])
    } finally {
      if (own !== undefined) process.getuid = own
    }
  })

  test('an input that never ends, or a terminal, is not waited for', async () => {
    expect((await hook(new PassThrough())).log).toContain('did not end')
    expect((await hook(Object.assign(new PassThrough(), { isTTY: true }))).log).toContain('terminal')
  })
})
