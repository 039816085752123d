import { isObject, type Loose } from '@palimpsest/core'

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function parseObject(line: string): Loose | undefined {
  const value = parseJson(line)
  return isObject(value) ? value : undefined
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}
