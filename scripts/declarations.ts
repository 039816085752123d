import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * `pnpm declarations`: writes the declarations of every package beside its bundles. One compiler emits them all from the
 * sources and checks nothing, which `pnpm typecheck` does.
 */
const emitted = join('node_modules', '.cache', 'declarations')
rmSync(emitted, { recursive: true, force: true })
const compiler = ['-p', 'tsconfig.declarations.json', '--outDir', emitted]
// On Windows it is a file of commands, which only a shell starts.
execFileSync('tsc', compiler, { stdio: 'inherit', shell: process.platform === 'win32' })
for (const folder of globSync('packages/*')) {
  const dist = join(folder, 'dist')
  for (const path of globSync('**/*.d.ts', { cwd: dist })) rmSync(join(dist, path))
  for (const path of globSync('**/*.d.ts', { cwd: join(emitted, folder, 'src') })) {
    const text = readFileSync(join(emitted, folder, 'src', path), 'utf8')
    const file = join(dist, path)
    mkdirSync(dirname(file), { recursive: true })
    // As every version of TypeScript and every other tool reads them.
    writeFileSync(file, text.replaceAll(/(['"])(\.{1,2}\/[^'"\n]+)\.ts\1/g, '$1$2.js$1'))
  }
}
