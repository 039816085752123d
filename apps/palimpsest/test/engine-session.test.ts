import { beforeEach, describe, expect, it } from 'vitest'
import { engineModule, SHORT, usePluginFolder } from './plugin-folder.ts'
import { serveProcess } from './serve/served-process.ts'

const { cli, path, plugin, write } = usePluginFolder()

describe('a session on a configured engine', () => {
  const replay = (...flags: string[]) => cli('replay', 'session.json', '--json', ...flags)
  beforeEach(() => write('session.json', SHORT))

  it('runs on a plugin, with the options of its block, and says that those of the compressor have no effect', async () => {
    await plugin('calm', engineModule('calm', 'if (options.pace !== 3) throw new Error("no pace")'))
    await write('config.yaml', 'context:\n  engine: calm\ncalm:\n  pace: 3\ncompression:\n  threshold: 0.3\n')
    const { stdout, stderr, code } = await replay()
    expect(code).toBe(0)
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/"compression:".*\(threshold\) has no effect.*"calm:"/),
    ])
    expect(JSON.parse(stdout)).toMatchObject({ engine: 'calm', profile: null })
  })

  const broken: [string, string, string][] = [
    ['throws while loading', 'throw new Error("out of order")', 'out of order'],
    ['exports the wrong thing', 'export default { name: "calm" }', 'defineContextEngine'],
    ['cannot be created', engineModule('calm', 'throw new Error("no room")'), 'no room'],
    [
      'claims another version',
      engineModule('calm').replace('value: 1', 'value: 2').replace('apiVersion: 1', 'apiVersion: 2'),
      'version',
    ],
  ]
  it.each(broken)('runs on the compressor, loudly, when a plugin %s', async (_, module, reason) => {
    await plugin('calm', module)
    await write('config.yaml', 'context:\n  engine: calm\n')
    const { stdout, stderr, code } = await replay()
    expect(code).toBe(0)
    expect(stderr).toContain(reason)
    expect(stderr).toContain('runs on the built-in compressor instead')
    expect(stderr.trim().split('\n')).toHaveLength(1)
    const report = JSON.parse(stdout)
    expect(report).toMatchObject({ engine: 'compressor', profile: null })
    expect(report.warnings).toMatchObject([{ request: 0, code: 'engine-unavailable' }])
  })

  it('serve says from the start that it runs on the compressor when a plugin cannot be created', async () => {
    await plugin('calm', engineModule('calm', 'throw new Error("no room")'))
    await write('config.yaml', 'context:\n  engine: calm\n')
    const service = await serveProcess(path(), [])
    try {
      expect(service.stderr()).toContain(
        '"calm" could not be created (no room); the session runs on the built-in',
      )
      const health = await (await fetch(new URL('health', service.url))).json()
      expect(health).toMatchObject({ engine: 'compressor' })
    } finally {
      await service.end('SIGTERM')
    }
  })

  it('with context.strict it is an error when a plugin cannot be loaded', async () => {
    await plugin('calm', 'throw new Error("out of order")')
    await write('config.yaml', 'context:\n  engine: calm\n  strict: true\n')
    const { stdout, stderr, code } = await replay()
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('out of order')
    expect(stderr).not.toContain('    at ')
  })

  it('an engine that is not there: the compressor by configuration, an error by flag', async () => {
    await write('config.yaml', 'context:\n  engine: gone\ngone:\n  pace: 3\n')
    const configured = await replay()
    expect(JSON.parse(configured.stdout).warnings).toMatchObject([{ code: 'engine-not-found' }])
    expect((await replay('--engine', 'nobody')).code).toBe(2)
  })

  it('an option that the engine refuses is named with where it was given', async () => {
    const refuse = (
      option: string,
    ) => `throw Object.assign(new Error('${option}: this key is not known here'), {
      [Symbol.for('palimpsest.error.core.error')]: true,
      [Symbol.for('palimpsest.error.core.invalid-option')]: true, code: 'INVALID_OPTION', path: '${option}' })`
    await plugin(
      'calm',
      engineModule('calm', `if (options.pace) ${refuse('pace')}; if (options.profile) ${refuse('profile')}`),
    )
    await write('config.yaml', 'context:\n  engine: calm\ncalm:\n  pace: 3\n')
    expect((await replay()).stderr).toMatch(
      /^palimpsest: pace: this key is not known here \(in the block "calm:" of .*config\.yaml\)\n$/,
    )
    await write('config.yaml', 'context:\n  engine: calm\n')
    const { stderr, code } = await replay('--profile', 'lean')
    expect(code).toBe(2)
    expect(stderr).toBe('palimpsest: profile: this key is not known here (from --profile)\n')
  })
})
