import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { afterEach, describe, expect, inject, it } from 'vitest'
import { sharedValue } from '../../scripts/share-value.ts'
import { findPackingFaults } from '../find-packing-faults.ts'
import type { Fixture } from '../fixture.ts'
import { readManifest } from '../manifest.ts'
import { REPOSITORY_ROOT } from '../repository-root.ts'

const { published } = await sharedValue<Fixture>(inject('fixture'))

it('publishes the packages that a user can install, and nothing private', () => {
  expect(published.map(({ name }) => name)).toContain('@palimpsest/core')
  expect(published.map(({ name }) => name)).not.toContain('@palimpsest/bench')
})

describe.each(published)('the tarball of $name', ({ folder, tarball, version }) => {
  it('has everything that its package.json promises, and nothing of this machine', async () => {
    expect(await findPackingFaults(folder)).toEqual([])
  })

  it('has a shape that publint finds no fault with', async () => {
    const { buffer } = new Uint8Array(await readFile(tarball))
    const { messages } = await publint({ pack: { tarball: buffer }, strict: true })
    expect(messages.filter(({ type }) => type === 'error')).toEqual([])
  })

  it('has types that resolve for an ESM importer', async () => {
    const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(await readFile(tarball))))
    const problems = 'problems' in analysis ? analysis.problems : []
    const unsupported: readonly string[] = ['node10', 'node16-cjs']
    expect(
      problems.filter(
        (problem) => !('resolutionKind' in problem && unsupported.includes(problem.resolutionKind)),
      ),
    ).toEqual([])
  })

  it('has a version, and wants its siblings in the version that was published with it', async () => {
    expect(version).not.toBe('0.0.0')
    const { dependencies = {}, peerDependencies = {} } = await readManifest(folder)
    for (const sibling of published) {
      const range = { ...dependencies, ...peerDependencies }[sibling.name] ?? `^${sibling.version}`
      expect(`${sibling.name} ${range}`).toBe(`${sibling.name} ^${sibling.version}`)
    }
  })
})

describe('a package that must not be released', () => {
  let folder = ''
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('is told every fault', async () => {
    folder = await mkdtemp(join(tmpdir(), 'palimpsest-faults-'))
    const files = {
      'package.json': JSON.stringify({
        exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
        bin: { tool: './dist/tool.js' },
        contextEngine: { entry: 'dist/engine.js' },
        scripts: { postinstall: 'node build.js' },
        dependencies: { a: 'workspace:^', b: '^1.0.0' },
        peerDependencies: { c: 'link:../c' },
      }),
      'dist/index.js': `// ${REPOSITORY_ROOT}/src/index.ts`,
      'dist/page/index.html': '',
      'dist/a.js': '// ../../node_modules/zod/index.js',
      'test/index.test.js': '',
      'readme.md': '',
    }
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
    expect(await findPackingFaults(folder)).toEqual([
      'dependencies: a is "workspace:^"',
      'peerDependencies: c is "link:../c"',
      'postinstall would run on installation',
      'README.md is missing',
      'LICENSE is missing',
      './dist/index.d.ts is named in package.json and not in the package',
      './dist/tool.js is named in package.json and not in the package',
      'dist/engine.js is named in package.json and not in the package',
      ...['dist/page/licenses.md', 'NOTICE', 'dist/licenses.md'].map(
        (file) => `${file} is missing, and the package contains code of others`,
      ),
      'test/index.test.js is a test',
      `dist/index.js contains the path ${REPOSITORY_ROOT}/`,
    ])
  })
})
