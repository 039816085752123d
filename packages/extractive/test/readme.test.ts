import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as extractive from '../src/index.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

function block(language: string): string {
  return new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(readme)?.[1] ?? ''
}

it('does what the README shows', () => {
  const code = block('ts')
    .replace(/^import type .*$/m, '')
    .replace(/import (\{.*\}) from '@palimpsest\/extractive'/, 'const $1 = extractive')
    .replace(/: (?:TokenCounter|Message\[\]) =/g, ' =')
  const { summary, appendix } = new Function('extractive', `${code}; return { summary, appendix }`)(
    extractive,
  )
  expect(`${summary}\n`).toBe(block('text'))
  expect(appendix).toContain('src/importer.ts')
})
