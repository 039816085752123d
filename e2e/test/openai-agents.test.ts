import { cp } from 'node:fs/promises'
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
  const npm = (...args: string[]) =>
    mustRun('npm', args, { cwd: folder, env: environmentOf(fixture.user, folder) })
  await npm('install')
  await npm('run', 'check')
  expect((await npm('test')).stdout).toContain('pass 1')
})
