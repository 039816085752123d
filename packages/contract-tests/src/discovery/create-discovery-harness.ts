import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { defineContextEngine, type EngineDefinition } from '@palimpsest/core'
import { type SuiteCase, suiteCase } from '../contract-case.ts'
import { type Patience, settled } from '../harness/time-limit.ts'
import type { DiscoveryTarget, DiscoveryUnderTest } from './discovery-target.ts'

/** Files by their path in a folder. */
export type Files = Readonly<Record<string, string>>

/** The tools of a discovery case: an application in a folder of its own, empty at first. */
export interface DiscoveryHarness {
  /** The folder of the application. */
  readonly root: string
  /** A folder beside it with a good engine in it, which no choice may reach. It leaves the mark `outside`. */
  readonly outside: string
  /** A new discovery for the application. Its calls fail instead of never settling. */
  discovery(): DiscoveryUnderTest
  /** The text of a module that exports an engine and leaves a mark where it is loaded. */
  module(name: string, mark: string, apiVersion?: number): string
  /**
   * Writes a good plugin into `plugins/context_engine/<name>/`, which leaves the mark `directory <name>`. `files`
   * replace its own or are added.
   */
  plugin(name: string, files?: Files): void
  /** Makes a plugin of a link that leads nowhere. */
  brokenLink(name: string): void
  /**
   * Installs a package with a good engine, which leaves the mark `package <engine>`, and makes the application
   * depend on it. `field` replaces what its `contextEngine` says; null leaves it out.
   */
  package(name: string, engine: string, field?: object | null): void
  /** A good engine in code, whose description is `mark`. Another one each time. */
  definition(name: string, mark: string): EngineDefinition
  /** The marks of all modules that were loaded so far. */
  loaded(): readonly string[]
}

/** A harness for one case, and how to clean up behind it. */
export function createDiscoveryHarness(
  target: DiscoveryTarget,
  patience: Patience,
): { readonly harness: DiscoveryHarness; cleanUp(): void } {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'palimpsest-discovery-')))
  const root = join(base, 'application')
  const outside = join(base, 'outside')
  const traces = `palimpsest.loaded-modules:${base}`
  const dependencies: Record<string, string> = {}

  const writeApplication = (): void =>
    write(root, { 'package.json': JSON.stringify({ type: 'module', private: true, dependencies }) })
  const module = (name: string, mark: string, apiVersion = 1): string =>
    engineModule(traces, name, mark, apiVersion)

  const harness: DiscoveryHarness = {
    root,
    outside,
    module,
    discovery() {
      const inner = target.create({ root })
      return {
        registerContextEngine: (definition) => inner.registerContextEngine(definition),
        list: () => settled(inner.list(), 'list()', patience),
        resolve: (choice, options) =>
          settled(inner.resolve(choice, options), `resolve(${JSON.stringify(choice)})`, patience),
      }
    },
    plugin(name, files) {
      write(join(root, 'plugins/context_engine', name), {
        'plugin.yaml': pluginYaml(name),
        'index.js': module(name, `directory ${name}`),
        ...files,
      })
    },
    brokenLink(name) {
      const parent = join(root, 'plugins/context_engine')
      mkdirSync(parent, { recursive: true })
      symlinkSync(join(root, 'nowhere'), join(parent, name), 'junction')
    },
    package(name, engine, field = { name: engine, apiVersion: 1, entry: './index.js' }) {
      dependencies[name] = '1.0.0'
      writeApplication()
      write(join(root, 'node_modules', name), {
        'package.json': packageJson(name, field),
        'index.js': module(engine, `package ${engine}`),
      })
    },
    definition: (name, mark) =>
      defineContextEngine({
        name,
        apiVersion: 1,
        description: mark,
        create() {
          throw new Error('discovery creates no engine')
        },
      }),
    loaded: () => (Reflect.get(globalThis, traces) as readonly string[] | undefined) ?? [],
  }

  writeApplication()
  write(outside, {
    'plugin.yaml': pluginYaml('outside'),
    'package.json': packageJson('outside', { name: 'outside', apiVersion: 1, entry: './index.js' }),
    'index.js': module('outside', 'outside'),
  })
  const cleanUp = (): void => {
    Reflect.deleteProperty(globalThis, traces)
    rmSync(base, { recursive: true, force: true })
  }
  return { harness, cleanUp }
}

function write(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

function packageJson(name: string, contextEngine: object | null): string {
  const manifest = { name, version: '1.0.0', type: 'module', exports: './index.js' }
  return JSON.stringify({ ...manifest, ...(contextEngine !== null && { contextEngine }) })
}

/** A manifest; JSON texts are YAML. */
export function pluginYaml(name: string): string {
  return `name: ${JSON.stringify(name)}\ndescription: A plugin of the suite\nversion: 1.0.0\n`
}

/** One promise of the discovery of engines. */
export type DiscoveryCase = SuiteCase<DiscoveryHarness>

/** A case of discovery, there since its first version. */
export const discoveryCase = suiteCase<DiscoveryHarness>

/** The mark that `defineContextEngine` puts on its definitions, in every copy of core. */
const BRAND = 'palimpsest.context-engine'

/**
 * The text of a module that needs no other one: it leaves its mark, which is also the description of its engine, under the
 * key `traces` of `globalThis` when it is loaded, and exports the engine.
 */
function engineModule(traces: string, name: string, mark: string, apiVersion: number): string {
  return `(globalThis[${JSON.stringify(traces)}] ??= []).push(${JSON.stringify(mark)})

const definition = {
  name: ${JSON.stringify(name)},
  apiVersion: ${apiVersion},
  description: ${JSON.stringify(mark)},
  create() {
    throw new Error('discovery creates no engine')
  },
}

export default Object.defineProperty(definition, Symbol.for(${JSON.stringify(BRAND)}), { value: ${apiVersion} })
`
}
