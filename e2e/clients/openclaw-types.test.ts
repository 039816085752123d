import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { OPENCLAW } from './openclaw.ts'
import { emptyHome, runProgram } from './run-program.ts'

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))
const SOURCE = join(REPOSITORY, 'packages/openclaw/src')
const TSC = join(REPOSITORY, 'node_modules/.bin/tsc')

/** The calls of OpenClaw and their results, in its own types and in ours. */
const CHECK = `
import type { OpenClawPluginApi } from 'openclaw/plugin-sdk/core'
import type * as ours from '${SOURCE}/host-types.ts'
import plugin from '${SOURCE}/index.ts'

type Theirs = Awaited<ReturnType<Parameters<OpenClawPluginApi['registerContextEngine']>[1]>>
type Methods = Required<Omit<Theirs, 'info'>>
type Call<Name extends keyof Methods> = Parameters<Methods[Name]>[0]
type Ours<Name extends Exclude<keyof ours.HostContextEngine, 'info' | 'dispose'>> = Parameters<ours.HostContextEngine[Name]>[0]

declare const api: OpenClawPluginApi
declare const engine: ours.HostContextEngine
declare const call: { [Name in keyof Methods]: Call<Name> }
declare const llm: ours.LlmCall

plugin.register(api)
export const registered: Theirs = engine
export const bootstrap: Ours<'bootstrap'> = call.bootstrap
export const ingest: Ours<'ingest'> = call.ingest
export const assemble: Ours<'assemble'> = call.assemble
export const compact: Ours<'compact'> = call.compact
export const commitTurn: Ours<'commitTurn'> = call.commitTurn
export const afterTurn: Ours<'afterTurn'> = call.afterTurn
export const maintain: Ours<'maintain'> = call.maintain
export const ended: Ours<'onSubagentEnded'> = call.onSubagentEnded
export const asked: Parameters<OpenClawPluginApi['runtime']['llm']['complete']>[0] = llm
`

const COMPILER_OPTIONS = {
  ...{ noEmit: true, types: ['node'], typeRoots: [join(REPOSITORY, 'node_modules/@types')] },
  ...{ rewriteRelativeImportExtensions: false, allowImportingTsExtensions: true },
  lib: ['ESNext', 'DOM'],
  customConditions: ['@palimpsest/source'],
  paths: { 'openclaw/plugin-sdk/core': [join(OPENCLAW, 'dist/plugin-sdk/core.d.ts')] },
}

test('openclaw: its types are those that the plug-in declares', async () => {
  const home = await emptyHome({})
  const config = {
    extends: join(REPOSITORY, 'tsconfig.base.json'),
    compilerOptions: COMPILER_OPTIONS,
    files: ['check.ts'],
  }
  await writeFile(join(home.work, 'package.json'), '{ "type": "module" }')
  await writeFile(join(home.work, 'check.ts'), CHECK)
  await writeFile(join(home.work, 'tsconfig.json'), JSON.stringify(config))
  const { stdout } = await runProgram(TSC, ['-p', '.'], home)
  // OpenClaw's types need the browser's, with which our other packages are not compiled.
  const errors = stdout
    .split('\n')
    .filter((line) => /error TS/.test(line) && !/packages\/provider-utils/.test(line))
  expect(errors).toEqual([])
})
