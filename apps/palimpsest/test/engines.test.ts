import { mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { usePluginFolder } from './plugin-folder.ts'

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
