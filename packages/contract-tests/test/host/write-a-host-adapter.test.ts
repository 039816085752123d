import * as files from 'node:fs/promises'
import * as path from 'node:path'
import * as core from '@palimpsest/core'
import { expect, it } from 'vitest'
import { examplesOf, runExample } from '../../../../scripts/run-example.ts'
import { type HostTarget, planHost, runSuite } from '../../src/host/index.ts'

const [adapter = '', test = ''] = examplesOf(
  new URL('../../../../docs/write-a-host-adapter.md', import.meta.url),
)

it('docs/write-a-host-adapter.md shows an adapter and a framework that pass the suite', async () => {
  const withEngine = await runExample(adapter, { '@palimpsest/core': core }, {}, 'withEngine')
  const targets: HostTarget[] = []
  await runExample(test, {
    'node:fs/promises': files,
    'node:path': path,
    '@palimpsest/core': core,
    '@palimpsest/contract-tests/node-test': { testHost: (made: HostTarget) => targets.push(made) },
    '../src/with-engine.ts': { withEngine },
  })
  const results = await runSuite(planHost(targets[0] as HostTarget))
  expect(results.filter(({ status }) => status !== 'passed')).toEqual([])
})
