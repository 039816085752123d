import type * as z from 'zod'

/** Wrappers of a schema that keep its keys: `optional`, `default`, `prefault` and the like. */
type Definition = {
  readonly innerType?: z.core.$ZodType
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>
}

/** The keys that a schema knows at a path below it; none where it is not an object. */
export function schemaKeys(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  let shape = objectShape(schema)
  for (const key of path) {
    const member = shape !== undefined && Object.hasOwn(shape, key) ? shape[String(key)] : undefined
    shape = member === undefined ? undefined : objectShape(member)
  }
  return Object.keys(shape ?? {})
}

function objectShape(schema: z.core.$ZodType): Definition['shape'] {
  let definition = schema._zod.def as Definition
  while (definition.innerType !== undefined) definition = definition.innerType._zod.def as Definition
  return definition.shape
}
