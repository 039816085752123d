import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

/** Puts what the demo prints now into docs/start.md. A test fails when the two differ. */
const page = new URL('../docs/start.md', import.meta.url)
const root = new URL('..', import.meta.url)
const main = ['--conditions=@palimpsest/source', 'apps/palimpsest/src/main.ts', 'demo']
const printed = execFileSync(process.execPath, main, { cwd: root, encoding: 'utf8' })
const text = readFileSync(page, 'utf8')
writeFileSync(
  page,
  text.replace(/```text\n[\s\S]*?```/, () => `\`\`\`text\n${printed.trim()}\n\`\`\``),
)
