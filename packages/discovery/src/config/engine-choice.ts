import { isObject } from '@palimpsest/core'
import { readYaml } from './read-yaml.ts'

/**
 * The `context.engine` of a `config.yaml`, before any check: a host needs the
 * names of engines for `parseConfig`, and the choice for their names. `undefined` when none is named, when it is
 * no text, and when the file cannot be read, which `parseConfig` then explains.
 */
export function engineChoice(text: string): string | undefined {
  const engine = configValue(text, ['context', 'engine'])
  return typeof engine === 'string' && engine !== '' ? engine : undefined
}

/** The value at a path of a `config.yaml`, unchecked. `undefined` also when the file cannot be read. */
export function configValue(text: string, path: readonly string[]): unknown {
  try {
    return path.reduce<unknown>(member, readYaml(text, { fileName: 'config.yaml' }).content)
  } catch {
    return undefined
  }
}

function member(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}
