import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * `pnpm packed core compressor`: packs the built packages that it names, with the ones that they depend on, into `packed/`,
 * so that a project elsewhere installs them before they are on npm.
 */
const root = join(import.meta.dirname, '..')
const destination = join(root, 'packed')
const known = globSync('{packages,apps}/*/package.json', { cwd: root })
  .map((path) => JSON.parse(readFileSync(join(root, path), 'utf8')) as { name: string; private?: boolean })
  .filter((manifest) => !manifest.private)
  .map(({ name }) => name.replace('@palimpsest/', ''))
  .sort()
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !known.includes(name))
if (wanted.length === 0 || unknown.length > 0) {
  const fault = unknown.length > 0 ? `there is no package ${unknown.join(', ')}; ` : ''
  console.error(
    `${fault}name the packages, such as: npx -y pnpm@12.21.0 packed core compressor\nThe packages: ${known.join(', ')}`,
  )
  process.exit(2)
}
const filters = wanted.flatMap((name) => ['--filter-prod', `@palimpsest/${name}...`])
const { status } = spawnSync('pnpm', [...filters, 'pack', '--silent', '--pack-destination', destination], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
  shell: process.platform === 'win32',
})
// Keep earlier packages: the lock file of another project names them.
for (const file of globSync('*.tgz', { cwd: destination }).sort()) console.log(join(destination, file))
process.exitCode = status ?? 1
