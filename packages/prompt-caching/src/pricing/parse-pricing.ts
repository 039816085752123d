import { InvalidOptionError } from '@palimpsest/core'
import { parseOptions } from '@palimpsest/core/options'
import { modelKey } from './model-key.ts'
import {
  type FamilyRules,
  type ModelRules,
  type PricingData,
  type ProviderData,
  pricingSchemas,
  type RouteRules,
} from './pricing-data.ts'

/**
 * Checks price data: the content of one file, or a list of them. The files in `data/` show the shape.
 *
 * @throws InvalidOptionError that names the path in `json`, the model, and what would be right: a price that is missing,
 *   negative or absurd, an invalid date, an unknown key, a missing family, a model that is listed twice.
 */
export function parsePricing(json: unknown): PricingData {
  const files = Array.isArray(json)
    ? json.map((file: unknown, index) => parseFile(file, `${index}.`))
    : [parseFile(json, '')]
  refuseDuplicates(files, Array.isArray(json))
  return files
}

/** `at`: where the file begins, with a dot behind it unless it is all there is. */
function parseFile(json: unknown, at: string): ProviderData {
  const {
    families: rawFamilies,
    models: rawModels,
    ...file
  } = parseOptions(pricingSchemas().file, json, at.slice(0, -1))
  const families = parseEach(rawFamilies, (raw, key) => parseFamily(raw, `${at}families.${key}`))
  const models = rawModels.map((raw, index) => parseModel(raw, `${at}models.${index}`, families))
  return { ...file, families, models }
}

function parseFamily(raw: unknown, path: string): FamilyRules {
  const { routes, ...family } = parseOptions(pricingSchemas().family, raw, path)
  return { ...family, routes: parseRoutes(routes, path) }
}

function parseModel(raw: unknown, path: string, families: ProviderData['families']): ModelRules {
  try {
    const { routes: rawRoutes, ...model } = parseOptions(pricingSchemas().model, raw, path)
    if (!Object.hasOwn(families, model.family)) {
      const known = Object.keys(families).join(', ')
      refuse(`${path}.family`, `there is no such family; families of this file: ${known}`)
    }
    const routes = parseRoutes(rawRoutes, path)
    refuseFreeInput({ ...model, routes }, path)
    return { ...model, routes }
  } catch (error) {
    throw namingModel(error, raw)
  }
}

/** The price of reading is a multiple of that of input, which nothing but 0 has where input costs nothing. */
function refuseFreeInput(model: ModelRules, path: string): void {
  if (model.input > 0) return
  const dear = (value: number | undefined, at: string) => {
    if (value !== undefined && value > 0) refuse(at, 'expected 0, because input costs nothing')
  }
  dear(model.cached, `${path}.cached`)
  dear(model.storage, `${path}.storage`)
  for (const [key, { cached }] of Object.entries(model.routes)) dear(cached, `${path}.routes.${key}.cached`)
}

function refuse(path: string, text: string): never {
  throw new InvalidOptionError(path, `${path}: ${text}`)
}

/** A person finds a model by its name sooner than by its number. */
function namingModel(error: unknown, raw: unknown): unknown {
  if (!(error instanceof InvalidOptionError) || typeof raw !== 'object' || raw === null) return error
  const id = 'id' in raw && typeof raw.id === 'string' ? raw.id : ''
  if (id === '') return error
  return new InvalidOptionError(
    error.path,
    `${error.message} (the model ${JSON.stringify(id.slice(0, 100))})`,
  )
}

function parseRoutes(raw: Record<string, unknown> = {}, path: string): Readonly<Record<string, RouteRules>> {
  return parseEach(raw, (route, key) => parseOptions(pricingSchemas().route, route, `${path}.routes.${key}`))
}

/** A file's own keys only: `__proto__` in it is a name like any other, and is not looked up elsewhere. */
function parseEach<Out>(raw: Record<string, unknown>, parse: (value: unknown, key: string) => Out) {
  return Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, parse(value, key)]))
}

function refuseDuplicates(files: readonly ProviderData[], isList: boolean): void {
  const seen = new Map<string, string>()
  for (const [file, { models }] of files.entries()) {
    for (const [index, { id }] of models.entries()) {
      const path = `${isList ? `${file}.` : ''}models.${index}.id`
      const first = seen.get(modelKey(id))
      if (first !== undefined) refuse(path, `${id} is there already, at ${first}; keep one of them`)
      seen.set(modelKey(id), path)
    }
  }
}
