import type { ToolSchema } from '@palimpsest/core'

type Schema = Readonly<Record<string, unknown>>
export type Arguments = Readonly<Record<string, unknown>>

export interface ToolArguments {
  readonly properties: Readonly<Record<string, Schema>>
  readonly required: readonly string[]
}

export function argumentsOf({ function: { parameters = {} } }: ToolSchema): ToolArguments {
  const { properties = {}, required = [] } = parameters as Partial<ToolArguments>
  return { properties, required }
}

const SAMPLE_TEXT = 'line'

export function fittingArguments({ properties, required }: ToolArguments): Arguments {
  return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] ?? {})]))
}

export function switchPositions(tool: ToolArguments): Arguments[] {
  const fitting = fittingArguments(tool)
  const positions = Object.entries(tool.properties).flatMap(([name, schema]) =>
    positionsOf(schema).map((value) => ({ ...fitting, [name]: value })),
  )
  return [fitting, ...positions]
}

export function namesOfType({ properties }: ToolArguments, type: string): string[] {
  return Object.keys(properties).filter((name) => typesOf(properties[name] ?? {})?.includes(type) ?? true)
}

/** Undefined if the schema defines its type in another way. */
function typesOf({ type, enum: values }: Schema): readonly unknown[] | undefined {
  if (Array.isArray(values)) return values.map(jsonTypeOf)
  if (type === undefined) return undefined
  return Array.isArray(type) ? type : [type]
}

export function breaksSchema(value: unknown, schema: Schema): boolean {
  if (Array.isArray(schema.enum)) return !schema.enum.includes(value)
  const types = typesOf(schema)
  if (types === undefined) return false
  const type = jsonTypeOf(value)
  return !types.includes(type) && !(type === 'integer' && types.includes('number'))
}

function positionsOf({ type, enum: values }: Schema): readonly unknown[] {
  if (Array.isArray(values)) return values
  return type === 'boolean' ? [true, false] : []
}

function sampleOf(schema: Schema): unknown {
  const [value] = [schema.default, schema.const, ...listOf(schema.enum)].filter((one) => one !== undefined)
  if (value !== undefined) return value
  const [alternative] = [...listOf(schema.anyOf), ...listOf(schema.oneOf)]
  if (alternative !== undefined) return sampleOf(alternative as Schema)
  const type = typesOf(schema)?.[0]
  if (type === 'integer' || type === 'number') return Math.max(1, Number(schema.minimum ?? 1))
  if (type === 'boolean') return true
  if (type === 'array') return [sampleOf((schema.items ?? {}) as Schema)]
  if (type === 'object') return fittingArguments({ ...EMPTY, ...(schema as Partial<ToolArguments>) })
  return SAMPLE_TEXT
}

const EMPTY: ToolArguments = { properties: {}, required: [] }

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}
