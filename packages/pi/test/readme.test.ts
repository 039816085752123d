import { readFileSync } from 'node:fs'
import type { ExtensionFactory } from '@earendil-works/pi-coding-agent'
import compressor from '@palimpsest/compressor'
import { isSummary, messageText } from '@palimpsest/core'
import { expect, it } from 'vitest'
import { examplesOf, runExample } from '../../../scripts/run-example.ts'
import { RESERVED_TOKENS } from '../src/context-engine.ts'
import * as palimpsest from '../src/index.ts'
import { openNotes, sayNotes } from './support/notes.ts'
import { SUMMARY } from './support/scripted-provider.ts'

const file = new URL('../README.md', import.meta.url)
const [example = ''] = examplesOf(file)

it('shows an extension with another engine and another model that works, and the default as it is', async () => {
  const modules = { '@palimpsest/compressor': { default: compressor }, '@palimpsest/pi': palimpsest }
  const extension = (await runExample(
    example
      .replace('export default', 'const extension =')
      .replace('google/gemini-3-flash-preview', 'scripted/scripted-1'),
    modules,
    {},
    'extension',
  )) as ExtensionFactory
  const { pi, provider } = await openNotes({ extension })
  await sayNotes(pi, 1, 40)
  const last = provider.requests.at(-1)
  expect(last?.messages.filter(isSummary).map(messageText).join()).toContain(SUMMARY)
  expect(pi.told.join()).not.toContain('failed')
  expect(readFileSync(file, 'utf8')).toContain(` ${RESERVED_TOKENS.toLocaleString('en')},`)
})
