import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { sharedValue } from '../../scripts/share-value.ts'
import { SCRIPTED_OPENAI } from '../example-host.ts'
import { fencedBlocks } from '../fenced-blocks.ts'
import type { Fixture } from '../fixture.ts'
import { REPOSITORY_ROOT } from '../repository-root.ts'
import { type CommandOutput, describeOutput, runCommand } from '../run-command.ts'
import { environmentOf } from '../user-environment.ts'

const { folder, user } = await sharedValue<Fixture>(inject('fixture'))
/** A reader goes through one door of the README: each has a folder of its own. */
const [loopPlace, enginePlace, agentPlace] = ['loop', 'engine', 'agent'].map((name) =>
  join(folder, 'newcomer', name),
) as [string, string, string]
const run = (command: string, cwd: string): Promise<CommandOutput> =>
  runCommand('bash', ['-c', command], { cwd, env: environmentOf(user, cwd) })
const succeed = async (command: string, cwd = loopPlace): Promise<CommandOutput> => {
  const output = await run(command, cwd)
  expect(output.code, describeOutput(output)).toBe(0)
  return output
}

const GEMINI = `import { createGeminiCompletion, type GeminiOptions } from '@palimpsest/gemini'

export const make = (options: GeminiOptions) => createGeminiCompletion(options)
`

const TSC =
  'npx tsc --noEmit --strict --exactOptionalPropertyTypes --skipLibCheck false --types node --target es2023 ' +
  '--module nodenext'

const blocks = fencedBlocks(await readFile(join(REPOSITORY_ROOT, 'README.md'), 'utf8'))
const adapters = fencedBlocks(await readFile(join(REPOSITORY_ROOT, 'docs/write-a-host-adapter.md'), 'utf8'))
const contract = fencedBlocks(await readFile(join(REPOSITORY_ROOT, 'docs/hermes-contract.md'), 'utf8'))
const typeScript = blocks.filter(({ language }) => language === 'ts').map(({ text }) => text)

/** The lines of the block of the README that has a text. */
const commands = (text: string): string[] =>
  blocks
    .find((block) => block.language === 'sh' && block.text.includes(text))
    ?.text.trim()
    .split('\n')
    .map((line) => line.replace(/\s+#.*/, '')) ?? []

describe('in the folder that npm init writes', () => {
  beforeAll(async () => {
    const install = blocks.find(({ text }) => text.startsWith('npm install @palimpsest/'))?.text.trim()
    const [loop] = typeScript
    for (const place of [loopPlace, enginePlace, agentPlace]) await mkdir(place, { recursive: true })
    // The npm of today writes the type; an older one leaves it out, which means the same.
    await succeed('npm init -y && npm pkg set type=commonjs')
    // With npm, the reader of the next door installs.
    const add = install?.replace('npm install', 'pnpm add')
    await writeFile(join(loopPlace, 'pnpm-workspace.yaml'), 'allowBuilds:\n  esbuild: false\n')
    await succeed(`${add} @palimpsest/gemini @palimpsest/store tsx typescript @types/node`)
    await writeFile(join(loopPlace, 'service.mts'), SCRIPTED_OPENAI)
    await writeFile(join(loopPlace, 'agent.mts'), loop ?? '')
    await writeFile(join(loopPlace, 'summaries.mts'), GEMINI)
    await writeFile(
      join(loopPlace, 'with-engine.mts'),
      adapters.find(({ language }) => language === 'ts')?.text ?? '',
    )
    const [engine, storing] = contract.filter(({ language }) => language === 'ts')
    await writeFile(join(loopPlace, 'newest-eight.mts'), engine?.text ?? '')
    await writeFile(join(loopPlace, 'answer-counter.mts'), storing?.text ?? '')
  })

  it.each(['node', 'npx tsx'])("the README's loop runs with %s", async (command) => {
    expect((await succeed(`${command} --import ./service.mts agent.mts`)).stdout).toBe('It is noon.\n')
  })

  it("the README's loop type-checks with OpenAI's types, strictly, and the Gemini package without its SDK", async () => {
    expect((await run('ls node_modules/@google', loopPlace)).code).not.toBe(0)
    await succeed(`${TSC} agent.mts summaries.mts`)
  })

  it('the engines of docs/hermes-contract.md type-check, and the one with data continues', async () => {
    await succeed(`${TSC} newest-eight.mts answer-counter.mts`)
    const { stdout } = await succeed('node answer-counter.mts && node answer-counter.mts')
    expect(stdout).toBe('{ answers: 1 }\n{ answers: 2 }\n')
  })

  it("the README's loop and the guide's host adapter type-check in a project that tsc --init made", async () => {
    const files = 'agent.mts with-engine.mts'
    await succeed(`mkdir init && cp ${files} init && cd init && npx tsc --init && npx tsc --noEmit`)
  })

  it("the README's engine passes the contract suite, as the README says to run it", async () => {
    const [installs = '', runs = ''] = commands('palimpsest-contract')
    await writeFile(join(enginePlace, 'engine.mts'), typeScript[1] ?? '')
    await succeed(`npm init -y && ${installs}`, enginePlace)
    // Without the generated conversations, which take a minute: \`pnpm release:rehearse\` runs them.
    const { stdout } = await succeed(`${runs} C01-C83 L02-L11`, enginePlace)
    expect(stdout).toMatch(/\b0 failed/)
  })

  it("the README's link to a clone's command works in scripts, with any Node in the PATH", async () => {
    const [link = ''] = commands('bin/palimpsest')
    await succeed(link, REPOSITORY_ROOT)
    const { stdout } = await succeed(
      'PATH="$HOME/.local/bin:/usr/bin:/bin" env -u GEMINI_API_KEY palimpsest --version',
    )
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  it("the README's commands for coding agents run", async () => {
    // A clone's command is what npx runs once the packages are published.
    const [connects = '', runs = ''] = commands('palimpsest connect').map((line) =>
      line.replace(/^palimpsest/, 'npx @palimpsest/cli'),
    )
    // There is no terminal to ask on.
    await succeed(`${connects} --yes`, agentPlace)
    expect(await readFile(join(user.home, '.claude.json'), 'utf8')).toContain('"palimpsest"')
    // The agent itself is not installed here; the tests of real clients run it.
    expect((await run(`${runs} --help`, agentPlace)).code).toBe(0)
  })
})
