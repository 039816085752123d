import { mkdtemp, readFile, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { killGroup } from '../src/chat/tools/run-command.ts'
import { assertPlainNames } from '../src/chat/tools/workspace.ts'
import { HOSTS } from '../src/connect/hosts.ts'
import { ownCommand } from '../src/connect/run-connect.ts'
import { moveFile } from '../src/replace-file.ts'

/** The differences of Windows, as far as it can be tried elsewhere: with its answers, its paths and its line ends. */

const fault = (code: string) => Object.assign(new Error(`${code}: rename`), { code })

async function twoFiles() {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-systems-'))
  const [from, to] = [join(folder, 'new'), join(folder, 'old')] as const
  await writeFile(from, 'new')
  await writeFile(to, 'old')
  return { from, to }
}

it.each(['EBUSY', 'EPERM', 'EACCES'])(
  'a file that another program holds for a moment is replaced: %s',
  async (code) => {
    const { from, to } = await twoFiles()
    let tries = 0
    const move = async (...paths: Parameters<typeof rename>) => {
      if (++tries < 3) throw fault(code)
      return rename(...paths)
    }
    await moveFile(from, to, { platform: 'win32', move })
    expect(await readFile(to, 'utf8')).toBe('new')
    expect(tries).toBe(3)
  },
)

it('a command ends with all that it started', () => {
  const calls: unknown[] = []
  const system = (platform: NodeJS.Platform) => ({
    platform,
    kill: (...call: unknown[]) => calls.push(call) > 0,
    run: (...call: unknown[]) => calls.push(call) > 0,
  })
  expect(killGroup({ pid: 7 }, 'SIGTERM', system('win32'))).toBe(true)
  expect(killGroup({ pid: 7 }, 'SIGTERM', system('darwin'))).toBe(true)
  expect(calls).toEqual([
    ['taskkill', ['/pid', '7', '/t', '/f']],
    [-7, 'SIGTERM'],
  ])
})

it('names that mean another file on Windows are refused there', () => {
  const refused = [
    '.git::$INDEX_ALLOCATION/hooks/x',
    '.git./config',
    'src\\.git \\config',
    'a.txt:hidden',
    'C:a.txt',
  ]
  for (const path of refused) {
    expect(() => assertPlainNames(path, 'win32'), path).toThrow('names another file')
    expect(() => assertPlainNames(path, 'linux')).not.toThrow()
  }
  for (const path of ['C:\\work\\a.txt', 'c:/work/.gitignore', '..\\a b.txt', './src/a.ts', '.'])
    expect(() => assertPlainNames(path, 'win32'), path).not.toThrow()
})

it('agents start the server through a shell on Windows, where commands of npm are scripts', async () => {
  const { from } = await twoFiles()
  const folder = join(from, '..')
  await writeFile(join(folder, 'palimpsest.cmd'), '', { mode: 0o755 })
  const environment = {
    PATH: `C:\\x\\node_modules\\.bin;${folder}`,
    CODEX_HOME: folder,
    CLAUDE_CONFIG_DIR: folder,
  }
  const command = ownCommand(environment, 'win32')
  expect(command).toEqual(['palimpsest'])
  expect(ownCommand({ PATH: `${folder}\\node_modules\\.bin` }, 'win32')).toEqual([
    'npx',
    '-y',
    '@palimpsest/cli',
  ])
  const place = { isProject: false, folder, environment, command, platform: 'win32' } as const
  const [server, settings] = HOSTS['claude-code'](place)
  expect(JSON.parse(server?.add(undefined) ?? '').mcpServers.palimpsest).toMatchObject({
    command: 'cmd',
    args: ['/c', 'palimpsest', 'mcp'],
  })
  expect(settings?.add(undefined)).toContain('"palimpsest hook claude-code"')
  expect(HOSTS.codex(place)[0]?.add(undefined)).toMatch(
    /command = "cmd"\nargs = \["\/c", "palimpsest", "mcp"\]/,
  )
})
