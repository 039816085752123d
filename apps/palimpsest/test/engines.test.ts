import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readConfigFile } from '../src/engines/configuration.ts'
import { pickEngine, type Terminal } from '../src/engines/pick-engine.ts'
import { type CliResult, runCli } from './run-cli.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-'))
})
afterEach(() => rm(folder, { recursive: true }))

const cli = (...args: string[]): Promise<CliResult> => runCli(args, { cwd: folder })
const config = () => readFile(join(folder, 'config.yaml'), 'utf8')

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), text)
}

/** An engine that keeps the system prompt and the newest messages, as a module without imports. */
const engineModule = (name: string, create = '') => `
globalThis.loaded = true
const compress = async ({ messages }) => {
  return { outcome: 'unchanged', reason: 'never', messages, tokensBefore: 0, tokensAfter: 0, changedFrom: messages.length, warnings: [] }
}
const create = (options, host) => {
  ${create}
  const nothing = async () => {}
  return {
    specificationVersion: 'v1', name: '${name}', capabilities: [], lastPromptTokens: 0, lastCompletionTokens: 0,
    lastTotalTokens: 0, thresholdTokens: host.contextLength, contextLength: host.contextLength, compressionCount: 0,
    updateFromResponse() {}, shouldCompress: () => false, compress, ingest: nothing, shouldCompressPreflight: () => false,
    pruneToolResults: async (messages) => messages, selectContext: async () => null, onTurnComplete: nothing,
    hasContentToCompress: () => false, onSessionStart: nothing, onSessionEnd: nothing, onSessionReset: nothing,
    onCompactionBoundary: nothing, updateModel() {}, toolSchemas: () => [], handleToolCall: async () => '{}',
    status: () => ({}), dispose: nothing,
  }
}
const definition = { name: '${name}', apiVersion: 1, description: 'keeps everything', create }
export default Object.defineProperty(definition, Symbol.for('palimpsest.context-engine'), { value: 1 })
`

async function plugin(name: string, module = engineModule(name)): Promise<void> {
  await write(
    `plugins/context_engine/${name}/plugin.yaml`,
    `name: ${name}\ndescription: keeps everything\nversion: 2.1.0\n`,
  )
  await write(`plugins/context_engine/${name}/index.js`, module)
}

const SHORT = JSON.stringify([
  { role: 'user', content: 'Hello' },
  { role: 'assistant', content: 'Hello to you.' },
])

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
    await mkdir(join(folder, 'plugins/context_engine/empty'), { recursive: true })
    await symlink(join(folder, 'nowhere'), join(folder, 'plugins/context_engine/dangling'))
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
      ['calm', 'directory', true],
      ['compressor', 'directory', false],
      ['dangling', 'directory', false],
      ['empty', 'directory', false],
      ['torn', 'directory', false],
    ])
    for (const { available, reason } of engines) expect(available || reason.length > 10).toBe(true)
  })

  it('shows a choice that nothing has', async () => {
    await write('config.yaml', 'context:\n  engine: gone\n')
    const { stdout } = await cli('engines', 'list')
    expect(stdout).toMatch(/^\* {2}gone +- +- +\(not found\)$/m)
  })
})

describe('palimpsest engines info', () => {
  it('tells what is known', async () => {
    await plugin('calm')
    const { stdout, code } = await cli('engines', 'info', 'calm')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^version +2\.1\.0$/m)
    expect(stdout).toMatch(/^source +directory$/m)
    expect(stdout).toMatch(/^chosen +no; palimpsest engines use calm$/m)
  })

  it('refuses a name that nothing has, in one line', async () => {
    const { stderr, code } = await cli('engines', 'info', '../../etc')
    expect(code).toBe(2)
    expect(stderr).toBe('palimpsest: there is no engine "../../etc"; there is: compressor\n')
  })
})

describe('palimpsest engines use', () => {
  it('changes one value and keeps the rest byte for byte', async () => {
    await plugin('calm')
    const before =
      '# mine\r\ncompression: { profile: classic } # short\r\ncontext:\r\n    engine: "compressor"   # for now\r\n'
    await write('config.yaml', before)
    const { stdout, code } = await cli('engines', 'use', 'calm')
    expect(code).toBe(0)
    expect(stdout).toContain('context.engine is calm 2.1.0 now (was compressor)')
    expect(await config()).toMatch(
      /^# mine\r\ncompression: \{ profile: classic \} # short\r\ncontext:\r\n {4}engine: "?calm"? {3}# for now\r\n$/,
    )
    expect(await readdir(folder)).toEqual(['config.yaml', 'plugins'])
  })

  it('makes the file when there is none', async () => {
    expect((await cli('engines', 'use', 'compressor')).code).toBe(0)
    expect(await config()).toBe('context:\n  engine: compressor\n')
    expect((await cli('engines', 'use', 'compressor')).stdout).toContain('already; nothing was changed')
  })

  it.each([
    ['gone', 'there is no engine "gone"'],
    ['torn', 'the engine "torn" cannot be used: '],
  ])('refuses %s and writes nothing', async (name, message) => {
    await write('plugins/context_engine/torn/plugin.yaml', 'name: [torn\n')
    const { stderr, code } = await cli('engines', 'use', name)
    expect(code).toBe(2)
    expect(stderr).toContain(message)
    expect(await readdir(folder)).toEqual(['plugins'])
  })

  it('says what to write when there is nobody to ask', async () => {
    const { stderr, code } = await cli('engines', 'use')
    expect(code).toBe(2)
    expect(stderr).toBe('palimpsest: name the engine, because there is no terminal to ask on: compressor\n')
  })
})

describe('the picker', () => {
  const terminal = () => {
    const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode() {} })
    const output = Object.assign(new PassThrough(), { isTTY: true, columns: 100, rows: 30 })
    let shown = ''
    output.on('data', (text) => {
      shown += text
    })
    return {
      terminal: { input, output } as unknown as Terminal,
      press: (key: string) => input.write(key),
      shown: () => shown,
    }
  }
  const settle = () => new Promise((resolve) => setTimeout(resolve, 50))

  it('begins at the current choice, also when it is not there any more, and takes another one', async () => {
    await plugin('calm')
    await write('config.yaml', 'context:\n  engine: gone\n')
    const { terminal: at, press, shown } = terminal()
    const picked = pickEngine(await readConfigFile(undefined, folder), at)
    await settle()
    expect(shown()).toContain('gone (current)')
    expect(shown()).toContain('(not found)')
    press('\u001b[A')
    await settle()
    press('\r')
    expect(await picked).toBe('calm')
  })

  it('takes no for an answer', async () => {
    const { terminal: at, press } = terminal()
    const picked = pickEngine(await readConfigFile(undefined, folder), at)
    await settle()
    press('\u0003')
    expect(await picked).toBeUndefined()
  })
})

describe('a session on a configured engine', () => {
  const replay = (...flags: string[]) => cli('replay', 'session.json', '--json', ...flags)
  beforeEach(() => write('session.json', SHORT))

  it('runs on a plugin, with the options of its block', async () => {
    await plugin('calm', engineModule('calm', 'if (options.pace !== 3) throw new Error("no pace")'))
    await write(
      'config.yaml',
      'context:\n  engine: calm\ncalm:\n  pace: 3\ncompression:\n  profile: classic\n',
    )
    const { stdout, stderr, code } = await replay()
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({ engine: 'calm', profile: null, warnings: [] })
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
    expect(report).toMatchObject({ engine: 'compressor', profile: 'lean' })
    expect(report.warnings).toMatchObject([{ request: 0, code: 'engine-unavailable' }])
  })

  it.each(broken)('with context.strict it is an error when a plugin %s', async (_, module, reason) => {
    await plugin('calm', module)
    await write('config.yaml', 'context:\n  engine: calm\n  strict: true\n')
    const { stdout, stderr, code } = await replay()
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(reason)
    expect(stderr).not.toContain('    at ')
  })

  it('an engine that is not there: the compressor by configuration, an error by flag', async () => {
    await write('config.yaml', 'context:\n  engine: gone\ngone:\n  pace: 3\n')
    const configured = await replay()
    expect(JSON.parse(configured.stdout).warnings).toMatchObject([{ code: 'engine-not-found' }])
    expect((await replay('--engine', 'nobody')).code).toBe(2)
  })

  it('a wrong option is the user’s to mend, and never falls back', async () => {
    await write('config.yaml', 'compression:\n  target_ratio: 7\n')
    expect((await replay()).code).toBe(2)
  })
})
