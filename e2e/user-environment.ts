import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { REPOSITORY_ROOT } from './repository-root.ts'
import { mustRun, runCommand } from './run-command.ts'

/** A user of the packages, with an empty home folder and an npm and pnpm that know one registry. */
export interface User {
  /** Their home folder, with the caches of npm and pnpm. */
  readonly home: string
  /** The folders in which their shell finds commands. */
  readonly path: readonly string[]
}

/** Makes a user with the home folder `home`. */
export async function createUser(home: string, registryUrl: string): Promise<User> {
  const registry = new URL(registryUrl)
  const npmrc = [
    `registry=${registry}`,
    // npm and pnpm do not even ask a registry to publish without a token; this one accepts any.
    `//${registry.host}/:_authToken=any`,
    'audit=false',
    'fund=false',
    'update-notifier=false',
  ]
  await mkdir(home, { recursive: true })
  await writeFile(join(home, '.npmrc'), `${npmrc.join('\n')}\n`)
  return { home, path: await toolFolders() }
}

/**
 * The whole environment of a user's commands in a folder: nothing of this process's is in it, no settings of npm and
 * no tools of the workspace. What is installed globally from there stays in the folder.
 */
export function environmentOf({ home, path }: User, folder: string): NodeJS.ProcessEnv {
  const prefix = join(folder, '.global')
  return {
    HOME: home,
    PATH: [join(prefix, 'bin'), ...path].join(delimiter),
    npm_config_prefix: prefix,
    PNPM_HOME: prefix,
    // pnpm would put its store into PNPM_HOME, and nothing would be shared between folders.
    pnpm_config_store_dir: join(home, 'pnpm-store'),
  }
}

/**
 * The folders of Node, npm, pnpm and whatever else the machine has, without the commands that some package brought.
 * Node is the machine's own, so that it makes a difference where the tests run; the workspace's where that is too
 * old for the packages.
 */
async function toolFolders(): Promise<readonly string[]> {
  const manifest = await readFile(join(REPOSITORY_ROOT, 'package.json'), 'utf8')
  const { packageManager, engines } = JSON.parse(manifest)
  const settings = { cwd: REPOSITORY_ROOT }
  const wherePnpmIs = ['exec', '--yes', `--package=${packageManager}`, '--call', 'command -v pnpm']
  const { stdout } = await mustRun('npm', wherePnpmIs, settings)
  const machine = (process.env.PATH ?? '').split(delimiter).filter((folder) => !/node_modules/.test(folder))
  const env = { PATH: machine.join(delimiter) }
  const node = await runCommand('node', ['--version'], { ...settings, env })
  const newEnough = compareVersions(node.stdout, engines.node) >= 0
  return [...(newEnough ? [] : [dirname(process.execPath)]), dirname(stdout.trim()), ...machine]
}

/** Compares major and minor of two versions: positive if the first is the newer one. */
function compareVersions(a: string, b: string): number {
  const numbers = (text: string) => text.match(/\d+/g)?.map(Number) ?? []
  const [major = 0, minor = 0] = numbers(a)
  const [otherMajor = 0, otherMinor = 0] = numbers(b)
  return major - otherMajor || minor - otherMinor
}
