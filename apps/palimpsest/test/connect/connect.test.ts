import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { ownCommand } from '../../src/connect/run-connect.ts'
import { PROGRAM, runCli } from '../run-cli.ts'

async function home(files: Readonly<Record<string, string>> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-connect-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const env = {
    HOME: folder,
    CLAUDE_CONFIG_DIR: '',
    CODEX_HOME: '',
    XDG_CONFIG_HOME: '',
    PI_CODING_AGENT_DIR: '',
  }
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  return {
    folder,
    connect: (...args: string[]) => runCli(['connect', ...args], { cwd: folder, env }),
    read: (name: string) => readFile(join(folder, name), 'utf8').catch(() => undefined),
  }
}

const CLAUDE = {
  '.claude.json': '{ "userID": "x" }',
  '.claude/settings.json': '{\n\t// mine\n\t"model": "m"\n}',
}

test('the change is shown, written, not written twice, and taken back', async () => {
  const { connect, read } = await home(CLAUDE)
  const shown = await connect('claude-code', '--print')
  expect(shown).toMatchObject({ code: 0, stderr: '' })
  expect(shown.stdout).toMatch(/^ {2}\+.*"mcp"$/m)
  const unasked = await connect('claude-code')
  expect(unasked).toMatchObject({ code: 2, stdout: shown.stdout })
  expect(unasked.stderr).toMatch(/^palimpsest: there is no terminal to ask on.*--yes.*\n$/)
  expect(await read('.claude.json')).toBe(CLAUDE['.claude.json'])

  const connected = await connect('claude-code', '--yes')
  expect(connected).toMatchObject({ code: 0, stderr: '' })
  const { palimpsest } = JSON.parse((await read('.claude.json')) ?? '').mcpServers
  const own = [palimpsest.command, ...palimpsest.args.slice(0, -1)].join(' ')
  expect(connected.stdout).toContain(`"${own} connect claude-code --remove" takes it back.`)
  expect(await read('.claude/settings.json')).toMatch(/hook claude-code"/)
  expect((await connect('claude-code', '--yes')).stdout).toMatch(/^Already connected: /)

  expect((await connect('claude-code', '--remove', '--yes')).stdout).toContain('Removed.')
  expect(JSON.parse((await read('.claude.json')) ?? '')).toEqual({ userID: 'x' })
  expect(await read('.claude/settings.json')).toBe(CLAUDE['.claude/settings.json'])
  expect((await connect('claude-code', '--remove')).stdout).toMatch(/^Nothing to remove: /)
})

test('a project has files of its own, and they go when nothing else is in them', async () => {
  const { connect, read } = await home({ 'opencode.jsonc': '{}' })
  for (const host of ['claude-code', 'opencode', 'pi'])
    expect(await connect(host, '--project', '--yes')).toMatchObject({ code: 0, stderr: '' })
  const files = ['.mcp.json', '.claude/settings.json', '.pi/mcp.json', 'opencode.jsonc']
  const written = await Promise.all(files.map(read))
  for (const text of written) expect(text).toContain('palimpsest')
  expect(await read('.claude.json')).toBeUndefined()
  for (const host of ['claude-code', 'opencode', 'pi']) await connect(host, '--project', '--remove', '--yes')
  const left = await Promise.all(files.map(read))
  expect(left).toEqual([undefined, undefined, undefined, undefined])
})

test.each([
  [['claude-code'], { '.claude/settings.json': '{ "a": ' }, 'line 1 is not valid JSON'],
  [['claude-code'], { '.claude.json/x': '' }, 'it is a folder'],
  [['claude-code'], { '.claude': '' }, 'cannot be read'],
  [['opencode'], { '.config/opencode/opencode.json': '{ "mcp": 1 }' }, '"mcp" is no object'],
  [['codex', '--project'], {}, 'leave --project out'],
  [['vim'], {}, 'Allowed choices'],
])('what cannot be done is said in one line: %j', async (args, files, reason) => {
  const { connect, read } = await home(files)
  const refused = await connect(...args, '--yes')
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).toMatch(/^palimpsest: .*\n$/)
  expect(refused.stderr).toContain(reason)
  for (const [name, text] of Object.entries(files)) expect(await read(name)).toBe(text)
})

test('the command is the installed program, never one that is in the PATH for a single run', async () => {
  const { folder } = await home({ 'bin/palimpsest': '', 'node_modules/.bin/palimpsest': '' })
  const npx = ['npx', '-y', '@palimpsest/cli']
  const paths = ['bin', 'node_modules/.bin'].map((name) => join(folder, name))
  expect(ownCommand({ PATH: paths.join(':') })).toEqual(npx)
  for (const path of paths) await chmod(join(path, 'palimpsest'), 0o755)
  expect(ownCommand({ PATH: paths[1] })).toEqual(npx)
  expect(ownCommand({ PATH: paths.join(':') })).toEqual(['palimpsest'])
  expect(ownCommand({})).toEqual(npx)
  const script = join(folder, 'a clone/main.js')
  expect(ownCommand({}, process.platform, script)).toEqual([process.execPath, ...process.execArgv, script])
})

test('connected from a clone, the server and the hook are those of the clone', async () => {
  const { folder, read, connect } = await home()
  expect(await connect('claude-code', '--yes')).toMatchObject({ code: 0, stderr: '' })
  const { mcpServers } = JSON.parse((await read('.claude.json')) ?? '')
  const { command, args } = mcpServers.palimpsest
  expect([command, ...args]).toEqual([process.execPath, ...PROGRAM, 'mcp'])
  const { hooks } = JSON.parse((await read('.claude/settings.json')) ?? '')
  const hook = hooks.SessionStart[0].hooks[0].command
  const { stdout } = await promisify(execFile)('sh', ['-c', `${hook} < /dev/null && echo ran`], {
    cwd: folder,
  })
  expect(stdout).toBe('ran\n')
  expect(await connect('claude-code', '--remove', '--yes')).toMatchObject({ code: 0 })
  expect([await read('.claude.json'), await read('.claude/settings.json')]).toEqual([undefined, undefined])
})

test('pi knows the server once it is connected', async () => {
  const { folder, connect, read } = await home()
  expect(await connect('pi', '--yes')).toMatchObject({ code: 0, stderr: '' })
  const written = JSON.parse((await read('.pi/agent/mcp.json')) ?? '')
  expect(written.mcpServers.palimpsest.args.at(-1)).toBe('mcp')
  // The program as it is here stands in for the installed one.
  const [command, ...args] = [process.execPath, ...PROGRAM, 'mcp']
  await writeFile(
    join(folder, '.pi/agent/mcp.json'),
    JSON.stringify({ mcpServers: { palimpsest: { ...written.mcpServers.palimpsest, command, args } } }),
  )
  const pi = fileURLToPath(new URL('../../../../packages/pi/node_modules/.bin/pi', import.meta.url))
  const { PATH } = process.env
  const { stdout } = await promisify(execFile)(pi, ['mcp', 'list'], {
    cwd: folder,
    env: { PATH, HOME: folder, PI_OFFLINE: '1' },
  })
  expect(stdout).toMatch(/palimpsest.*connected/i)
})
