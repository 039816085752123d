import { asObject, isObject, type JsonObject } from '../json-object.ts'

/** What several requests used together, in the provider's own fields; what is no number is the latest's. */
export function sumUsage(usages: readonly JsonObject[]): JsonObject | undefined {
  return usages.length === 0 ? undefined : usages.reduce(add)
}

function add(total: JsonObject, usage: JsonObject): JsonObject {
  const sum: Record<string, unknown> = { ...total }
  for (const [name, value] of Object.entries(usage)) {
    const before = total[name]
    if (isObject(value)) sum[name] = add(asObject(before), value)
    else if (typeof value === 'number' && typeof before === 'number') sum[name] = before + value
    else sum[name] = value ?? before ?? null
  }
  return sum
}
