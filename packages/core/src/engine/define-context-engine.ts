import { InvalidEngineError } from '../errors/invalid-engine-error.ts'
import type { EngineDefinition, EngineDefinitionInput } from '../spec/engine-definition.ts'
import { engineBrand } from './engine-brand.ts'
import { fillEngine } from './fill-engine.ts'

/** What the name of an engine may look like: kebab-case, so that it is safe as a folder and a key. */
const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/

/**
 * Declares an engine: what a package exports by default. `create` may return two functions only,
 * `shouldCompress` and `compress`; every other member gets its default.
 *
 * @throws InvalidEngineError for a name that is not kebab-case or another `apiVersion` than 1.
 */
export function defineContextEngine<Options = Record<string, unknown>>(
  input: EngineDefinitionInput<Options>,
): EngineDefinition<Options> {
  if (!NAME.test(input.name)) {
    throw new InvalidEngineError(
      `the engine name ${JSON.stringify(input.name)} must be kebab-case, such as "my-engine"`,
    )
  }
  if (input.apiVersion !== 1) {
    throw new InvalidEngineError(
      `the engine "${input.name}" claims API version ${String(input.apiVersion)}; this core speaks version 1`,
    )
  }
  const definition: EngineDefinition<Options> = {
    name: input.name,
    apiVersion: input.apiVersion,
    description: input.description,
    create: (options, host) => fillEngine(input.name, input.create(options, host), host),
  }
  return Object.defineProperty(definition, engineBrand, { value: input.apiVersion })
}

/** True for what `defineContextEngine` of any installed copy of this package returned. */
export function isEngineDefinition(value: unknown): value is EngineDefinition {
  return typeof value === 'object' && value !== null && engineBrand in value
}
