import { isObject } from '@palimpsest/core'
import { readYaml } from './read-yaml.ts'

/**
 * What the text of a `config.yaml` names as `context.engine`, before anything of it is checked: a host needs the
 * names of engines for `parseConfig`, and the choice for their names. `undefined` when none is named, when it is
 * no text, and when the file cannot be read, which `parseConfig` then explains.
 */
export function engineChoice(text: string): string | undefined {
  const engine = configValue(text, ['context', 'engine'])
  return typeof engine === 'string' && engine !== '' ? engine : undefined
}

/** What the text of a `config.yaml` says at a path, unchecked; `undefined` also when the file cannot be read. */
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
