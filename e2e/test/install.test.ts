import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, inject, it } from 'vitest'
import { sharedValue } from '../../scripts/share-value.ts'
import type { Fixture } from '../fixture.ts'
import type { PublishedPackage } from '../publish.ts'
import { obstacleOf, PACKAGE_MANAGERS, type PackageManager, tryReadme } from '../try-readme.ts'

const { folder, user, published } = await sharedValue<Fixture>(inject('fixture'))
/** npm tries those that bring a command, a peer or a native package. `pnpm release:rehearse` tries all with both. */
const withNpm = ['cli', 'ai-sdk', 'postgres'].map((name) => `@palimpsest/${name}`)
const cases = published.map((one): PublishedPackage & { readonly manager: PackageManager } => ({
  ...one,
  manager: withNpm.includes(one.name) ? 'npm' : 'pnpm',
}))

describe.concurrent('in an empty folder, without warnings and install scripts', () => {
  it.for(cases)('what the README of $name says works with $manager', async (one, context) => {
    const obstacle = obstacleOf(one)
    context.skip(obstacle !== undefined, obstacle)
    const place = join(folder, one.manager, one.name.replace('/', '+'))
    context.expect(await tryReadme(one, one.manager, place, user)).toEqual([])
  })
})

describe.concurrent('a README that does not keep its word', () => {
  const faultsOf = async (name: string, readme: string, manager: PackageManager = 'pnpm') => {
    const fake: PublishedPackage = {
      name,
      version: '1.0.0',
      folder: join(folder, name),
      tarball: '',
      size: 0,
    }
    await mkdir(fake.folder)
    await writeFile(join(fake.folder, 'README.md'), readme)
    return (await tryReadme(fake, manager, join(folder, `${name}-place`), user)).join('\n')
  }
  const install = (what: string) => `\`\`\`sh\nnpm install ${what}\n\`\`\`\n`

  it('does not say how to install the package', async (context) => {
    context.expect(await faultsOf('silent', '# Silent\n')).toContain('does not begin with an `npm install`')
  })

  it('forgets a package that the example imports', async (context) => {
    const example = "```ts\nimport '@palimpsest/tokens'\n```\n"
    const faults = await faultsOf('forgetful', install('@palimpsest/core') + example)
    context.expect(faults).toContain("Cannot find package '@palimpsest/tokens'")
  })

  it('has an example that warns', async (context) => {
    const example = "```ts\nprocess.emitWarning('this is old')\n```\n"
    context.expect(await faultsOf('old', install('@palimpsest/core') + example)).toContain('this is old')
  })

  it.for(PACKAGE_MANAGERS)('brings an install script along, with %s', async (manager, context) => {
    const faults = await faultsOf(`scripted-${manager}`, install('@google/genai'), manager)
    context.expect(faults).toContain('protobufjs')
  })
})
