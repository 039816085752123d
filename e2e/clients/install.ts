import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CLIENTS_FOLDER, PACKAGES } from './clients-folder.ts'

mkdirSync(CLIENTS_FOLDER, { recursive: true })
writeFileSync(join(CLIENTS_FOLDER, 'package.json'), '{ "private": true }\n')
const specifiers = Object.entries(PACKAGES).map(([name, { version }]) => `${name}@${version}`)
const options = { cwd: CLIENTS_FOLDER, stdio: 'inherit' } as const
execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...specifiers], options)
for (const [name, { finish }] of Object.entries(PACKAGES))
  if (finish !== undefined)
    execFileSync(process.execPath, [finish], { ...options, cwd: join(CLIENTS_FOLDER, 'node_modules', name) })
console.log(`installed in ${CLIENTS_FOLDER}: ${specifiers.join(', ')}`)
