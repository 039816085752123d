import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { startMockAnthropic } from '../../apps/palimpsest/test/gateway/mock-anthropic.ts'
import { claude } from './claude.ts'
import { emptyHome, homeWithPalimpsest, runPalimpsest, runProgram } from './run-program.ts'

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))
const PLUGIN = join(REPOSITORY, 'plugins/claude-code')

test.each([PLUGIN, REPOSITORY])(
  'the client finds no fault in the plug-in and its marketplace: %s',
  async (folder) => {
    const { code, stdout } = await runProgram(
      'claude',
      ['plugin', 'validate', '--strict', folder],
      await emptyHome({ ...claude.environment }),
    )
    expect(stdout).toContain('Validation passed')
    expect(code).toBe(0)
  },
)

test.each([
  ['claude-code', 'claude', /palimpsest mcp - . Connected/],
  ['codex', 'codex', /palimpsest +palimpsest +mcp .* enabled/],
  ['opencode', 'opencode', /palimpsest .*connected/],
])(
  '%s knows the server once it is connected, and no more once it is removed',
  async (host, program, line) => {
    const home = await homeWithPalimpsest(claude.environment)
    const listed = async () => {
      const { stdout, stderr } = await runProgram(program, ['mcp', 'list'], home)
      return stdout + stderr
    }
    expect(await runPalimpsest(['connect', host, '--yes'], home)).toMatchObject({ code: 0 })
    expect(await listed()).toMatch(line)
    expect(await runPalimpsest(['connect', host, '--remove', '--yes'], home)).toMatchObject({ code: 0 })
    expect(await listed()).not.toMatch(line)
  },
)

test.each(['connect', 'plug-in'])(
  'the hook of the %s runs after a compaction and a resume, and not at a start',
  async (way) => {
    const home = await homeWithPalimpsest(
      claude.environment,
      '[ "$*" = "hook claude-code" ] && cat >> "$HOME/calls"; exit 0',
    )
    const mock = await startMockAnthropic({
      answer: () => ({ text: '<summary>Done.</summary>' }),
      window: 200_000,
    })
    const environment = { ...home.environment, ANTHROPIC_BASE_URL: mock.baseUrl.replace(/\/v1$/, '') }
    if (way === 'connect') await runPalimpsest(['connect', 'claude-code', '--yes'], home)
    const more = way === 'connect' ? [] : ['--plugin-dir', PLUGIN]
    for (const args of [claude.ask('Begin.'), claude.resume('Go on.'), claude.compact ?? []])
      await runProgram('claude', [...args, ...more], { ...home, environment })
    const calls = await readFile(join(home.environment.HOME ?? '', 'calls'), 'utf8')
    const sources = calls
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).source)
    expect(new Set(sources)).toEqual(new Set(['resume', 'compact']))
  },
)
