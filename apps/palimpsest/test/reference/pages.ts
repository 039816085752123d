import { readFileSync } from 'node:fs'
import { replaceSection } from '../../../../packages/contract-tests/test/markdown-tables.ts'
import { commandsSection } from './commands.ts'
import { configurationSections } from './configuration.ts'

/** The two pages of reference, as they have to be. */
export function referencePages(): { readonly file: URL; readonly text: string }[] {
  return [page('configuration', configurationSections()), page('commands', { commands: commandsSection() })]
}

function page(name: string, sections: Readonly<Record<string, string>>) {
  const file = new URL(`../../../../docs/${name}.md`, import.meta.url)
  const text = Object.entries(sections).reduce(
    (before, [section, body]) => replaceSection(before, section, body),
    readFileSync(file, 'utf8'),
  )
  return { file, text }
}
