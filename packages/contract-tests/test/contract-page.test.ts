import { readFileSync } from 'node:fs'
import * as core from '@palimpsest/core'
import { expect, it } from 'vitest'
import { examplesOf, runExample } from '../../../scripts/run-example.ts'
import { testContextEngine } from '../src/vitest.ts'

const page = new URL('../../../docs/hermes-contract.md', import.meta.url)
const [example = ''] = examplesOf(page)
const engine = (await runExample(
  example,
  { '@palimpsest/core': core },
  {},
  'exported',
)) as core.EngineDefinition

testContextEngine({
  name: 'the engine of docs/hermes-contract.md',
  create: ({ options, ...host }) => engine.create(options, host),
  expectCapabilities: [],
  propertyRuns: 8,
})

it('docs/hermes-contract.md names every member of an engine and of its host', () => {
  const spec = readFileSync(new URL('../../core/src/spec/v1/context-engine.ts', import.meta.url), 'utf8')
  const membersOf = (type: string): string[] => {
    const [, body = ''] = new RegExp(`export interface ${type} \\{\\n(.*?)\\n\\}`, 's').exec(spec) ?? []
    return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(]/gm)].map(([, name = '']) => name)
  }
  const members = [
    'ContextEngine',
    'EngineHost',
    'CompressCall',
    'CompressResult',
    'EngineDefinitionInput<Options>',
  ]
  const text = readFileSync(page, 'utf8')
  for (const type of members) {
    const names = membersOf(type)
    expect(names.length).toBeGreaterThan(3)
    expect(names.filter((name) => !text.includes(`\`${name}`))).toEqual([])
  }
})
