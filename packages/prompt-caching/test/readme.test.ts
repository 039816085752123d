import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { inspect } from 'node:util'
import * as core from '@palimpsest/core'
import { expect, it } from 'vitest'
import * as caching from '../src/index.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

function block(language: string, index = 0): string {
  return [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))][index]?.[1] ?? ''
}

it('prints what the README says', () => {
  const printed: string[] = []
  const console = {
    log: (value: unknown) => printed.push(typeof value === 'string' ? value : inspect(value)),
  }
  const program = stripTypeScriptTypes(block('ts'))
    .replace(/import (\{.*\}) from '@palimpsest\/core'/, 'const $1 = core')
    .replace(/import (\{.*\}) from '@palimpsest\/prompt-caching'/, 'const $1 = caching')
  new Function('core', 'caching', 'console', program)(core, caching, console)
  expect(`${printed.join('\n')}\n`).toBe(block('text'))
})

it('names what the package exports', () => {
  const names = [...readme.matchAll(/`([a-z]+[A-Z]\w*)(?:\(|`)/g)].flatMap(([, name]) => name ?? [])
  const others = new Set(['compactAt', 'isWarm', 'pricingOf'])
  const missing = names.filter((name) => !(name in caching) && !others.has(name))
  expect(missing).toEqual([])
  const code = block('ts', 1)
  for (const [, list = ''] of code.matchAll(/import \{ (.*?) \} from '@palimpsest\/prompt-caching'/g))
    for (const name of list.split(', ')) expect(caching).toHaveProperty(name)
})
