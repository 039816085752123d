import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PublishedPackage, publishEverything } from './publish.ts'
import { type Registry, startRegistry } from './registry.ts'
import { createUser, type User } from './user-environment.ts'

/** Shared data of the tests of published packages; plain data, because they run in other processes. */
export interface Fixture {
  /** A folder for files of the tests, which is removed at the end. */
  readonly folder: string
  /** The user who knows the registry. All tests share this user's caches of npm and pnpm. */
  readonly user: User
  readonly published: readonly PublishedPackage[]
}

/**
 * Starts a registry and publishes this repository to it. `tell` gets a line for each step. `stop` ends the registry
 * and removes every file.
 */
export async function startFixture(
  tell: (line: string) => void,
): Promise<{ readonly fixture: Fixture; readonly stop: () => Promise<void> }> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'palimpsest-e2e-')))
  let registry: Registry | undefined
  const stop = async () => {
    await registry?.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const seconds = stopwatch()
    registry = await startRegistry()
    tell(`registry: started after ${seconds()} s`)
    const user = await createUser(join(folder, 'home'), registry.url)
    const published = await publishEverything(folder, registry.url, user)
    tell(`registry: ${published.length} packages published after ${seconds()} s`)
    return { fixture: { folder, user, published }, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function stopwatch(): () => string {
  const start = performance.now()
  return () => ((performance.now() - start) / 1000).toFixed(1)
}
