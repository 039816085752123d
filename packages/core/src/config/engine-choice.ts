import { readYaml } from './read-yaml.ts'

/**
 * What the text of a `config.yaml` names as `context.engine`, before anything of it is checked: a host needs the
 * names of engines for `parseConfig`, and the choice for their names. `undefined` when none is named, when it is
 * no text, and when the file cannot be read, which `parseConfig` then explains.
 */
export function engineChoice(text: string): string | undefined {
  try {
    const { content } = readYaml(text, { fileName: 'config.yaml' })
    const context = member(content, 'context')
    const engine = member(context, 'engine')
    return typeof engine === 'string' && engine !== '' ? engine : undefined
  } catch {
    return undefined
  }
}

function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined
}
