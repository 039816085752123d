import { mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { SHORT, usePluginFolder } from './plugin-folder.ts'

const { cli, path, plugin, write } = usePluginFolder()
const config = () => readFile(path('config.yaml'), 'utf8')

describe('palimpsest engines list', () => {
  it('shows what comes with it, and that it is the default', async () => {
    const { stdout, code } = await cli('engines', 'list')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^\* {2}compressor +\d+\.\d+\.\d+ +built-in +Replaces the middle/m)
    expect(stdout).toContain('the default: there is no config.yaml')
  })

  it('names what is wrong with each broken plugin, and shows the others', async () => {
    await plugin('calm')
    await write('plugins/context_engine/torn/plugin.yaml', 'name: [torn\n')
    await mkdir(path('plugins/context_engine/empty'), { recursive: true })
    await symlink(path('nowhere'), path('plugins/context_engine/dangling'))
    await plugin('compressor')
    const { stdout, stderr, code } = await cli('engines', 'list', '--json')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const { engines } = JSON.parse(stdout)
    const summary = engines.map(({ name, source, available }: Record<string, unknown>) => [
      name,
      source,
      available,
    ])
    expect(summary).toEqual([
      ['compressor', 'built-in', true],
      ['decisions', 'built-in', true],
      ['lcm', 'built-in', true],
      ['calm', 'directory', true],
      ['compressor', 'directory', false],
      ['dangling', 'directory', false],
      ['empty', 'directory', false],
      ['torn', 'directory', false],
    ])
    for (const { available, reason } of engines) expect(available || reason.length > 10).toBe(true)
  })
})

describe('a folder whose name no engine may have', () => {
  it.each([
    [{ '__init__.py': '' }, 'it is written in Python, which cannot be loaded here'],
    [{ 'index.js': '' }, 'the name of its folder must be kebab-case'],
  ])('is the chosen one in the list and in a run, with the reason: %j', async (files, reason) => {
    for (const [name, text] of Object.entries(files))
      await write(`plugins/context_engine/keep_ends/${name}`, text)
    await write('plugins/context_engine/keep_ends/plugin.yaml', 'name: keep_ends\n')
    await write('config.yaml', 'context: { engine: keep_ends }\n')
    const list = await cli('engines', 'list')
    expect(list.stdout).toMatch(new RegExp(`^\\* {2}keep_ends +- +directory +not available: ${reason}`, 'm'))
    await write('session.json', SHORT)
    const { stderr } = await cli('replay', 'session.json')
    expect(stderr).toContain(reason)
    expect(stderr).toContain('the session runs on the built-in compressor instead')
  })
})

describe('palimpsest engines use', () => {
  it('changes one value and keeps the others, comments and line ends', async () => {
    await plugin('calm')
    const before =
      '# mine\r\ncompression: { threshold: 0.3 } # short\r\ncontext:\r\n    engine: "compressor"   # for now\r\n'
    await write('config.yaml', before)
    const { stdout, code } = await cli('engines', 'use', 'calm')
    expect(code).toBe(0)
    expect(stdout).toContain('context.engine is calm 2.1.0 now (was compressor)')
    expect(await config()).toMatch(
      /^# mine\r\ncompression: \{ threshold: 0\.3 \} # short\r\ncontext:\r\n {2}engine: "?calm"? # for now\r\n$/,
    )
    expect(await readdir(path())).toEqual(['config.yaml', 'plugins'])
  })

  it('makes the file when there is none', async () => {
    expect((await cli('engines', 'use', 'compressor')).code).toBe(0)
    expect(await config()).toBe('context:\n  engine: compressor\n')
    expect((await cli('engines', 'use', 'compressor')).stdout).toContain('already; nothing was changed')
  })

  it('loads the engine first: one that lacks a package is refused', async () => {
    await plugin('calm', `import '@palimpsest/not-installed'`)
    const { stderr, code } = await cli('engines', 'use', 'calm')
    expect([code, await readdir(path())]).toEqual([2, ['plugins']])
    expect(stderr).toContain('it needs the package "@palimpsest/not-installed", which is not installed')
  })

  it('says what has no effect in the configuration that it writes to', async () => {
    await write('config.yaml', 'compression: { tail_mode: lean }\n')
    const { stderr, code } = await cli('engines', 'use', 'compressor')
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: `palimpsest: keys without effect here: compression.tail_mode (in ${path('config.yaml')})\n`,
    })
  })

  it.each([
    ['gone', 'the context engine "gone" was not found'],
    ['torn', 'the engine "torn" cannot be used: '],
  ])('refuses %s and writes nothing', async (name, message) => {
    await write('plugins/context_engine/torn/plugin.yaml', 'name: [torn\n')
    const { stderr, code } = await cli('engines', 'use', name)
    expect(code).toBe(2)
    expect(stderr).toContain(message)
    expect(await readdir(path())).toEqual(['plugins'])
  })
})
