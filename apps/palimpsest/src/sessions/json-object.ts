import { isObject, type Loose } from '@palimpsest/core'

/** The object that a line of JSON is; undefined for everything else. */
export function parseObject(line: string): Loose | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The value as a text that says something; undefined for everything else. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}
