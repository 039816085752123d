import { isObject, type Loose, looseOf } from '@palimpsest/core'

/** The usage of several requests together, in the provider's own fields. A value that is no number is the latest's. */
export function sumUsage(usages: readonly Loose[]): Loose | undefined {
  return usages.length === 0 ? undefined : usages.reduce(add)
}

function add(total: Loose, usage: Loose): Loose {
  const sum: Record<string, unknown> = { ...total }
  for (const [name, value] of Object.entries(usage)) {
    const before = total[name]
    if (isObject(value)) sum[name] = add(looseOf(before), value)
    else if (typeof value === 'number' && typeof before === 'number') sum[name] = before + value
    else sum[name] = value ?? before ?? null
  }
  return sum
}
