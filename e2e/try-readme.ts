import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type ExampleHost, exampleHost } from './example-host.ts'
import { fencedBlocks } from './fenced-blocks.ts'
import { type PublishedPackage, readReadme } from './publish.ts'
import { type CommandOutput, describeOutput, runCommand } from './run-command.ts'
import { environmentOf, type User } from './user-environment.ts'
import { hasDatabase, withDatabase } from './with-database.ts'

export const PACKAGE_MANAGERS = ['npm', 'pnpm'] as const
export type PackageManager = (typeof PACKAGE_MANAGERS)[number]

/** The command for an example that needs nothing else. */
const EXAMPLE = { path: 'example.mts', command: 'node --import ./before.mts example.mts' }

/** The relevant part of the file that `npm init` writes. */
const MANIFEST = { name: 'newcomer', version: '1.0.0', type: 'commonjs' }

/**
 * Does what the README of a package says, as a user with an empty folder would: runs its first `sh` block, with
 * `npm install` replaced by `pnpm add` for users of pnpm, then its first `ts` block as
 * a program. Returns what that
 * user would complain about, and an empty list if there is nothing.
 */
export async function tryReadme(
  published: PublishedPackage,
  manager: PackageManager,
  folder: string,
  user: User,
): Promise<readonly string[]> {
  const blocks = fencedBlocks(await readReadme(published))
  const host = exampleHost(published)
  const run = (command: string, variables: NodeJS.ProcessEnv = {}) =>
    runCommand('bash', ['-c', command], {
      cwd: folder,
      env: { ...environmentOf(user, folder), ...variables },
    })

  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(MANIFEST)}\n`)
  for (const [path, text] of Object.entries(host.files ?? {})) await put(join(folder, path), text)

  const commands =
    blocks
      .find(({ language }) => language === 'sh')
      ?.text.trim()
      .split('\n') ?? []
  if (!commands[0]?.startsWith('npm install')) return ['the README does not begin with an `npm install`']
  let printed = ''
  for (const command of [...commands, ...(host.commands ?? [])]) {
    const installs = command.startsWith('npm install')
    const translated = manager === 'pnpm' ? command.replace(/^npm install/, 'pnpm add') : command
    const output = await run(translated)
    const faults = installs ? installationFaults(output, host) : programFaults(output, host)
    if (faults.length > 0) return [`${translated}: ${faults.join('\n')}`]
    printed += output.stdout
  }
  if (manager === 'npm') {
    const scripts = await lockedInstallScripts(folder, host)
    if (scripts.length > 0) return [`these would run a script on installation: ${scripts.join(', ')}`]
  }
  const example = blocks.find(({ language }) => language === 'ts')?.text
  if (example !== undefined) {
    const { path, command } = host.run ?? EXAMPLE
    await put(join(folder, 'before.mts'), host.before ?? '')
    await put(join(folder, path), `${example}\n${host.after ?? ''}`)
    const output =
      host.database === true
        ? await withDatabase((url) => run(command, { DATABASE_URL: url }))
        : await run(command)
    const faults = programFaults(output, host)
    if (faults.length > 0) return [`${path}: ${faults.join('\n')}`]
    printed += output.stdout
  }
  return host.prints
    .filter((text) => !printed.includes(text))
    .map((text) => `it does not print "${text}":\n${printed}`)
}

/** Why the example of a package cannot be tried on this machine; undefined when it can. */
export function obstacleOf(published: PublishedPackage): string | undefined {
  if (exampleHost(published).database !== true || hasDatabase()) return undefined
  return 'no programs of a PostgreSQL server are on this machine'
}

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

/**
 * A failed installation, and everything that looks like a warning. npm warns of scripts that it did not run; pnpm
 * fails, or mentions them when it installs globally. A slow network is not a fault.
 */
function installationFaults(output: CommandOutput, { installScripts = [] }: ExampleHost): string[] {
  if (output.code !== 0) return [describeOutput(output)]
  return `${output.stdout}\n${output.stderr}`
    .split('\n')
    .filter((line) => /\bwarn\b|\bpeer|deprecated|ignored build scripts/i.test(line))
    .filter((line) => !/request took|will retry/i.test(line))
    .filter((line) => installScripts.length === 0 || !line.startsWith('npm warn install-scripts'))
}

/** A program that worked has nothing to say on standard error but its notices. */
function programFaults(output: CommandOutput, { notices }: ExampleHost): string[] {
  const said = output.stderr.split('\n').filter((line) => line !== '' && !notices?.test(line))
  return output.code === 0 && said.length === 0 ? [] : [describeOutput(output)]
}

/**
 * Packages in npm's lockfile whose scripts an older npm would have run without a warning. What is installed globally
 * has no lockfile.
 */
async function lockedInstallScripts(folder: string, { installScripts = [] }: ExampleHost): Promise<string[]> {
  const text = await readFile(join(folder, 'package-lock.json'), 'utf8').catch(() => '{}')
  const { packages = {} }: { packages?: Record<string, { hasInstallScript?: boolean }> } = JSON.parse(text)
  return Object.keys(packages)
    .filter((path) => packages[path]?.hasInstallScript)
    .map((path) => path.replace(/^.*node_modules\//, ''))
    .filter((name) => !installScripts.includes(name))
}
