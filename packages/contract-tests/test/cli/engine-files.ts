import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll } from 'vitest'

const CORE = new URL('../../../core/src/index.ts', import.meta.url).href

/** A folder that is gone after the tests of a file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'contract-cli-test-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Writes files, by their path in the folder. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** The source of a module that exports a small engine; `parts` are more members of it, and `before` goes first. */
export function engineSource(name: string, { parts = '', before = '' } = {}): string {
  return `import { defineContextEngine, keptResult } from ${JSON.stringify(CORE)}
${before}
export default defineContextEngine({
  name: ${JSON.stringify(name)},
  apiVersion: 1,
  description: 'An engine of a test',
  create: (options, host) => ({
    shouldCompress: () => false,
    compress: async ({ messages }) => keptResult('unchanged', 'never', messages, host.tokens),
    ${parts}
  }),
})
`
}
