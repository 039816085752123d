import { isEngineDefinition } from '../engine/define-context-engine.ts'
import { engineBrand } from '../engine/engine-brand.ts'
import { isEngineName } from '../engine/engine-name.ts'
import { InvalidEngineError } from '../errors/invalid-engine-error.ts'
import { assertApiVersion } from './engine-manifest.ts'
import { errorLine, oneLine } from './one-line.ts'

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
