import { isEngineName } from '@palimpsest/core'
import * as z from 'zod'
import { type EngineManifest, parseManifest } from './engine-manifest.ts'
import type { PackageJson } from './installed-package.ts'

/** The field of a `package.json` that makes a package an engine. */
export const ENGINE_FIELD = 'contextEngine'

const engineField = z.looseObject(
  {
    name: z.string('must be the name of the engine').refine(isEngineName, 'must be kebab-case'),
    apiVersion: z.int('must be the version of the engine contract, such as 1'),
    entry: z.string('must be the path of a module in the package, such as "./dist/index.js"'),
  },
  'must be an object with name, apiVersion and entry',
)

/**
 * What the `package.json` of an engine says of it.
 *
 * @throws InvalidEngineError that names the first key of the field that is wrong.
 */
export function readPackageManifest(json: PackageJson): EngineManifest {
  const field = parseManifest(engineField, json[ENGINE_FIELD], 'package.json', ENGINE_FIELD)
  const { version, description } = json
  return {
    ...field,
    version: typeof version === 'string' ? version : undefined,
    description: typeof description === 'string' ? description : undefined,
  }
}

/** The name that a package claims for its engine, even where the rest of the field is wrong. */
export function claimedName(json: PackageJson): string | undefined {
  const claim = z.looseObject({ name: z.string().refine(isEngineName) }).safeParse(json[ENGINE_FIELD])
  return claim.data?.name
}
