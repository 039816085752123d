import { InvalidOptionError } from '@palimpsest/core'
import { parseOptions } from '@palimpsest/core/config'
import { modelKey } from './model-key.ts'
import {
  type FamilyRules,
  familySchema,
  fileSchema,
  type ModelRules,
  modelSchema,
  type ProfileData,
  type ProviderData,
  type RouteRules,
  routeSchema,
} from './profile-data.ts'

/**
 * Checks price data: the content of one file, or a list of them. The files in `data/` show the shape.
 *
 * @throws InvalidOptionError that names the path and what would be right: a price that is missing or negative, a
 *   date that is none, an unknown key, a family that is not there, a model that is there twice.
 */
export function parseProfiles(json: unknown): ProfileData {
  const files = Array.isArray(json)
    ? json.map((file: unknown, index) => parseFile(file, `profiles.${index}`))
    : [parseFile(json, 'profiles')]
  refuseDuplicates(files, Array.isArray(json))
  return files
}

function parseFile(json: unknown, path: string): ProviderData {
  const { families: rawFamilies, models: rawModels, ...file } = parseOptions(fileSchema, json, path)
  const families = parseEach(rawFamilies, (raw, key) => parseFamily(raw, `${path}.families.${key}`))
  const models = rawModels.map((raw, index) => parseModel(raw, `${path}.models.${index}`))
  for (const [index, { family }] of models.entries()) {
    if (Object.hasOwn(families, family)) continue
    const at = `${path}.models.${index}.family`
    const known = Object.keys(families).join(', ')
    throw new InvalidOptionError(at, `${at}: there is no such family; families of this file: ${known}`)
  }
  return { ...file, families, models }
}

function parseFamily(raw: unknown, path: string): FamilyRules {
  const { routes, ...family } = parseOptions(familySchema, raw, path)
  return { ...family, routes: parseRoutes(routes, path) }
}

function parseModel(raw: unknown, path: string): ModelRules {
  const { routes, ...model } = parseOptions(modelSchema, raw, path)
  return { ...model, routes: parseRoutes(routes, path) }
}

function parseRoutes(raw: Record<string, unknown> = {}, path: string): Readonly<Record<string, RouteRules>> {
  return parseEach(raw, (route, key) => parseOptions(routeSchema, route, `${path}.routes.${key}`))
}

/** A file's own keys only: `__proto__` in it is a name like any other, and is not looked up elsewhere. */
function parseEach<Out>(raw: Record<string, unknown>, parse: (value: unknown, key: string) => Out) {
  return Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, parse(value, key)]))
}

function refuseDuplicates(files: readonly ProviderData[], isList: boolean): void {
  const seen = new Map<string, string>()
  for (const [file, { models }] of files.entries()) {
    for (const [index, { id }] of models.entries()) {
      const path = `profiles.${isList ? `${file}.` : ''}models.${index}.id`
      const first = seen.get(modelKey(id))
      if (first !== undefined)
        throw new InvalidOptionError(path, `${path}: ${id} is there already, at ${first}; keep one of them`)
      seen.set(modelKey(id), path)
    }
  }
}
