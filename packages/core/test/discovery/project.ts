import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import {
  type BuiltInEngine,
  createEngineDiscovery,
  type EngineDiscoveryOptions,
} from '../../src/discovery.ts'
import { defineContextEngine, type EngineDefinition } from '../../src/index.ts'

/** The text of a module that defines an engine without importing anything, and counts how often it was loaded. */
export function engineModule(name: string, { apiVersion = 1, extra = '' } = {}): string {
  return `
globalThis.loadedEngines = [...(globalThis.loadedEngines ?? []), '${name}']
${extra}
const definition = { name: '${name}', apiVersion: ${apiVersion}, description: 'd', create: () => ({ name: '${name}' }) }
export default Object.defineProperty(definition, Symbol.for('palimpsest.context-engine'), { value: ${apiVersion} })
`
}

/** The engines whose modules were loaded in this process. */
export function loadedEngines(): readonly string[] {
  return (globalThis as { loadedEngines?: readonly string[] }).loadedEngines ?? []
}

export function definition(name: string): EngineDefinition {
  return defineContextEngine({
    name,
    apiVersion: 1,
    description: `the engine ${name}`,
    create: () => ({
      shouldCompress: () => false,
      compress: async () => {
        throw new Error('not called here')
      },
    }),
  })
}

export function builtIn(name: string, load?: BuiltInEngine['load']): BuiltInEngine {
  return {
    name,
    version: '1.2.3',
    description: `the built-in ${name}`,
    load: vi.fn(load ?? (async () => definition(name))),
  }
}

/** A folder with the files of an application, gone after the test. */
export async function createProject(files: Readonly<Record<string, string>> = {}) {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'palimpsest-discovery-')))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  for (const [path, text] of Object.entries(files)) await write(path, text)
  return {
    root,
    write,
    /** A whole plugin in its folder; `files` replaces and adds. */
    async plugin(name: string, files: Readonly<Record<string, string>> = {}) {
      const usual = {
        'plugin.yaml': `name: ${name}\ndescription: the plugin ${name}\nversion: 0.1.0\n`,
        'index.js': engineModule(name),
      }
      for (const [path, text] of Object.entries({ ...usual, ...files }))
        await write(`plugins/context_engine/${name}/${path}`, text)
    },
    /** An installed package that is an engine; `json` is merged into its `package.json`. */
    async installed(name: string, contextEngine?: unknown, json: object = {}) {
      const engine = contextEngine as { name?: string } | undefined
      const manifest = { name, version: '2.0.0', description: `the package ${name}`, contextEngine, ...json }
      await write(`node_modules/${name}/package.json`, JSON.stringify({ type: 'module', ...manifest }))
      await write(`node_modules/${name}/dist/index.js`, engineModule(engine?.name ?? name))
    },
    discovery(options: Partial<EngineDiscoveryOptions> = {}) {
      return createEngineDiscovery({ root, builtIn: [builtIn('compressor')], ...options })
    },
  }
}

export type Project = Awaited<ReturnType<typeof createProject>>

/** A package's statement about its engine. */
export function engineField(name: string, more: object = {}): object {
  return { name, apiVersion: 1, entry: './dist/index.js', ...more }
}
