import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { runHere } from './lcm/run-here.ts'
import { engineModule, SHORT, usePluginFolder } from './plugin-folder.ts'

const { cli, path, write, plugin } = usePluginFolder()
const home = (...names: string[]) => join(path('home'), ...names)
beforeEach(() => {
  vi.stubEnv('PALIMPSEST_HOME', home())
})

/** A plugin in the user's folder, or with a module of its own. */
async function homePlugin(name: string, module = engineModule(name)): Promise<void> {
  const folder = home('plugins/context_engine', name)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'plugin.yaml'), `name: ${name}\nversion: 1.0.0\n`)
  await writeFile(join(folder, 'index.js'), module)
}

/** What an engine that writes down how its sessions begin wrote. */
const started = async (name: string) =>
  JSON.parse(await readFile(home('engines', name, 'start.json'), 'utf8'))
const writesStart = (name: string) =>
  engineModule(name)
    .replace(
      'onSessionStart: nothing',
      "onSessionStart: async (start) => writeFileSync(start.dataFolder + '/start.json', JSON.stringify(start))",
    )
    .replace('\nglobalThis', "\nimport { writeFileSync } from 'node:fs'\nglobalThis")

describe("the user's own folder", () => {
  const replay = (...flags: string[]) => cli('replay', 'session.json', '--json', ...flags)
  beforeEach(() => write('session.json', SHORT))

  it('has a configuration that is read first; the folder that one works in wins key by key', async () => {
    await write('home/config.yaml', 'context:\n  engine: calm\ncompression:\n  threshold: 0.1\n')
    await homePlugin('calm')
    expect(JSON.parse((await replay()).stdout)).toMatchObject({ engine: 'calm' })
    await write('config.yaml', 'context:\n  engine: compressor\n')
    const said = (index: number) => ({
      role: index % 2 ? 'assistant' : 'user',
      content: `${index} ${'word '.repeat(20)}`,
    })
    await write('session.json', JSON.stringify(Array.from({ length: 30 }, (_, index) => said(index))))
    const compactions = async (...flags: string[]) => {
      const { engine, compactions } = JSON.parse((await replay('--window', '2000', ...flags)).stdout)
      return [engine, compactions.length > 0]
    }
    expect(await compactions()).toEqual(['compressor', true])
    await write('config.yaml', 'context:\n  engine:\n')
    expect(JSON.parse((await replay()).stdout)).toMatchObject({ engine: 'compressor' })
    expect((await cli('engines', 'list')).stdout).toMatch(/^\* {2}compressor/m)
    await write('other.yaml', '')
    expect(await compactions('--config', 'other.yaml')).toEqual(['compressor', false])
  })

  it('names the file in which something is wrong', async () => {
    await write('home/config.yaml', 'compression:\n  threshold: high\n')
    await write('config.yaml', 'compression:\n  threshold: 0.5\n')
    expect((await replay()).stderr).toMatch(
      /^palimpsest: compression\.threshold: .* \(read from .*home\/config\.yaml; --config names another file\)\n$/,
    )
    await write('home/config.yaml', 'context:\n  engine: lcm\nlcm:\n  fresh_tail: none\n')
    expect((await replay()).stderr).toMatch(/\(in the block "lcm:" of .*home\/config\.yaml\)\n$/)
    await write('home/config.yaml', 'compresion: {}\ncompression:\n  in_place: true\n')
    expect((await replay()).stderr).toMatch(
      /^palimpsest: compresion has no effect: .*\npalimpsest: keys without effect here: compression\.in_place \(in .*home\/config\.yaml\)\n$/,
    )
  })

  it('has plug-ins of its own, which run when they are chosen, and keep what they keep there alone', async () => {
    await homePlugin('calm', writesStart('calm'))
    await homePlugin('loud', "throw new Error('was loaded')")
    await write('config.yaml', 'context:\n  engine: calm\n')
    const { stdout, stderr } = await replay('--window', '50000')
    expect([JSON.parse(stdout).engine, stderr]).toEqual(['calm', ''])
    const facts = { sessionId: 'replay', contextLength: 50_000, platform: 'replay' }
    expect(await started('calm')).toEqual({ ...facts, dataFolder: home('engines/calm') })
    expect((await stat(home('engines/calm'))).mode & 0o777).toBe(0o700)
    expect(await readdir(home('engines'))).toEqual(['calm'])
  })
})

describe('palimpsest engines', () => {
  it('shows the plug-ins of the user, what shadows them, and which file chose', async () => {
    await write('home/config.yaml', 'context:\n  engine: mine\n')
    await homePlugin('mine')
    await homePlugin('calm')
    await plugin('calm')
    const { stdout, stderr } = await cli('engines', 'list')
    expect(stderr).toBe('')
    expect(stdout).toMatch(/^\* {2}mine +1\.0\.0 +user-directory/m)
    expect(stdout).toMatch(/^ {3}calm +2\.1\.0 +directory +keeps everything$/m)
    expect(stdout).toMatch(
      /^ {3}calm +1\.0\.0 +user-directory +not available: the name "calm" belongs to the plugin in .*plugins\/context_engine\/calm; rename this one$/m,
    )
    expect(stdout).toContain(`* chosen in ${join('home', 'config.yaml')}\n`)
    expect(JSON.parse((await cli('engines', 'list', '--json')).stdout)).toMatchObject({
      choice: 'mine',
      config: null,
      user: home('config.yaml'),
      chosenIn: home('config.yaml'),
    })
    expect((await cli('engines', 'use', 'calm')).stdout).toContain(
      `${path('config.yaml')}: context.engine is calm 2.1.0 now (was mine)`,
    )
    expect((await cli('engines', 'list')).stdout).toContain('* chosen in config.yaml\n')
    await write('config.yaml', 'store: {}\n')
    await write('home/config.yaml', '')
    expect((await cli('engines', 'list')).stdout).toContain(
      `* the default: config.yaml and ${join('home', 'config.yaml')} name no engine\n`,
    )
    const shown = await runHere(['engines', 'list'], home())
    expect(shown.stdout).toContain('* the default: config.yaml names no engine\n')
    expect(shown.stdout).not.toContain('user-directory')
  })
})
