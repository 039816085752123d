import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { REPOSITORY_ROOT } from './repository-root.ts'
import { mustRun } from './run-command.ts'

const VERSION = '6.10.4'

/**
 * A dependency asks for the dist-tag `cjs` of node-fetch. Mirrors that serve only `latest` do not have it; 2.7.0 is
 * what the tag stands for.
 */
const OVERRIDES = { 'node-fetch@cjs': '2.7.0' }

/**
 * Installs verdaccio into a cache folder of this repository and returns that folder. It is no dependency of the
 * workspace: its 321 packages would be part of every installation, and only these tests need them.
 */
export async function installVerdaccio(): Promise<string> {
  const cache = join(REPOSITORY_ROOT, 'node_modules', '.cache')
  const folder = join(cache, `verdaccio-${VERSION}`)
  if (existsSync(folder)) return folder
  // Renamed when it is complete: what an interrupted run leaves behind is never taken for an installation.
  const unfinished = `${folder}.${process.pid}`
  await mkdir(unfinished, { recursive: true })
  try {
    const manifest = { private: true, dependencies: { verdaccio: VERSION }, overrides: OVERRIDES }
    await writeFile(join(unfinished, 'package.json'), JSON.stringify(manifest))
    const install = () =>
      mustRun('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: unfinished })
    // The one download of these tests that nothing stands behind: a hiccup of the network may cost one attempt.
    await install().catch(install)
    await rename(unfinished, folder).catch((error) => {
      // Another run was faster.
      if (!existsSync(folder)) throw error
    })
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
  return folder
}
