import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { sharedValue } from '../../scripts/share-value.ts'
import type { Fixture } from '../fixture.ts'
import { REPOSITORY_ROOT } from '../repository-root.ts'
import { runGuide } from '../run-guide.ts'
import { environmentOf } from '../user-environment.ts'

const fixture = await sharedValue<Fixture>(inject('fixture'))

it('docs/write-an-engine.md leads from an empty folder to an engine that is published and used', async () => {
  let guide = await readFile(join(REPOSITORY_ROOT, 'docs', 'write-an-engine.md'), 'utf8')
  // `npm test` runs the whole suite. The next two run on the same files, so they try a part of it.
  // The first demo compares the engine with all others; behind it, its options are what counts.
  const contract = 'npx -p @palimpsest/contract-tests palimpsest-contract .'
  const replay = '@palimpsest/cli replay node_modules/@palimpsest/cli/sessions/ledger.jsonl --window 32000'
  for (const [command, shorter] of [
    ['cd ../my-agent && npx @palimpsest/cli demo --window 32000', `cd ../my-agent && npx ${replay}`],
    [
      'cd ../my-agent && npx @palimpsest/cli engines use forgetful && npx @palimpsest/cli demo --window 32000',
      `cd ../my-agent && npx @palimpsest/cli engines use forgetful && npx ${replay}`,
    ],
    [contract, `${contract} --runs 1`],
    ['npm publish', "NODE_OPTIONS='--test-name-pattern=/^C0/' npm publish"],
  ]) {
    expect(guide).toContain(`\n${command}\n`)
    guide = guide.replace(`\n${command}\n`, `\n${shorter}\n`)
  }
  // The guide also writes beside the folder where it begins.
  const folder = join(fixture.folder, 'write-an-engine', 'engine')
  await mkdir(folder, { recursive: true })
  const { files, commands } = await runGuide(guide, { folder, env: environmentOf(fixture.user, folder) })
  // A guide whose fences are not recognised would be done at once.
  expect(files).toBeGreaterThan(3)
  expect(commands).toBeGreaterThan(3)
})
