import { InvalidEngineError } from '../errors/errors.ts'
import type { EngineDefinition, EngineDefinitionInput } from '../spec/v1/engine-definition.ts'
import { engineBrand } from './engine-brand.ts'
import { isEngineName } from './engine-name.ts'
import { fillEngine } from './fill-engine.ts'

/**
 * Declares an engine, the default export of a package. `create` may return just `shouldCompress` and `compress`;
 * every other member gets its default.
 *
 * @throws InvalidEngineError for a name that is not kebab-case, another `apiVersion` than 1, or no `create`.
 */
export function defineContextEngine<Options = Record<string, unknown>>(
  input: EngineDefinitionInput<Options>,
): EngineDefinition<Options> {
  const { name, apiVersion, description } = input
  if (!isEngineName(name)) {
    throw new InvalidEngineError(
      `the engine name ${JSON.stringify(name)} must be kebab-case, such as "my-engine"`,
    )
  }
  if (apiVersion !== 1) {
    throw new InvalidEngineError(
      `the engine "${name}" has apiVersion ${String(apiVersion)}; this core speaks apiVersion 1`,
    )
  }
  if (typeof input.create !== 'function') {
    throw new InvalidEngineError(`the engine "${name}" needs create(options, host)`)
  }
  const definition: EngineDefinition<Options> = {
    name,
    apiVersion,
    description,
    create: (options, host) => fillEngine(name, input.create(options, host), host),
  }
  return Object.defineProperty(definition, engineBrand, { value: apiVersion })
}

/** True for what `defineContextEngine` of any installed copy of this package returned. */
export function isEngineDefinition(value: unknown): value is EngineDefinition {
  return typeof value === 'object' && value !== null && engineBrand in value
}
