import { cp, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { sharedValue } from '../../scripts/share-value.ts'
import type { Fixture } from '../fixture.ts'
import { REPOSITORY_ROOT } from '../repository-root.ts'
import { mustRun } from '../run-command.ts'
import { environmentOf } from '../user-environment.ts'

const fixture = await sharedValue<Fixture>(inject('fixture'))
const folder = join(fixture.folder, 'openai-agents')

it('the example of the OpenAI Agents SDK compiles and passes its test with the published packages', async () => {
  await cp(join(REPOSITORY_ROOT, 'examples', 'openai-agents'), folder, {
    recursive: true,
    filter: (path) => basename(path) !== 'node_modules',
  })
  // npm takes three times as long to install; conflicts of peers fail with both.
  await writeFile(join(folder, 'pnpm-workspace.yaml'), 'strictPeerDependencies: true\n')
  const run = (command: string, ...args: string[]) =>
    mustRun(command, args, { cwd: folder, env: environmentOf(fixture.user, folder) })
  await run('pnpm', 'install')
  await run('npm', 'run', 'check')
  expect((await run('npm', 'test')).stdout).toContain('pass 1')
})
