import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { sharedValue } from '../../scripts/share-value.ts'
import type { Fixture } from '../fixture.ts'
import { readManifest } from '../manifest.ts'
import { REPOSITORY_ROOT } from '../repository-root.ts'
import { mustRun, runCommand } from '../run-command.ts'
import type { PackageManager } from '../try-readme.ts'
import { environmentOf } from '../user-environment.ts'

const fixture = await sharedValue<Fixture>(inject('fixture'))
const examples = join(REPOSITORY_ROOT, 'examples')
const exampleName = 'context-engine-topic-window'

const parent = join(fixture.folder, 'third-party')

beforeAll(async () => {
  await Promise.all([
    // The user below runs its generated conversations.
    publishExample('third-party-engine', 'npm', { NODE_OPTIONS: '--test-skip-pattern=/^P/' }),
    publishExample('ported-from-hermes', 'pnpm'),
  ])
})

/** The work of an example's author, on a machine that has never seen this repository. */
async function publishExample(
  name: string,
  manager: PackageManager,
  publishing: NodeJS.ProcessEnv = {},
): Promise<void> {
  const ours = ['node_modules', 'dist']
  const folder = join(parent, 'authors', name)
  await cp(join(examples, name), folder, {
    recursive: true,
    filter: (path) => !ours.includes(basename(path)),
  })
  const env = environmentOf(fixture.user, folder)
  await mustRun(manager, ['install'], { cwd: folder, env })
  // Its `prepublishOnly` builds it and runs its tests.
  await mustRun('npm', ['publish'], { cwd: folder, env: { ...env, ...publishing } })
}

/** An empty folder of the user, with packages installed from the registry: with pnpm, in a third of npm's time. */
async function folderWith(name: string, ...packages: string[]) {
  const folder = join(parent, name)
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
  const settings = { cwd: folder, env: environmentOf(fixture.user, folder) }
  await mustRun('pnpm', ['add', ...packages], settings)
  const npx = (...args: string[]) => runCommand('npx', ['--no', ...args], settings)
  return { folder, npx }
}

describe('a user of an engine by another author', () => {
  it('finds it in the list, selects it by config.yaml, and a session runs on it', async () => {
    const { folder, npx } = await folderWith('agent', '@palimpsest/cli', exampleName)
    const { version } = await readManifest(join(examples, 'third-party-engine'))
    const listed = await npx('palimpsest', 'engines', 'list')
    expect(listed.stdout.split('\n').find((line) => line.includes('topic-window'))).toContain(version)

    expect(await npx('palimpsest', 'engines', 'use', 'topic-window')).toMatchObject({ code: 0, stderr: '' })
    expect(await readFile(join(folder, 'config.yaml'), 'utf8')).toMatch(/^context:\n +engine: topic-window$/m)

    const session = join('node_modules', '@palimpsest', 'cli', 'sessions', 'ledger.jsonl')
    const replayed = await npx('palimpsest', 'replay', session, '--window', '100000', '--json')
    expect(replayed).toMatchObject({ code: 0, stderr: '' })
    const report: ReplayReport = JSON.parse(replayed.stdout)
    expect(report.engine).toBe('topic-window')
    expect(report.compactions.map(({ outcome }) => outcome)).toContain('compacted')
    expect(report.invariants).toEqual({ checked: report.requests, violations: [] })
    expect(report.warnings).toEqual([])
  })
})

/** Generated conversations, of a hundred: as many as the tests on the sources try. */
const RUNS = '5'

describe('a user who wants to know whether an engine can be trusted', () => {
  it('runs the contract suite on the installed engine', async () => {
    const { npx } = await folderWith('contract', '@palimpsest/contract-tests', exampleName)
    const { stdout } = await npx('palimpsest-contract', exampleName, '--runs', RUNS, '--json')
    const report: ContractReport = JSON.parse(stdout)
    console.log(`${exampleName}: ${report.counts.passed} cases passed in ${report.durationMs} ms`)
    expect(report.cases.filter(({ status }) => status === 'failed')).toEqual([])
    expect(report.counts.passed).toBeGreaterThanOrEqual(55)
  })
})

/** The members of the two reports that are read here. */
interface ReplayReport {
  readonly engine: string
  readonly requests: number
  readonly compactions: readonly { readonly outcome: string }[]
  readonly invariants: unknown
  readonly warnings: readonly unknown[]
}
interface ContractReport {
  readonly counts: { readonly passed: number }
  readonly durationMs: number
  readonly cases: readonly { readonly id: string; readonly status: string; readonly reason?: string }[]
}
