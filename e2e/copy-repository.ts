import { existsSync } from 'node:fs'
import { cp, glob, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { REPOSITORY_ROOT } from './repository-root.ts'
import { mustRun } from './run-command.ts'

/**
 * Copies what a commit of the working tree would contain to `folder`, and the builds of the packages. Installed
 * packages are not copied but linked, and links between packages of the workspace are relative, so that they
 * lead to the copy.
 */
export async function copyRepository(folder: string): Promise<void> {
  const { stdout } = await mustRun('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: REPOSITORY_ROOT,
  })
  for (const path of new Set(stdout.split('\0'))) {
    const source = join(REPOSITORY_ROOT, path)
    // git also lists files that were deleted and not yet committed.
    if (path !== '' && existsSync(source)) await cp(source, join(folder, path))
  }
  await symlink(join(REPOSITORY_ROOT, 'node_modules'), join(folder, 'node_modules'))
  for await (const path of glob('{packages,apps}/*/{node_modules,dist}', { cwd: REPOSITORY_ROOT })) {
    await cp(join(REPOSITORY_ROOT, path), join(folder, path), { recursive: true, verbatimSymlinks: true })
  }
}
