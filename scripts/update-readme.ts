import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

/** Puts what the demo prints now into the README. A test fails when the two differ. */
const readme = new URL('../README.md', import.meta.url)
const root = new URL('..', import.meta.url)
const main = ['--conditions=@palimpsest/source', 'apps/palimpsest/src/main.ts', 'demo']
const printed = execFileSync(process.execPath, main, { cwd: root, encoding: 'utf8' })
const text = readFileSync(readme, 'utf8')
writeFileSync(
  readme,
  text.replace(/```text\n[\s\S]*?```/, () => `\`\`\`text\n${printed.trim()}\n\`\`\``),
)
