import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { builtIn, createProject, definition, engineField, loadedEngines } from './project.ts'

describe('list', () => {
  it('shows the engines of every source, built-in first, and imports none of them', async () => {
    const before = loadedEngines()
    const project = await createProject({
      'package.json': JSON.stringify({
        dependencies: { '@acme/topics': '^2.0.0', lodash: '4' },
        devDependencies: { 'engine-b': '1' },
        optionalDependencies: { absent: '1' },
      }),
    })
    await project.plugin('zebra')
    await project.plugin('alpha', {
      'plugin.yaml': 'name: alpha\ndescription: &d "A\\nB"\nversion: 1.0\nauthor: x\n',
    })
    await project.installed('@acme/topics', engineField('topics'))
    await project.installed('engine-b', engineField('engine-b'))
    await project.installed('lodash')
    await project.installed('not-a-dependency', engineField('hidden'))
    const discovery = project.discovery({ builtIn: [builtIn('lcm'), builtIn('compressor')] })
    discovery.registerContextEngine(definition('from-code'))

    const at = (name: string) => join(project.root, 'plugins/context_engine', name)
    const list = await discovery.list()
    expect(list.every(({ available }) => available)).toBe(true)
    expect(
      list.map(({ name, source, location, version, description, apiVersion }) =>
        [name, source, location, version, description, apiVersion].filter((fact) => fact !== undefined),
      ),
    ).toEqual([
      ['compressor', 'built-in', '1.2.3', 'the built-in compressor'],
      ['lcm', 'built-in', '1.2.3', 'the built-in lcm'],
      ['alpha', 'directory', at('alpha'), '1.0', 'A', 1],
      ['zebra', 'directory', at('zebra'), '0.1.0', 'the plugin zebra', 1],
      ['from-code', 'registered', 'the engine from-code', 1],
      ['engine-b', 'package', 'engine-b', '2.0.0', 'the package engine-b', 1],
      ['topics', 'package', '@acme/topics', '2.0.0', 'the package @acme/topics', 1],
    ])
    expect(loadedEngines()).toEqual(before)
  })

  it("shows the user's own plugins behind those of the folder, which win, and imports none of them", async () => {
    const before = loadedEngines()
    const project = await createProject()
    const home = await createProject()
    await project.plugin('shared')
    await home.plugin('shared')
    await home.plugin('mine')
    await home.plugin('compressor')
    const discovery = project.discovery({ userRoot: home.root })
    const at = (root: string, name: string) => join(root, 'plugins/context_engine', name)
    const list = await discovery.list()
    expect(list.map(({ name, source, location, reason }) => [name, source, location, reason])).toEqual([
      ['compressor', 'built-in', undefined, undefined],
      ['shared', 'directory', at(project.root, 'shared'), undefined],
      [
        'compressor',
        'user-directory',
        at(home.root, 'compressor'),
        'the name "compressor" belongs to a built-in engine; rename this one',
      ],
      ['mine', 'user-directory', at(home.root, 'mine'), undefined],
      [
        'shared',
        'user-directory',
        at(home.root, 'shared'),
        `the name "shared" belongs to the plugin in ${at(project.root, 'shared')}; rename this one`,
      ],
    ])
    expect(loadedEngines()).toEqual(before)
    expect((await discovery.resolve('mine')).entry.source).toBe('user-directory')
    expect((await discovery.resolve('shared')).entry.source).toBe('directory')
    // A user who works in that folder has each engine once.
    const same = await home.discovery({ userRoot: `${home.root}/.` }).list()
    expect(same.map(({ source }) => source)).toEqual(['built-in', 'directory', 'directory', 'directory'])
    const nowhere = await project.discovery({ userRoot: join(home.root, 'gone') }).list()
    expect(nowhere.map(({ source }) => source)).toEqual(['built-in', 'directory'])
  })

  it('marks what the choice means', async () => {
    const project = await createProject({ 'package.json': '{"dependencies": {"@acme/topics": "1"}}' })
    await project.plugin('window')
    await project.installed('@acme/topics', engineField('topics'))
    await project.installed('indirect', engineField('other-name'))
    const discovery = project.discovery()
    const chosen = async (choice: string) =>
      (await discovery.list({ choice })).filter((entry) => entry.chosen)

    expect(await chosen('compressor')).toMatchObject([{ name: 'compressor' }])
    expect(await chosen('window')).toMatchObject([{ name: 'window', source: 'directory' }])
    expect(await chosen('topics')).toMatchObject([{ location: '@acme/topics' }])
    expect(await chosen('@acme/topics')).toMatchObject([{ name: 'topics', location: '@acme/topics' }])
    expect(await chosen('indirect')).toMatchObject([{ name: 'other-name', available: true }])
    expect((await discovery.list()).some((entry) => 'chosen' in entry || entry.location === 'indirect')).toBe(
      false,
    )
  })

  it('passes over what is no plugin', async () => {
    const project = await createProject({
      'plugins/context_engine/README.md': '# Engines',
      'plugins/context_engine/.DS_Store': '',
      'plugins/context_engine/.git/config': '',
      'plugins/context_engine/node_modules/x/package.json': '{}',
      'package.json': '\ufeff{"dependencies": null, "devDependencies": {"../../etc": "1", "__proto__": "1"}}',
    })
    expect(await project.discovery().list()).toHaveLength(1)
  })
})
