import { isEngineDefinition } from '../engine/define-context-engine.ts'
import { engineBrand } from '../engine/engine-brand.ts'
import { isEngineName } from '../engine/engine-name.ts'
import { InvalidEngineError } from '../errors/errors.ts'
import { looseOf } from '../messages/loose.ts'
import { abortable } from '../session/abortable.ts'
import type { EngineDefinition } from '../spec/v1/engine-definition.ts'
import type { Warning } from '../spec/v1/warning.ts'
import type { PluginContext } from './discovery-types.ts'
import { assertApiVersion } from './engine-manifest.ts'
import { errorLine, oneLine } from './one-line.ts'

export interface LoadedDefinition {
  readonly definition: EngineDefinition
  /** Warnings about other registrations of the plugin, which were refused. */
  readonly warnings: readonly Warning[]
}

/**
 * The definition that a module exports by default, that its `register(ctx)` registers, or that a built-in hands over,
 * checked. In an object, because a definition with a member `then` would be awaited.
 *
 * @param name what the manifest calls the engine.
 * @throws InvalidEngineError
 */
export async function loadDefinition(
  name: string,
  load: () => Promise<unknown>,
  timeoutMs: number,
): Promise<LoadedDefinition> {
  const { definition, warnings } = await inTime(async () => readModule(await load(), name), timeoutMs)
  const { name: defined } = checkDefinition(definition)
  if (defined === name) return { definition: definition as EngineDefinition, warnings }
  throw new InvalidEngineError(
    `its code defines the engine "${defined}", but its manifest names "${name}"; make the two agree`,
  )
}

async function readModule(
  loaded: unknown,
  name: string,
): Promise<{ readonly definition: unknown; readonly warnings: readonly Warning[] }> {
  if (isEngineDefinition(loaded)) return { definition: loaded, warnings: [] }
  const module = looseOf(loaded)
  const register = module.default ?? module.register
  if (typeof register === 'function') return registerPlugin(register as RegisterPlugin, name)
  if ('default' in module) return { definition: module.default, warnings: [] }
  throw new InvalidEngineError(
    'its module has no default export; export defineContextEngine({ … }) by default, or a function register(ctx)',
  )
}

async function inTime<T>(load: () => Promise<T>, timeoutMs: number): Promise<T> {
  const controller = new AbortController()
  // Keeps the process alive: one that waits for nothing else would end in the middle of the import.
  const timer = setTimeout(() => {
    const reason = `it did not finish loading in ${timeoutMs} ms; look for an await at the top level of its modules, or in register(ctx)`
    controller.abort(new InvalidEngineError(reason))
  }, timeoutMs)
  try {
    return await abortable(load(), controller.signal)
  } finally {
    clearTimeout(timer)
  }
}

/** A plugin's function that registers its engine. */
type RegisterPlugin = (context: PluginContext) => unknown

/**
 * Lets a plugin register its engine. The first one counts. Another one, or a value that is not an engine, is refused
 * with a warning.
 *
 * @param name what the manifest calls the engine.
 * @throws InvalidEngineError when it registered none, and what `register` throws.
 */
async function registerPlugin(
  register: RegisterPlugin,
  name: string,
): Promise<{ readonly definition: EngineDefinition; readonly warnings: readonly Warning[] }> {
  let definition: EngineDefinition | undefined
  const warnings: Warning[] = []
  const refuse = (why: string): Warning => {
    const message = `the plugin "${name}" registered ${why}`
    const warning = { code: 'engine-not-registered', message }
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
        return refuse(`something that is no engine: ${errorLine(error)}`)
      }
      definition = given
      return undefined
    },
  })
  if (definition !== undefined) return { definition, warnings }
  const [warning] = warnings
  throw new InvalidEngineError(
    `${warning?.message ?? 'its register(ctx) registered no engine'}; call ctx.registerContextEngine(defineContextEngine({ … }))`,
  )
}

/** The facts that a definition states about its engine. */
export interface DefinitionFacts {
  readonly name: string
  readonly description?: string
}

/**
 * Makes sure that a value is a definition that this host can use. Another version of this package may have made it,
 * so only its brand is taken for granted.
 *
 * @throws InvalidEngineError
 */
export function checkDefinition(value: unknown): DefinitionFacts {
  const { brand, apiVersion, name, description, create } = members(value)
  if (brand === undefined) throw new InvalidEngineError('it is not what defineContextEngine() returned')
  assertApiVersion(brand)
  assertApiVersion(apiVersion)
  if (!isEngineName(name)) throw new InvalidEngineError('its definition has no name in kebab-case')
  if (typeof create !== 'function') throw new InvalidEngineError('its definition has no create()')
  return { name, ...(typeof description === 'string' && { description: oneLine(description) }) }
}

type Members = Readonly<Record<'brand' | 'apiVersion' | 'name' | 'description' | 'create', unknown>>

function members(value: unknown): Members {
  try {
    const { apiVersion, name, description, create } = Object(value) as Members
    const brand = isEngineDefinition(value) ? Reflect.get(value, engineBrand) : undefined
    return { brand, apiVersion, name, description, create }
  } catch (error) {
    throw new InvalidEngineError(`its definition cannot be read: ${errorLine(error)}`, { cause: error })
  }
}
