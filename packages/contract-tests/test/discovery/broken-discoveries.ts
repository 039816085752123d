import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type EngineDefinition, errorText } from '@palimpsest/core'
import { broken, type Mistake, resolvedTo } from './broken-discovery.ts'
import { coreDiscovery } from './core-discovery.ts'

/** Resolves by what a file says, where it is there; else as it should be. */
const fromFile =
  (pathOf: (root: string, choice: string) => string | undefined): Mistake =>
  (right, root) => ({
    async resolve(choice, options) {
      const path = pathOf(root, choice)
      if (path === undefined || !existsSync(path)) return right.resolve(choice, options)
      return resolvedTo(pathToFileURL(path).href)
    },
  })

const pluginFile = (root: string, name: string) => join(root, 'plugins/context_engine', name, 'index.js')
const packageFile = (root: string, name: string) => join(root, 'node_modules', name, 'index.js')

/** The statement of an installed package's package.json about its engine. */
function engineField(root: string, name: string): { readonly entry?: string } | undefined {
  const manifest = join(root, 'node_modules', name, 'package.json')
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).contextEngine : undefined
}

/** Keeps what was registered to itself, by name; the latest of a name stays. */
function registered(mistake: (definitions: Map<string, EngineDefinition>) => Mistake): Mistake {
  return (right, root) => {
    const definitions = new Map<string, EngineDefinition>()
    const { registerContextEngine } = right
    return {
      registerContextEngine(definition) {
        definitions.set(definition.name, definition)
        return registerContextEngine(definition)
      },
      ...mistake(definitions)(right, root),
    }
  }
}

/** Discoveries that break one promise each, and the cases that must find it. */
export const brokenDiscoveries = [
  broken('warns about the compressor, too', 'D01', (right) => ({
    async resolve(choice, options) {
      const resolved = await right.resolve(choice, options)
      if (choice !== 'compressor') return resolved
      return { ...resolved, warnings: [{ code: 'engine-lossy', message: 'the compressor forgets' }] }
    },
  })),
  broken('loads plugins to make a list', 'D02', (right) => ({
    async list() {
      const engines = await right.list()
      for (const { name, available } of engines) if (available) await right.resolve(name)
      return engines
    },
  })),
  broken('loads whatever is installed before it resolves', 'D03', (right) => ({
    async resolve(choice, options) {
      for (const { name, available } of await right.list()) if (available) await right.resolve(name)
      return right.resolve(choice, options)
    },
  })),
  broken('lists no packages', 'D04 D23 D29 D31', (right) => ({
    list: async () => (await right.list()).filter(({ source }) => source !== 'package'),
  })),
  broken('does not look into plugins/context_engine', 'D05 D09 D10 D24 D25 D27', (right, root) => ({
    resolve: (choice, options) =>
      right.resolve(existsSync(pluginFile(root, choice)) ? `no-${choice}` : choice, options),
  })),
  broken('forgets what was registered', 'D04 D06 D11 D15 D16 D19', () => ({
    registerContextEngine: () => undefined,
  })),
  broken('finds packages by the name of their engine only', 'D07 D08 D24', (right) => ({
    async resolve(choice, options) {
      const found = await right.find(choice)
      return right.resolve(found === undefined || found.name === choice ? choice : `no-${choice}`, options)
    },
  })),
  broken('knows no scopes', 'D08', (right) => ({
    resolve: (choice, options) => right.resolve(choice.replace('@', ''), options),
  })),
  broken(
    'takes what was registered first',
    'D09 D13 D15',
    registered((definitions) => (right) => ({
      async resolve(choice, options) {
        const definition = definitions.get(choice)
        return definition === undefined ? right.resolve(choice, options) : { definition, warnings: [] }
      },
    })),
  ),
  broken(
    'takes packages first',
    'D10 D11 D14',
    fromFile((root, name) =>
      !name.includes('..') && engineField(root, name)?.entry === './index.js'
        ? packageFile(root, name)
        : undefined,
    ),
  ),
  broken(
    'lets a directory be the compressor',
    'D12',
    fromFile((root, name) => (name === 'compressor' ? pluginFile(root, name) : undefined)),
  ),
  broken(
    'lets a registered engine be the compressor',
    'D13',
    registered((definitions) => (right) => ({
      async resolve(choice, options) {
        const definition = choice === 'compressor' ? definitions.get(choice) : undefined
        return definition === undefined ? right.resolve(choice, options) : { definition, warnings: [] }
      },
    })),
  ),
  broken(
    'lets a package be the compressor',
    'D14',
    fromFile((root, name) => (name === 'compressor' ? packageFile(root, name) : undefined)),
  ),
  broken(
    'lets the second registration replace the first',
    'D15 D16',
    registered((definitions) => (_, root) => ({
      registerContextEngine: (definition) => void definitions.set(definition.name, definition),
      list: () => withAll(root, definitions).list(),
      resolve: (choice, options) => withAll(root, definitions).resolve(choice, options),
    })),
  ),
  broken('refuses registrations in silence', 'D16', ({ registerContextEngine }) => ({
    registerContextEngine: (definition) => void registerContextEngine(definition),
  })),
  broken(
    'refuses the same engine the second time',
    'D17',
    registered((definitions) => ({ registerContextEngine }) => ({
      registerContextEngine(definition) {
        const { name } = definition
        const warning = { code: 'engine-name-taken', message: `${name} is there already` }
        if (definitions.has(name)) return warning
        definitions.set(name, definition)
        return registerContextEngine(definition)
      },
    })),
  ),
  broken('throws instead of falling back', 'D18 D19 D21 D25 D26 D27 D28 D34 D37', (right) => ({
    resolve: (choice) => right.resolve(choice, { strict: true }),
  })),
  broken('falls back in silence', 'D19 D25 D26 D27 D28 D34 D37', (right) => ({
    resolve: async (choice, options) => ({ ...(await right.resolve(choice, options)), warnings: [] }),
  })),
  broken('warns without saying what about', 'D19 D25 D26 D27 D28 D34', (right) => ({
    async resolve(choice, options) {
      const { definition, warnings } = await right.resolve(choice, options)
      return { definition, warnings: warnings.map(({ code }) => ({ code, message: 'something went wrong' })) }
    },
  })),
  broken('is never strict', 'D20 D22', (right) => ({ resolve: (choice) => right.resolve(choice) })),
  broken('throws errors without a code', 'D20 D22', (right) => ({
    resolve: (choice, options) =>
      right.resolve(choice, options).catch((error) => {
        throw new Error(errorText(error))
      }),
  })),
  broken('gives up the list when one engine is broken', 'D23 D29 D30 D31 D32 D33', (right) => ({
    async list() {
      const engines = await right.list()
      const fault = engines.find(({ available }) => !available)
      if (fault !== undefined) throw new Error(fault.reason)
      return engines
    },
  })),
  broken('leaves broken engines out of the list', 'D29 D30 D31 D32 D33', (right) => ({
    list: async () => (await right.list()).filter(({ available }) => available),
  })),
  broken('lists broken engines without the reason', 'D29 D30 D31 D32 D33', (right) => ({
    list: async () => (await right.list()).map(({ reason: _, ...entry }) => entry),
  })),
  broken('runs nothing but the compressor while a plugin is broken', 'D24', (right) => ({
    async resolve(choice, options) {
      const engines = await right.list()
      const isTorn = engines.some(({ available, source }) => !available && source === 'directory')
      return right.resolve(isTorn ? 'compressor' : choice, options)
    },
  })),
  broken(
    'takes any export for an engine',
    'D26',
    fromFile((root, name) => {
      const file = pluginFile(root, name)
      return existsSync(file) && /export default \{/.test(readFileSync(file, 'utf8')) ? file : undefined
    }),
  ),
  broken('takes engines of every version of the contract', 'D27 D29', (right, root) => ({
    ...fromFile((folder, name) => {
      const file = pluginFile(folder, name)
      return existsSync(file) && /apiVersion: 2/.test(readFileSync(file, 'utf8')) ? file : undefined
    })(right, root),
    list: async () =>
      (await right.list()).map((entry) => ({
        ...entry,
        available: entry.available || entry.apiVersion === 2,
      })),
  })),
  broken('waits for modules for ever', 'D28', (right, root) => ({
    resolve(choice, options) {
      const file = pluginFile(root, choice)
      const waits = existsSync(file) && readFileSync(file, 'utf8').startsWith('await')
      return waits ? new Promise(() => {}) : right.resolve(choice, options)
    },
  })),
  broken(
    'loads packages that are no engines',
    'D34',
    fromFile((root, name) => (engineField(root, name) === undefined ? packageFile(root, name) : undefined)),
  ),
  broken(
    'joins names to paths',
    'D35 D37',
    fromFile((root, name) =>
      name.includes('..') ? join(root, 'plugins/context_engine', name, 'index.js') : undefined,
    ),
  ),
  broken(
    'follows manifests anywhere',
    'D36',
    fromFile((root, name) => {
      const entry = engineField(root, name)?.entry
      return entry?.includes('..') ? join(root, 'node_modules', name, entry) : undefined
    }),
  ),
]

function withAll(root: string, definitions: Map<string, EngineDefinition>) {
  const discovery = coreDiscovery(root)
  for (const definition of definitions.values()) discovery.registerContextEngine(definition)
  return discovery
}
