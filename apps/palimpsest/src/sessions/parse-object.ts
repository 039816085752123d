import { isObject, type Loose } from '@palimpsest/core'

/** The value of JSON text; undefined for what is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The object that a line of JSON is; undefined for everything else. */
export function parseObject(line: string): Loose | undefined {
  const value = parseJson(line)
  return isObject(value) ? value : undefined
}

/** The value as a text that says something; undefined for everything else. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}
