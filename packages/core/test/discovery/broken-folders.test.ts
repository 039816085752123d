import { rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { createProject, engineModule, type Project } from './project.ts'

vi.mock(import('../../src/discovery/import-module.ts'), async () => {
  const { createRequire } = await import('node:module')
  // Node's own import instead of the test runner's, whose errors are others.
  return createRequire(import.meta.url)('../../src/discovery/import-module.ts')
})

const yaml = (text: string) => ({ 'plugin.yaml': text })
const index = (text: string) => ({ 'index.js': text })

/** Each kind of a broken plugin: its files, and what the list says, without importing it. */
const seen: Readonly<Record<string, readonly [files: Record<string, string>, reason: RegExp]>> = {
  'another name in plugin.yaml': [
    yaml('name: other'),
    /^plugin\.yaml names the engine "other", but its folder is "broken"; make the two agree$/,
  ],
  'another version of the contract': [
    yaml('name: broken\napiVersion: 2'),
    /^it has apiVersion 2, and this host supports apiVersion 1; install a matching version$/,
  ],
  'invalid YAML': [yaml('name: broken\ndescription: "open'), /^plugin\.yaml line 2: Missing closing "quote$/],
  'an entry that leads out': [
    yaml('name: broken\nentry: ../../../outside.js'),
    /^its entry "\.\.\/\.\.\/\.\.\/outside\.js" leads out of its folder; name a file inside of it$/,
  ],
}

it.each(Object.entries(seen))('%s is named with its reason and hides nothing', async (_, [files, reason]) => {
  const project = await createProject({ 'outside.js': engineModule('broken') })
  await project.plugin('broken', files)
  await expectBroken(project, reason)
})

/** Kinds of a broken plugin that files alone do not make. */
const made: Readonly<
  Record<string, readonly [make: (folder: string, project: Project) => Promise<unknown>, reason: RegExp]>
> = {
  'a folder without plugin.yaml': [
    (folder) => rm(join(folder, 'plugin.yaml')),
    /^plugin\.yaml is missing; write one with name, description and version$/,
  ],
  'a module that is a link out of the folder': [
    async (folder, { root }) => {
      await writeFile(join(root, 'outside.js'), engineModule('broken'))
      await rm(join(folder, 'index.js'))
      await symlink(join(root, 'outside.js'), join(folder, 'index.js'))
    },
    /^its entry "index\.js" leads out of its folder/,
  ],
}

it.each(Object.entries(made))('%s is named with its reason and hides nothing', async (_, [make, reason]) => {
  const project = await createProject()
  await project.plugin('broken')
  await make(join(project.root, 'plugins/context_engine/broken'), project)
  await expectBroken(project, reason)
})

/** A module that has engines in constants of their names, and exports no engine but this. */
function registering(exported: string, ...names: readonly string[]): string {
  const engines = names.map((name) => {
    const parts = `{ name: '${name}', apiVersion: 1, description: 'd', create() {} }`
    return `const ${name} = Object.defineProperty(${parts}, Symbol.for('palimpsest.context-engine'), { value: 1 })`
  })
  return [...engines, `export const ${exported}`].join('\n')
}

/** Each kind of a plugin that only shows when it is loaded: its module, and what `resolve` says. */
const loaded: Readonly<Record<string, readonly [files: Record<string, string>, reason: RegExp]>> = {
  'throws while loading': [index("throw new Error('no\\nluck')"), /^it fails while loading: no$/],
  'is no JavaScript': [index('export default ]'), /^it fails while loading: Unexpected token ']'$/],
  'needs a package that is missing': [
    index("import '@acme/missing/deep'"),
    /^it needs the package "@acme\/missing", which is not installed; install it in \/.*palimpsest-discovery-\w+$/,
  ],
  'exports nothing by default': [
    index('export const engine = 1'),
    /^its module has no default export; export defineContextEngine\(\{ … \}\) by default, or a function register\(ctx\)$/,
  ],
  'exports a function that registers nothing': [
    index('export default () => {}'),
    /^its register\(ctx\) registered no engine; call ctx\.registerContextEngine\(defineContextEngine\(\{ … \}\)\)$/,
  ],
  'registers what is no engine': [
    index("export const register = (ctx) => ctx.registerContextEngine({ name: 'broken' })"),
    /^the plugin "broken" registered a value that is not an engine: it is not what .* returned; call ctx\./,
  ],
  'never finishes to register': [
    index('export const register = () => new Promise(() => {})'),
    /^it did not finish loading in 200 ms; .* or in register\(ctx\)$/,
  ],
  'claims another version in its code': [
    index(engineModule('broken', { apiVersion: 3 })),
    /^it has apiVersion 3, and/,
  ],
  'defines another engine': [
    index(engineModule('other')),
    /^its code defines the engine "other", but its manifest names "broken"; make the two agree$/,
  ],
  'throws when it is read': [
    index(engineModule('broken').replace("name: 'broken'", "get name() { throw new Error('mine') }")),
    /^its definition cannot be read: mine$/,
  ],
  'never finishes': [
    index('await new Promise(() => {})'),
    /^it did not finish loading in 200 ms; look for an await at the top level of its modules, or in register\(ctx\)$/,
  ],
}

it.each(Object.entries(loaded))('a module that %s does not stop the session', async (_, [files, reason]) => {
  const project = await createProject()
  await project.plugin('broken', files)
  await project.plugin('good')
  const discovery = project.discovery({ loadTimeoutMs: 200 })
  expect(await discovery.find('broken')).toMatchObject({ available: true })

  const { definition, entry, warnings } = await discovery.resolve('broken')
  expect([definition.name, entry.source]).toEqual(['compressor', 'built-in'])
  const [warning] = warnings
  expect(warning?.code).toBe('engine-unavailable')
  expect(warning?.message).toMatch(
    /^the context engine "broken" cannot be used: .*; the session runs on the built-in compressor instead \(context\.strict: true makes this an error\)$/,
  )

  const error = await discovery.resolve('broken', { strict: true }).catch((thrown) => thrown)
  const [, why] = /^the context engine "broken" cannot be used: (.*)$/.exec(error.message) ?? []
  expect(error.code).toBe('ENGINE_UNAVAILABLE')
  expect(why).toMatch(reason)
  expect(why?.length).toBeLessThanOrEqual(300)
  expect((await discovery.resolve('good')).warnings).toEqual([])
})

it.each([
  ['a function of this name', 'register = (ctx) => ctx.registerContextEngine(mine)'],
  ['one that waits', 'register = async (ctx) => { await 1; ctx.registerContextEngine(mine) }'],
  ['the default export', 'other = 1; export default (ctx) => ctx.registerContextEngine(mine)'],
  ['the same engine twice', 'register = (ctx) => [1, 2].map(() => ctx.registerContextEngine(mine))'],
])('a module may register its engine: %s', async (_, exported) => {
  const project = await createProject()
  await project.plugin('mine', index(registering(exported, 'mine')))
  const { definition, entry, warnings } = await project.discovery().resolve('mine', { strict: true })
  expect([definition.name, entry.source, warnings]).toEqual(['mine', 'directory', []])
})

it('a plugin has one engine: another one is refused, to it and to the user', async () => {
  const register = `register = (ctx) => {
    ctx.registerContextEngine(mine)
    globalThis.refused = ctx.registerContextEngine(second)
  }`
  const project = await createProject()
  await project.plugin('mine', index(registering(register, 'mine', 'second')))
  const { definition, warnings } = await project.discovery().resolve('mine')
  expect(definition.name).toBe('mine')
  const message = 'the plugin "mine" registered a second engine, "second"; a plugin has one, the first counts'
  expect(warnings).toEqual([{ code: 'engine-not-registered', message }])
  expect(Reflect.get(globalThis, 'refused')).toEqual(warnings[0])
})

it('an engine in Python is named as one, with where to read on, whatever its folder is called', async () => {
  const project = await createProject()
  for (const name of ['keep_ends', 'keep-ends', 'no-manifest', 'ported'])
    await project.write(
      `plugins/context_engine/${name}/__init__.py`,
      'from agent.context_engine import ContextEngine',
    )
  for (const name of ['keep_ends', 'keep-ends'])
    await project.write(`plugins/context_engine/${name}/plugin.yaml`, `name: ${name}\nauthor: ann\n`)
  await project.plugin('ported')
  const list = await project.discovery().list()
  const python =
    'it is written in Python, which cannot be loaded here; docs/porting-from-hermes.md says how it is ported to TypeScript'
  expect(list.slice(1).map(({ name, reason }) => [name, reason])).toEqual([
    ['keep-ends', python],
    ['keep_ends', python],
    ['no-manifest', python],
    ['ported', undefined],
  ])
  const { warnings } = await project.discovery().resolve('keep-ends')
  expect(warnings[0]?.message).toContain(python)
})

it('folders that no engine can have as a name are listed, safe to print', async () => {
  const project = await createProject()
  for (const name of ['Window', 'my_engine', 'a b', '\u001b[31mred\n'])
    await project.write(`plugins/context_engine/${name}/plugin.yaml`, `name: ${JSON.stringify(name)}`)
  const list = await project.discovery().list()
  expect(list.map(({ name }) => name)).toEqual(['compressor', 'Window', 'a b', 'my_engine', 'red'])
  for (const { reason, location } of list.slice(1)) {
    expect(reason).toBe('the name of its folder must be kebab-case, such as "my-engine"; rename it')
    expect(location).not.toContain('\u001b')
  }
  expect(await project.discovery().find('Window')).toBeUndefined()
})

it('a plugin may be a link to a folder elsewhere, where what it misses is to be installed', async () => {
  const project = await createProject()
  await project.plugin('linked', index("import 'missing'"))
  await project.plugin('used', {
    'index.ts': engineModule('used').replace('const definition =', 'const definition: object ='),
  })
  const folder = join(project.root, 'plugins/context_engine')
  const elsewhere = await createProject()
  for (const name of ['linked', 'used']) {
    await rename(join(folder, name), join(elsewhere.root, name))
    await symlink(join(elsewhere.root, name), join(folder, name))
  }
  const discovery = project.discovery()
  expect((await discovery.resolve('used')).definition.name).toBe('used')
  await expect(discovery.resolve('linked', { strict: true })).rejects.toThrow(
    `install it in ${join(elsewhere.root, 'linked')}`,
  )
})

/** The broken plugin is listed with its reason beside a good one, which can be used; a session runs all the same. */
async function expectBroken(project: Project, reason: RegExp): Promise<void> {
  await project.plugin('good')
  const discovery = project.discovery()
  const list = await discovery.list()
  expect(list.map(({ name, available }) => [name, available])).toEqual([
    ['compressor', true],
    ['broken', false],
    ['good', true],
  ])
  expect(list[1]?.reason).toMatch(reason)
  expect((await discovery.resolve('good')).definition.name).toBe('good')
  const { definition, warnings } = await discovery.resolve('broken')
  expect(definition.name).toBe('compressor')
  expect(warnings).toMatchObject([{ code: 'engine-unavailable' }])
  expect(warnings[0]?.message).toContain(list[1]?.reason)
  await expect(discovery.resolve('broken', { strict: true })).rejects.toMatchObject({
    code: 'ENGINE_UNAVAILABLE',
  })
}
