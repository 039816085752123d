import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseConfig } from '@palimpsest/core/discovery'
import { describe, expect, it } from 'vitest'
import { headingId } from '../../../scripts/heading-id.ts'
import { createProgram } from '../src/create-program.ts'
import { commandsSection } from './reference/commands.ts'
import { referencePages } from './reference/pages.ts'

const root = new URL('../../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

describe('the reference', () => {
  it.for(referencePages().map(({ file, text }) => [file.pathname.split('/').at(-1), file, text] as const))(
    '%s says what the schemas and commands are: pnpm reference makes it anew',
    ([, file, text]) => {
      expect(readFileSync(file, 'utf8')).toBe(text)
    },
  )

  it('has each option of a command under the command, or under the one above it', () => {
    const sections = commandsSection().split(/^##+ /m)
    const flagsOf = (name: string) => sections.find((section) => section.startsWith(`\`${name}\``)) ?? ''
    for (const group of createProgram().commands) {
      for (const { flags } of group.options) expect(flagsOf(group.name())).toContain(`\`${flags}\``)
      for (const command of group.commands)
        for (const { flags } of command.options)
          expect(flagsOf(group.name()) + flagsOf(`${group.name()} ${command.name()}`)).toContain(flags)
    }
  })

  it('names the default of each key, and none that is an object', () => {
    for (const { text } of referencePages()) {
      expect(text).not.toMatch(/\[object|undefined/)
      expect(text.length).toBeGreaterThan(10_000)
    }
  })

  it('names every variable of the environment that is ours', () => {
    const files = globSync('src/**/*.ts', { cwd: fileURLToPath(new URL('..', import.meta.url)) })
    const names = files.flatMap(
      (file) => read(`apps/palimpsest/${file}`).match(/\bPALIMPSEST_[A-Z_]+/g) ?? [],
    )
    expect(new Set(names).size).toBeGreaterThan(3)
    for (const name of names) expect(read('docs/configuration.md')).toContain(`\`${name}\``)
  })

  it.for([
    ['docs/configuration.md', { auxiliary: { compression: { provider: 'anthropic' } } }],
    ['apps/palimpsest/README.md', { context: { engine: 'lcm' } }],
  ] as const)('%s shows a config.yaml without a fault', ([path, shown]) => {
    const [, text = ''] = /```yaml\n([\s\S]*?)```/.exec(read(path)) ?? []
    expect(parseConfig(text, { engines: ['lcm', 'decisions'] })).toMatchObject({ ...shown, warnings: [] })
  })
})

it('the notice of the repository is the one that the page is published with', () => {
  expect(read('packages/inspector/NOTICE')).toBe(read('NOTICE'))
})

/** Links to pages of the repository, with the folder that they are relative to. */
describe('links', () => {
  const pages = globSync(
    '{*,.github/**/*,docs/**/*,apps/*/*,packages/*/*,plugins/*/*,examples/*/*,e2e/**/*}.md',
    {
      cwd: fileURLToPath(root),
      exclude: (path) => path.includes('node_modules'),
    },
  )

  it('lead to pages and headings that are there', () => {
    expect(pages.length).toBeGreaterThan(50)
    expect(pages.flatMap(deadLinks)).toEqual([])
  })
})

const LINK = /\]\(([^()\s]+)\)/g

function deadLinks(page: string): string[] {
  const links = [...withoutCode(read(page)).matchAll(LINK)].map(([, link = '']) => link)
  return links
    .filter((link) => !/^[a-z]+:/.test(link) && isDead(page, link))
    .map((link) => `${page}: ${link}`)
}

function isDead(page: string, link: string): boolean {
  const [path = '', heading] = link.split('#')
  const target = path === '' ? new URL(page, root) : new URL(path, new URL(page, root))
  try {
    if (heading === undefined) return globSync(fileURLToPath(target)).length === 0
    return !headings(readFileSync(target, 'utf8')).includes(heading)
  } catch {
    return true
  }
}

/** The anchors of a page, as GitHub makes them. */
function headings(text: string): string[] {
  return [...withoutCode(text).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    headingId(title.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')),
  )
}

function withoutCode(text: string): string {
  return text.replace(/^```[\s\S]*?^```/gm, '')
}
