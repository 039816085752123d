import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { commandFaults } from './command-faults.ts'
import { type ExampleHost, exampleHost, README_READER } from './example-host.ts'
import { fencedBlocks } from './fenced-blocks.ts'
import { type PublishedPackage, readReadme } from './publish.ts'
import { REPOSITORY_ROOT } from './repository-root.ts'
import { type CommandOutput, runCommand } from './run-command.ts'
import { type Tried, tryRest } from './try-rest.ts'
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
  return (await tryFirstBlocks(published, manager, folder, user)).faults
}

/** The same with npm, and then every other block of the README. */
export async function tryWholeReadme(
  published: PublishedPackage,
  folder: string,
  user: User,
): Promise<Tried> {
  const blocks = fencedBlocks(await readReadme(published))
  const firsts = ['sh', 'ts'].map((first) => blocks.find(({ language }) => language === first))
  const rest = blocks.filter((block) => !firsts.includes(block))
  const first = await tryFirstBlocks(published, 'npm', folder, user)
  if (first.faults.length > 0)
    return { faults: first.faults, ran: 0, left: rest.map(({ line }) => `line ${line}`) }
  const host = exampleHost(published)
  const run = runner(user, folder)
  const settings = { host, folder, printed: first.printed }
  return host.database === true
    ? withDatabase((url) =>
        tryRest(rest, { ...settings, run: (command) => run(command, { DATABASE_URL: url }) }),
      )
    : tryRest(rest, { ...settings, run })
}

/** Every line of the README of the repository, in one folder: `newcomer.test.ts` gives each of its doors one. */
export async function tryRepositoryReadme(folder: string, user: User): Promise<Tried> {
  const blocks = fencedBlocks(await readFile(join(REPOSITORY_ROOT, 'README.md'), 'utf8'))
  const run = runner(user, folder)
  for (const [path, text] of Object.entries(README_READER.files ?? {})) await put(join(folder, path), text)
  return tryRest(blocks, { host: README_READER, folder, run })
}

function runner(user: User, folder: string) {
  return (command: string, variables: NodeJS.ProcessEnv = {}): Promise<CommandOutput> =>
    runCommand('bash', ['-c', command], {
      cwd: folder,
      env: { ...environmentOf(user, folder), ...variables },
    })
}

async function tryFirstBlocks(
  published: PublishedPackage,
  manager: PackageManager,
  folder: string,
  user: User,
): Promise<{ readonly faults: readonly string[]; readonly printed: string }> {
  const failed = (fault: string) => ({ faults: [fault], printed: '' })
  const blocks = fencedBlocks(await readReadme(published))
  const host = exampleHost(published)
  const run = runner(user, folder)

  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(MANIFEST)}\n`)
  for (const [path, text] of Object.entries(host.files ?? {})) await put(join(folder, path), text)

  const commands =
    blocks
      .find(({ language }) => language === 'sh')
      ?.text.trim()
      .split('\n') ?? []
  if (!commands[0]?.startsWith('npm install'))
    return failed('the README does not begin with an `npm install`')
  let printed = ''
  for (const command of [...commands, ...(host.commands ?? [])]) {
    const translated = manager === 'pnpm' ? command.replace(/^npm install/, 'pnpm add') : command
    const output = await run(translated)
    const faults = commandFaults(command, output, host)
    if (faults.length > 0) return failed(`${translated}: ${faults.join('\n')}`)
    printed += output.stdout
  }
  if (manager === 'npm') {
    const scripts = await lockedInstallScripts(folder, host)
    if (scripts.length > 0) return failed(`these would run a script on installation: ${scripts.join(', ')}`)
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
    const faults = commandFaults(command, output, host)
    if (faults.length > 0) return failed(`${path}: ${faults.join('\n')}`)
    printed += output.stdout
  }
  const faults = host.prints
    .filter((text) => !printed.includes(text))
    .map((text) => `it does not print "${text}":\n${printed}`)
  return { faults, printed }
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
