/** Stands in options for the storage folder of the case. */
const STORAGE = '{storage}'

/** The same options, with the folder in every text that asks for it, however deep. */
export function fillPlaceholder(
  options: Readonly<Record<string, unknown>>,
  storage: string,
): Record<string, unknown> {
  return filled(options) as Record<string, unknown>

  function filled(value: unknown): unknown {
    if (typeof value === 'string') return value.replaceAll(STORAGE, () => storage)
    if (Array.isArray(value)) return value.map(filled)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, filled(member)]))
  }
}
