import { pathToFileURL } from 'node:url'
import { engineBrand, isEngineDefinition, isEngineName } from '../engine/define-context-engine.ts'
import { InvalidEngineError } from '../errors/errors.ts'
import { looseOf } from '../messages/json-value.ts'
import { abortable } from '../session/scheduling.ts'
import type { EngineDefinition, Warning } from '../spec/v1/index.ts'
import { isPackageName } from './config/read-yaml.ts'
import type { PluginContext } from './discovery-types.ts'
import { importModule } from './import-module.ts'
import { errorCode, errorLine, oneLine } from './plugin-files.ts'

export const API_VERSION = 1

export function assertApiVersion(apiVersion: unknown): void {
  if (apiVersion === API_VERSION) return
  throw new InvalidEngineError(
    `it has apiVersion ${String(apiVersion)}, and this host supports apiVersion ${API_VERSION}; install a matching version`,
  )
}

export async function importEngine(file: string, installIn: string): Promise<unknown> {
  try {
    return await importModule(pathToFileURL(file).href)
  } catch (error) {
    const text = errorLine(error)
    const reason = missingModule(error, text, installIn) ?? `it fails while loading: ${text}`
    throw new InvalidEngineError(reason, { cause: error })
  }
}

/** Node names the missing package only in the error's text. */
function missingModule(error: unknown, text: string, installIn: string): string | undefined {
  if (!['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(errorCode(error))) return undefined
  const specifier = /'([^']+)'/.exec(text)?.[1]
  if (specifier === undefined) return undefined
  const name = /^(?:@[^/]*\/)?[^/]*/.exec(specifier)?.[0]
  return isPackageName(name)
    ? `it needs the package "${name}", which is not installed; install it in ${installIn}`
    : `it imports "${specifier}", which does not exist`
}

interface LoadedDefinition {
  readonly definition: EngineDefinition
  readonly warnings: readonly Warning[]
}

/** The result is wrapped because a definition with a member `then` would be awaited. */
export async function loadDefinition(
  name: string,
  load: () => Promise<unknown>,
  timeoutMs: number,
): Promise<LoadedDefinition> {
  const controller = new AbortController()
  // The timer keeps the process alive: a process that waits for nothing else would end during the import.
  const timer = setTimeout(() => {
    const reason = `it did not finish loading in ${timeoutMs} ms; look for an await at the top level of its modules, or in register(ctx)`
    controller.abort(new InvalidEngineError(reason))
  }, timeoutMs)
  try {
    const read = async () => readModule(await load(), name)
    const { definition, warnings } = await abortable(read(), controller.signal)
    const { name: defined } = checkDefinition(definition)
    if (defined === name) return { definition: definition as EngineDefinition, warnings }
    throw new InvalidEngineError(
      `its code defines the engine "${defined}", but its manifest names "${name}"; make the two agree`,
    )
  } finally {
    clearTimeout(timer)
  }
}

interface ReadModule {
  readonly definition: unknown
  readonly warnings: readonly Warning[]
}

async function readModule(loaded: unknown, name: string): Promise<ReadModule> {
  if (isEngineDefinition(loaded)) return { definition: loaded, warnings: [] }
  const module = looseOf(loaded)
  const register = module.default ?? module.register
  if (typeof register === 'function')
    return registerPlugin(register as (context: PluginContext) => unknown, name)
  if ('default' in module) return { definition: module.default, warnings: [] }
  throw new InvalidEngineError(
    'its module has no default export; export defineContextEngine({ … }) by default, or a function register(ctx)',
  )
}

async function registerPlugin(
  register: (context: PluginContext) => unknown,
  name: string,
): Promise<ReadModule> {
  let definition: EngineDefinition | undefined
  const warnings: Warning[] = []
  const refuse = (why: string): Warning => {
    const warning = { code: 'engine-not-registered', message: `the plugin "${name}" registered ${why}` }
    warnings.push(warning)
    return warning
  }
  await register({
    registerContextEngine(given) {
      if (given === definition) return undefined
      try {
        const { name: another } = checkDefinition(given)
        if (definition !== undefined)
          return refuse(`a second engine, "${another}"; a plugin has one, the first counts`)
      } catch (error) {
        return refuse(`a value that is not an engine: ${errorLine(error)}`)
      }
      definition = given
      return undefined
    },
  })
  if (definition !== undefined) return { definition, warnings }
  throw new InvalidEngineError(
    `${warnings[0]?.message ?? 'its register(ctx) registered no engine'}; call ctx.registerContextEngine(defineContextEngine({ … }))`,
  )
}

/**
 * Checks that this host can use a value as an engine. Another version of this package may have made it, so only its
 * brand can be relied on.
 */
export function checkDefinition(value: unknown): { readonly name: string; readonly description?: string } {
  let members: Readonly<Record<string, unknown>>
  try {
    const { apiVersion, name, description, create } = Object(value)
    const brand = isEngineDefinition(value) ? Reflect.get(value, engineBrand) : undefined
    members = { brand, apiVersion, name, description, create }
  } catch (error) {
    throw new InvalidEngineError(`its definition cannot be read: ${errorLine(error)}`, { cause: error })
  }
  const { brand, apiVersion, name, description, create } = members
  if (brand === undefined) throw new InvalidEngineError('it is not what defineContextEngine() returned')
  assertApiVersion(brand)
  assertApiVersion(apiVersion)
  if (!isEngineName(name)) throw new InvalidEngineError('its definition has no name in kebab-case')
  if (typeof create !== 'function') throw new InvalidEngineError('its definition has no create()')
  return { name, ...(typeof description === 'string' && { description: oneLine(description) }) }
}
